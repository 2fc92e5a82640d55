/** What each intent of the panel does: one table, so that a new intent without a handler does not compile. */
import * as vscode from 'vscode';

import { modelRow, type ApprovalAnswer, type Conversation } from '../../core/conversation/conversation.ts';
import { attachedContent } from '../../core/conversation/userMessage.ts';
import { requestIndex } from '../../core/cost/bill.ts';
import type { Intent } from '../../protocol/toHost.ts';
import type { Completion } from '../completion/registerCompletion.ts';
import type { Cost } from '../cost/registerCost.ts';
import type { DraftQuestion, ForecastSession } from '../cost/spendingGate.ts';
import type { Review } from '../edits/review/registerReview.ts';
import type { Along } from '../prompts/along.ts';
import { useCommitMessage } from '../prompts/commitMessage.ts';
import { ownRulesUri } from '../prompts/promptUris.ts';
import { isLoopback } from '../address.ts';
import type { ChangedFiles } from '../context/changedFiles.ts';
import type { SentTexts } from '../context/sentTexts.ts';
import type { Log } from '../log.ts';
import type { HandOver } from '../problems/handOver.ts';
import type { PatchProblems } from '../problems/patchProblems.ts';
import type { QuestionGuard } from '../secretGuard/questionGuard.ts';
import type { Settings } from '../settings.ts';
import { addressProblemText } from './addressText.ts';
import { applyCode } from './applyCode.ts';
import { askedWith } from '../sessions/askedWith.ts';
import { attachProblemText } from '../context/problem.ts';
import { AttachingNow } from '../composer/attachingNow.ts';
import type { AnswerDocuments } from './answerDocuments.ts';
import { Branches } from './branches.ts';
import type { ChatView } from './chatView.ts';
import type { CodeProposals } from './codeProposals.ts';
import { copyConversation } from './copyConversation.ts';
import { copyText } from './copyText.ts';
import { draftQuestion, roomFacts } from './costFacts.ts';
import type { CopiedText } from '../composer/copiedText.ts';
import type { Draft } from '../composer/draft.ts';
import { editorInFront } from './editorInFront.ts';
import type { ShownHistory } from '../history/historyParts.ts';
import { keyProblemText } from './keyProblemText.ts';
import { cutsFor, fileCut, restoringCuts } from '../sessions/makeRoom.ts';
import { openChip, type OpenedChip } from '../composer/openAttachment.ts';
import type { PanelFacts } from './panelFacts.ts';
import type { PastedTexts } from './pastedTexts.ts';
import { dearCheck, priceCheck } from './priceCheck.ts';
import { editQueued } from './queueEdit.ts';
import type { Queue } from './queue.ts';
import { readChoice } from '../composer/readChoice.ts';
import { questionSender, Sending } from './send.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Summaries } from './summaries.ts';
import { summarize } from './summarize.ts';
import { wantsWritingAtOnce } from './writesAtOnce.ts';

export interface IntentParts {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly along: Along;
  readonly changes: Pick<ChangedFiles, 'look'>;
  readonly queue: Queue;
  readonly copied: Pick<CopiedText, 'originOf'>;
  readonly pasted: PastedTexts;
  readonly facts: PanelFacts;
  readonly settings: Settings;
  readonly view: Pick<ChatView, 'post'>;
  readonly review: Review;
  readonly completion: Completion;
  readonly cost: Cost;
  readonly summaries: Summaries;
  readonly code: CodeProposals;
  readonly answers: AnswerDocuments;
  readonly problems: PatchProblems;
  readonly handOver: Pick<HandOver, 'ask'>;
  readonly sentTexts: Pick<SentTexts, 'show'>;
  readonly secrets: QuestionGuard;
  readonly history: ShownHistory;
  /** What is on its way from all panels of the window; of this one alone when absent. */
  readonly sending?: Sending;
  /** See `KeptSessions.copyOfFollowed`. */
  readonly copyOfFollowed?: (session: ChatSession) => ChatSession | undefined;
  /** Another panel has the queued questions asked. */
  readonly leavesQueue?: true;
  readonly log: Log;
}

type Handlers = {
  readonly [K in Intent['kind']]: (intent: Extract<Intent, { kind: K }>) => void | PromiseLike<unknown>;
};

/** Runs one intent. Never rejects: what a person can mend is told in the panel, and so is that something else went wrong. */
export function intentHandler(parts: IntentParts): (intent: Intent) => Promise<void> {
  const { sessions, draft, along, queue, facts, settings, view, log } = parts;
  const { board, attention } = parts.review;
  const { completions, drops } = parts.completion;
  const { gate, sent, commands } = parts.cost;
  const pricing = {
    settings,
    forecastOf: (session: ForecastSession, question: DraftQuestion) => gate.forecastOf(session, question),
  };
  const isHeldBack = priceCheck({ ...pricing, view });
  const { sending = new Sending() } = parts;
  const sender = questionSender({ ...parts, sending, attention, isDear: dearCheck(pricing) });
  if (parts.leavesQueue !== true) {
    queue.serve((session) => {
      sender.sendNext(session).catch((error: unknown) => log.bug('queue', error));
    });
  }
  const branches = new Branches({ ...parts, attention, gate, isHeldBack });
  const attaching = new AttachingNow();
  const notice = (text: string): void => view.post({ kind: 'notice', text });
  const handlers: Handlers = {
    send: async (intent) => {
      const settled = attaching.settled();
      if (settled !== undefined && !(await settled))
        notice(vscode.l10n.t('Something is still being attached. Send again when its chip is there.'));
      else await sender.send(intent);
    },
    sendQueued: ({ question, agreed }) => sender.sendQueued(question, agreed),
    editQueued: ({ question, draft: typed }) => editQueued(parts, question, typed),
    removeQueued: ({ question }) => queue.remove(sessions.current, question),
    restoreQueued: ({ question }) => queue.restore(sessions.current, question),
    paste: (intent) => {
      const attachments = parts.pasted.attachments(intent, parts.copied.originOf(intent.text));
      const problem = attachments === undefined ? 'tooLong' : draft.attachIfRoom(attachments);
      const text = problem && attachProblemText(problem);
      if (text !== undefined) notice(text);
    },
    attachmentAsText: ({ attachment }) => {
      const chip = draft.attachments.find(({ id, kind }) => id === attachment && kind === 'pasted');
      if (chip === undefined) return;
      // The panel takes the chip off when the text is in the composer: on its way there it may be thrown away.
      view.post({ kind: 'insertText', text: chip.text, attachment });
    },
    complete: ({ list, trigger, query }) => completions.complete(list, trigger, query),
    takeCompletion: ({ list, item }) => attaching.watch(completions.taken(list, item)?.()),
    endCompletion: () => completions.end(),
    attachImage: (intent) => attaching.watch(drops.image(intent)),
    attachPlaces: ({ uris }) => attaching.watch(drops.places(uris)),
    attachText: ({ name, text }) => drops.text(name, text),
    weighChoice: ({ model, effort }) => {
      const choice = readChoice(model, effort);
      if (choice === undefined) return;
      const session = sessions.current;
      const question = draftQuestion(parts);
      view.post({
        kind: 'choiceWeighed',
        ...choice,
        next: gate.forecastOf(session, { ...question, choice }),
        now: gate.forecastOf(session, question),
      });
    },
    stop: () => sessions.current.stop(),
    retryNow: () => sessions.current.retryNow(),
    showSent: async ({ turn, request }) => {
      const { conversation } = sessions.current;
      const index = requestIndex(conversation, turn, request);
      if (index === undefined || !(await sent.open(conversation.id, index)))
        notice(vscode.l10n.t('What was sent is no longer known.'));
    },
    showNaming: async ({ turn }) => {
      if (!(await sent.openNaming(sessions.current.conversation.id, turn)))
        notice(vscode.l10n.t('What was sent is no longer known.'));
    },
    showUsage: () => commands['kimiChat.showUsage'](),
    makeRoom: ({ what }) => {
      const session = sessions.current;
      const cuts = cutsFor(what, roomFacts(session, { gate, settings }, gate.context(session)));
      for (const { turn, cut } of cuts) session.cut(turn, cut);
    },
    leaveOutFile: ({ turn, file }) => {
      const session = sessions.current;
      for (const { cut } of fileCut(turn, file, session)) session.cut(turn, cut);
    },
    takeBackCuts: () => {
      const session = sessions.current;
      for (const { turn, cut } of restoringCuts(session)) session.cut(turn, cut);
    },
    leaveOut: ({ turn }) => {
      if (!sessions.current.cut(turn, { whole: true }))
        notice(vscode.l10n.t('This can’t be changed while the turn goes on.'));
    },
    takeBackCut: ({ turn }) => {
      if (!sessions.current.cut(turn, {}))
        notice(vscode.l10n.t('This can’t be changed while the turn goes on.'));
    },
    summarize: async ({ agreed }) => {
      // The conversation that is shown now, whatever is shown when the key was looked up.
      const session = sessions.current;
      const keyProblem = keyProblemText(await facts.readKey());
      if (keyProblem !== undefined) return notice(keyProblem);
      const problem = await summarize(session, { ...parts, gate, isHeldBack }, agreed);
      if (problem !== undefined) notice(problem);
    },
    newChat: () => sessions.startNew(),
    continueInCopy: () => {
      const copy = parts.copyOfFollowed?.(sessions.current);
      if (copy === undefined) return;
      sessions.show(copy);
      view.post({ kind: 'focusComposer' });
    },
    showConversation: async ({ conversation }) => {
      if (!(await parts.history.show(conversation, sessions)))
        notice(vscode.l10n.t('The conversation could not be read: it was deleted, or its file is damaged.'));
    },
    showConversations: () => parts.history.choose(),
    resume: async ({ turn, agreed }) => {
      const session = sessions.current;
      const { address } = settings;
      if (!address.ok) return notice(addressProblemText(address.error, settings.baseUrl));
      const broken = session.conversation.turns.find(({ id }) => id === turn);
      const choice = askedWith(settings.choice, broken?.question.attachments ?? []);
      const room = session.roomToResume(turn, choice);
      if (room === undefined) return;
      const question = { text: '', attachments: [], choice, ...room };
      if (isHeldBack({ asked: { kind: 'resume', turn }, session, question, agreed })) return;
      await parts.changes.look(session);
      if (session.resume(turn, choice)) attention.asked();
    },
    edit: (intent) => branches.edit(intent),
    answerAgain: (intent) => branches.answerAgain(intent),
    weigh: (intent) => branches.weigh(intent),
    fork: (intent) => branches.fork(intent),
    showVersion: (intent) => branches.show(intent),
    compareVersions: async ({ turn, with: shown }) => {
      if (!(await parts.answers.compare(turn, shown, sessions)))
        notice(vscode.l10n.t('This answer is no longer known.'));
    },
    deleteTurn: (intent) => branches.remove(intent),
    restoreTurn: (intent) => branches.restore(intent),
    copyConversation: async () => {
      const problem = await copyConversation(parts);
      if (problem !== undefined) notice(problem);
    },
    draftChanged: ({ text }) => {
      draft.text = text;
      along.questionChanged();
      facts.questionChanged();
    },
    setModel: async ({ model }) => {
      const row = modelRow(model);
      if (row !== undefined && !(await settings.setModel(row.id))) notice(notSaved());
    },
    setEffort: async ({ effort }) => {
      const known = settings.model.efforts.find((one) => one === effort);
      if (known !== undefined && !(await settings.setEffort(known))) notice(notSaved());
    },
    setPatchMode: async ({ mode }) => {
      if (mode !== 'ask' && settings.patchMode !== mode && !(await wantsWritingAtOnce())) return;
      if (!(await settings.setPatchMode(mode))) notice(notSaved());
    },
    setWebSearch: ({ on }) => {
      sessions.current.webSearch = on;
      // What the next question costs is another now, too.
      facts.questionChanged();
    },
    setKey: () => vscode.commands.executeCommand('kimiChat.setApiKey'),
    openSettings: ({ setting }) =>
      vscode.commands.executeCommand('workbench.action.openSettings', setting ?? 'kimiChat.'),
    openLog: () => vscode.commands.executeCommand('kimiChat.showLog'),
    attachActive: () => attaching.watch(vscode.commands.executeCommand('kimiChat.attachActive')),
    removeAttachment: ({ attachment }) => {
      if (!along.remove(attachment)) draft.remove(attachment);
    },
    putBackInstructions: ({ attachment }) => along.putBack(attachment),
    useCommitMessage: async ({ turn }) => {
      const shown = sessions.current.conversation.turns.find(({ id }) => id === turn);
      const problem = shown && (await useCommitMessage(shown));
      if (problem !== undefined) notice(problem);
    },
    openAttachment: async ({ attachment, turn }) => {
      const known = findAttachment(parts, attachment, turn);
      if (known === undefined) return;
      if (!known.wasSent && known.attachment.uri === ownRulesUri) {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'kimiChat.instructions');
        return;
      }
      try {
        await openChip(known, parts.sentTexts);
      } catch (error) {
        log.warn('An attachment could not be opened', error);
        notice(vscode.l10n.t('{0} can’t be opened: it was closed, moved or deleted.', known.attachment.path));
      }
    },
    answerApproval: ({ approval, answer, reason }) => {
      sessions.current.answer(approval, approvalAnswer(answer, reason));
    },
    decideSecrets: ({ check, choice }) => {
      parts.secrets.decide(check, choice);
    },
    review: ({ proposal, file }) => board.review(proposal, file),
    accept: ({ proposal, file }) => board.accept(proposal, file),
    reject: ({ proposal, file, reason }) => board.reject(proposal, file, reason),
    takeBack: ({ proposal, file }) => board.takeBack(proposal, file),
    showProblem: async ({ proposal, problem }) => {
      if (!(await parts.problems.show(proposal, problem)))
        notice(vscode.l10n.t('The file can’t be opened: it was moved or deleted.'));
    },
    takeBackChange: async ({ proposal, problem }) => {
      if (!(await parts.problems.takeBackChange(proposal, problem)))
        notice(vscode.l10n.t('The change could not be taken back: its lines were changed since.'));
    },
    askAboutProblems: async ({ proposal }) => {
      if (!(await parts.handOver.ask(proposal)))
        notice(vscode.l10n.t('These problems are gone, or the model may not read their files.'));
    },
    checkProblems: ({ proposal }) => parts.problems.checkAgain(proposal),
    showHidden: ({ proposal }) => board.showHidden(proposal),
    viewAll: ({ proposal }) => board.viewAll(proposal),
    openLink: async ({ href }) => {
      if (!(await openLink(href))) notice(vscode.l10n.t('This is no address that can be opened: {0}', href));
    },
    copy: async ({ text }) => {
      const problem = await copyText(text, log);
      if (problem !== undefined) notice(problem);
    },
    insertAtCursor: async ({ text }) => {
      const problem = await insertAtCursor(text);
      if (problem !== undefined) notice(problem);
    },
    applyCode: async ({ from, text, name }) => {
      const problem = await applyCode({ from, text, name }, { files: parts.review.files, code: parts.code });
      if (problem !== undefined) notice(problem);
    },
  };
  return async (intent) => {
    // The table pairs each kind with a handler of its own type; the compiler can't follow the pairing through the look-up.
    const handle = handlers[intent.kind] as (intent: Intent) => void | PromiseLike<unknown>;
    try {
      if (sessions.current.elsewhere && isWriting(intent, sessions.current.conversation))
        return notice(elsewhereText(sessions.current));
      await handle(intent);
    } catch (error) {
      log.bug(intent.kind, error);
      notice(vscode.l10n.t('This did not work. “Kimi Chat: Show Log” has the details.'));
    }
  };
}

function approvalAnswer(
  answer: Extract<Intent, { kind: 'answerApproval' }>['answer'],
  reason: string | undefined,
): ApprovalAnswer {
  switch (answer) {
    case 'allow':
    case 'mask':
      return { kind: answer };
    case 'remember':
      return { kind: 'allow', remember: true };
    case 'deny':
      return { kind: 'deny', ...(reason !== undefined && { reason }) };
  }
}

/** What would change the conversation that is shown. */
const writing: ReadonlySet<Intent['kind']> = new Set([
  'send',
  'sendQueued',
  'stop',
  'retryNow',
  'resume',
  'makeRoom',
  'leaveOutFile',
  'leaveOut',
  'takeBackCut',
  'takeBackCuts',
  'summarize',
  'deleteTurn',
  'restoreTurn',
  'setWebSearch',
  'answerApproval',
  'askAboutProblems',
]);

function isWriting(intent: Intent, { turns }: Conversation): boolean {
  if (writing.has(intent.kind)) return true;
  // A patch of its turns, unlike code that was applied from here.
  return (
    'proposal' in intent &&
    turns.some(({ parts }) =>
      parts.some((part) => part.kind === 'tool' && part.proposal?.id === intent.proposal),
    )
  );
}

function elsewhereText({ deletedElsewhere }: ChatSession): string {
  if (deletedElsewhere)
    return vscode.l10n.t(
      'This conversation was deleted in another window. Choose “Continue in a copy” to go on with it here.',
    );
  return vscode.l10n.t(
    'This conversation is open in another window. Do this there, or choose “Continue in a copy” here.',
  );
}

function notSaved(): string {
  return vscode.l10n.t(
    'Used until the window closes: it could not be saved, because settings.json has mistakes or unsaved changes.',
  );
}

function findAttachment(
  { sessions, draft, queue, along }: IntentParts,
  id: string,
  turnId: string | undefined,
): OpenedChip | undefined {
  const session = sessions.current;
  const turn = session.conversation.turns.find((one) => one.id === turnId);
  const index = turn?.question.attachments.findIndex((one) => one.id === id) ?? -1;
  const asked = turn?.question.attachments[index];
  if (turn !== undefined && asked !== undefined) {
    const part = session.asked(turn.id)?.message.content[index];
    return { attachment: asked, content: part && attachedContent(part), wasSent: true };
  }
  const waiting =
    along.find(id) ?? [...draft.attachments, ...queue.attachments(session)].find((one) => one.id === id);
  if (waiting === undefined) return undefined;
  const { text, image } = waiting;
  return { attachment: waiting, content: image === undefined ? { text } : { image }, wasSent: false };
}

/**
 * Opens only what a person would type into a browser; VS Code asks before it leaves for an unknown host. Whether they then went is
 * their business. False when it is no such address.
 */
async function openLink(href: string): Promise<boolean> {
  if (!URL.canParse(href)) return false;
  const { protocol, hostname } = new URL(href);
  if (!['https:', 'http:', 'mailto:'].includes(protocol)) return false;
  // Only this way leads from the person's machine to a server on the one where the extension runs.
  if (protocol === 'mailto:' || isLoopback(hostname)) await vscode.env.openExternal(vscode.Uri.parse(href));
  // As text: a `Uri` takes apart what is escaped in it, and `%2F` would arrive as `/`.
  else await vscode.commands.executeCommand('vscode.open', href);
  return true;
}

/** Puts the text at every cursor of the editor in front. Returns what hindered it. */
async function insertAtCursor(text: string): Promise<string | undefined> {
  const editor = editorInFront();
  if (editor === undefined) return vscode.l10n.t('Open a file and put the cursor where the code is to go.');
  const { document } = editor;
  const before = document.version;
  try {
    await editor.edit((edit) => {
      for (const selection of editor.selections) edit.replace(selection, text);
    });
  } catch {
    // The editor was closed in the same moment.
  }
  // What `edit` says is no help: it is true for a read-only document too.
  return document.version === before
    ? vscode.l10n.t('The file could not be changed. Is it read-only?')
    : undefined;
}
