/**
 * Intents from the panel to the host. The panel is not trusted: each message is checked against these schemas before anything
 * runs, and the types are inferred from them.
 */
import * as v from 'valibot';

import { longestQuery } from './completion.ts';

/** Longest text a message may carry, in UTF-16 units: more than the context window can hold. */
export const maxTextLength = 8 * 1024 * 1024;

/** Pictures that the model takes, by their media types. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export type ImageType = (typeof imageTypes)[number];

/** Longest picture, in characters of base64. */
export const maxImageLength = 8 * 1024 * 1024;

/** So many files and folders are attached in one drop. */
export const mostPlaces = 200;

const text = v.pipe(v.string(), v.maxLength(maxTextLength));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** What the person was willing to pay for it when they were asked. US dollars. */
const agreed = v.optional(v.pipe(v.number(), v.minValue(0)));
const ids = v.pipe(v.array(id), v.maxLength(1000));
const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));
/** The panel's number for a list of completions; a later one is higher. */
const list = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const name = v.pipe(v.string(), v.maxLength(1_000));

export const toHostSchema = v.variant('kind', [
  /** The panel is there, or noticed a gap: answered by `snapshot`. */
  v.object({ kind: v.literal('ready') }),
  /**
   * `id` is the panel's own name for the question: sent again with the same one, it is asked only once. While something is being answered
   * it is queued or, with `interrupt`, the answer is stopped for it. `conversation` is the one that the panel shows.
   */
  v.object({
    kind: v.literal('send'),
    id,
    text,
    agreed,
    conversation: v.optional(id),
    interrupt: v.optional(v.literal(true)),
  }),
  v.object({ kind: v.literal('stop') }),
  v.object({ kind: v.literal('newChat') }),
  /** Goes on in a copy of a conversation that another window writes. */
  v.object({ kind: v.literal('continueInCopy') }),
  /** Shows one of the conversations of this workspace. */
  v.object({ kind: v.literal('showConversation'), conversation: id }),
  /** Opens the list of all conversations. */
  v.object({ kind: v.literal('showConversations') }),
  /** Go on with a turn that failed, was stopped or is incomplete. */
  v.object({ kind: v.literal('resume'), turn: id, agreed }),
  /** Sends at once what waits to be sent again. */
  v.object({ kind: v.literal('retryNow') }),
  /** Opens the body of one request of a turn, as it was sent, and what came of it; `request` counts from 0. */
  v.object({ kind: v.literal('showSent'), turn: id, request: index }),
  /** As `showSent`, of the request with which the conversation was named after a turn. */
  v.object({ kind: v.literal('showNaming'), turn: id }),
  v.object({ kind: v.literal('showUsage') }),
  /** Leaves something of the turns so far out of what the model is sent; on the screen it stays. */
  v.object({
    kind: v.literal('makeRoom'),
    what: v.picklist(['attachments', 'reasoning', 'toolOutputs', 'rules', 'oldestTurns']),
  }),
  /** Leaves one attachment of a turn out of what the model is sent, by its index in the question. */
  v.object({ kind: v.literal('leaveOutFile'), turn: id, file: index }),
  /** Leaves a whole turn out that was too long for the model. */
  v.object({ kind: v.literal('leaveOut'), turn: id }),
  /** Has the model see again what was left out of a turn. */
  v.object({ kind: v.literal('takeBackCut'), turn: id }),
  /** Has the model see again all that was left out of any turn. */
  v.object({ kind: v.literal('takeBackCuts') }),
  /** Asks for a summary of the conversation, and starts a new one with it. */
  v.object({ kind: v.literal('summarize'), agreed }),
  /**
   * Asks the question of a turn with another text, in a branch of its own: the turn stays as it is. `attachments` are the chips that stay.
   * `id` is the panel's own name for it: said twice, it is done once.
   */
  v.object({ kind: v.literal('edit'), id, turn: id, text, attachments: ids, agreed }),
  /** Asks the same question once more, in a branch of its own. `id` as above. */
  v.object({ kind: v.literal('answerAgain'), id, turn: id, model: id, effort: id, agreed }),
  /** Tells what one of the two would cost: `weighed`. Without a text it is the question as it was asked. */
  v.object({
    kind: v.literal('weigh'),
    turn: id,
    model: id,
    effort: id,
    edit: v.optional(v.object({ text, attachments: ids })),
  }),
  /** Makes a conversation of its own with everything up to the end of this turn. `id` as above. */
  v.object({ kind: v.literal('fork'), id, turn: id }),
  /** Shows the conversation in which a version of a turn can be seen. */
  v.object({ kind: v.literal('showVersion'), conversation: id, turn: id }),
  /** Opens the answers of two versions side by side, the shown one on the right. */
  v.object({ kind: v.literal('compareVersions'), turn: id, with: id }),
  v.object({ kind: v.literal('deleteTurn'), turn: id }),
  v.object({ kind: v.literal('restoreTurn'), turn: id }),
  /** Copies the whole conversation as Markdown. */
  v.object({ kind: v.literal('copyConversation') }),
  v.object({ kind: v.literal('draftChanged'), text }),
  /** Text that becomes a chip; with the language that the clipboard gives it. */
  v.object({ kind: v.literal('paste'), text, languageId: v.optional(id) }),
  /** Makes plain text of a pasted chip again: `insertText`. */
  v.object({ kind: v.literal('attachmentAsText'), attachment: id }),
  /** Takes a queued question into the composer. `draft` is what stands there; with it the question changes places, unless that is nothing. */
  v.object({ kind: v.literal('editQueued'), question: id, draft: text }),
  v.object({ kind: v.literal('removeQueued'), question: id }),
  v.object({ kind: v.literal('restoreQueued'), question: id }),
  /** Asks a queued question now. What is being answered is stopped for it; a patch that waits is left for later. */
  v.object({ kind: v.literal('sendQueued'), question: id, agreed }),
  /** Tells what the next question would cost with these, and with the present ones: `choiceWeighed`. */
  v.object({ kind: v.literal('weighChoice'), model: id, effort: id }),
  v.object({ kind: v.literal('setModel'), model: id }),
  v.object({ kind: v.literal('setEffort'), effort: id }),
  v.object({ kind: v.literal('setPatchMode'), mode: v.picklist(['ask', 'acceptAutomatically']) }),
  /** Whether the service may search the web in the conversation that is shown. */
  v.object({ kind: v.literal('setWebSearch'), on: v.boolean() }),
  v.object({ kind: v.literal('setKey') }),
  /** `setting` is looked for by its full name or its beginning, `http.`; all of ours when absent. */
  v.object({ kind: v.literal('openSettings'), setting: v.optional(id) }),
  v.object({ kind: v.literal('openLog') }),
  v.object({ kind: v.literal('attachActive') }),
  v.object({ kind: v.literal('removeAttachment'), attachment: id }),
  /** Takes instructions in again that were left out of the conversation. */
  v.object({ kind: v.literal('putBackInstructions'), attachment: id }),
  /** Puts the message that was written for a commit into the input box of the source control. */
  v.object({ kind: v.literal('useCommitMessage'), turn: id }),
  /** Asks what can be named with what is typed behind the trigger: `completions`. Calls off the list before. */
  v.object({
    kind: v.literal('complete'),
    list,
    trigger: v.picklist(['@', '/']),
    query: v.pipe(v.string(), v.maxLength(longestQuery)),
  }),
  /** Attaches what an item of a list names; the text that stands for it is in the composer already. */
  v.object({ kind: v.literal('takeCompletion'), list, item: id }),
  /** The list is closed: what is still looked for is called off. */
  v.object({ kind: v.literal('endCompletion') }),
  /** A picture that was pasted or dropped, of a size that can be sent. `data` is base64. */
  v.object({
    kind: v.literal('attachImage'),
    name,
    mime: v.picklist(imageTypes),
    data: v.pipe(v.string(), v.minLength(1), v.maxLength(maxImageLength)),
  }),
  /** Files and folders that were dropped, by their addresses, as the editor or the system names them. */
  v.object({
    kind: v.literal('attachPlaces'),
    uris: v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(8192))),
      v.minLength(1),
      v.maxLength(mostPlaces),
    ),
  }),
  /** A text file that was dropped from the system, of which only the name and the content are known. */
  v.object({ kind: v.literal('attachText'), name, text }),
  /** Opens what a chip names; `turn` when it stands in a question that was asked. */
  v.object({ kind: v.literal('openAttachment'), attachment: id, turn: v.optional(id) }),
  /** Opens the diff of one file of a proposal, or of the first undecided one. */
  v.object({ kind: v.literal('review'), proposal: id, file: v.optional(index) }),
  /** Accepts one file, or all that are undecided. */
  v.object({ kind: v.literal('accept'), proposal: id, file: v.optional(index) }),
  v.object({
    kind: v.literal('reject'),
    proposal: id,
    file: v.optional(index),
    reason: v.optional(text),
  }),
  /** Takes back what was accepted: of one file, or of all. */
  v.object({ kind: v.literal('takeBack'), proposal: id, file: v.optional(index) }),
  /** Shows a problem that an accepted patch brought, in its file. */
  v.object({ kind: v.literal('showProblem'), proposal: id, problem: index }),
  /** Takes back the change of a patch in which the problem stands, and no other. */
  v.object({ kind: v.literal('takeBackChange'), proposal: id, problem: index }),
  /** Asks the model to mend what an accepted patch brought. */
  v.object({ kind: v.literal('askAboutProblems'), proposal: id }),
  /** Opens the changed files that no editor shows, so that languages look at them, and looks again. */
  v.object({ kind: v.literal('checkProblems'), proposal: id }),
  /** Shows lines of a proposal that differ in blanks only, which the diff editor is set to hide. */
  v.object({ kind: v.literal('showHidden'), proposal: id }),
  /** Opens all undecided files of a proposal in one editor. */
  v.object({ kind: v.literal('viewAll'), proposal: id }),
  /** Answers what a tool asked; `remember` so that the same is not asked again in this workspace. */
  v.object({
    kind: v.literal('answerApproval'),
    approval: id,
    answer: v.picklist(['allow', 'remember', 'mask', 'deny']),
    reason: v.optional(text),
  }),
  /** Decides about what looked secret in a question: `check` as it was told. The question is then sent anew. */
  v.object({ kind: v.literal('decideSecrets'), check: id, choice: v.picklist(['mask', 'send']) }),
  v.object({ kind: v.literal('openLink'), href: v.pipe(v.string(), v.maxLength(8192)) }),
  v.object({ kind: v.literal('copy'), text }),
  v.object({ kind: v.literal('insertAtCursor'), text }),
  /**
   * Asks where a block of code belongs and proposes it there. `from` is the panel's name for the block, told back with the proposal;
   * `name` of a file, when the answer gives one.
   */
  v.object({
    kind: v.literal('applyCode'),
    from: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
    text,
    name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))),
  }),
]);

export type ToHost = v.InferOutput<typeof toHostSchema>;

/** What a person asks for; `ready` is between panel and host. */
export type Intent = Exclude<ToHost, { kind: 'ready' }>;

/** What is asked of the model, and costs: above the amount that the person set it is done when they agree. */
export type DearIntent =
  | Pick<Extract<ToHost, { kind: 'send' }>, 'kind' | 'id' | 'text' | 'interrupt'>
  | Pick<Extract<ToHost, { kind: 'resume' }>, 'kind' | 'turn'>
  | Pick<Extract<ToHost, { kind: 'summarize' }>, 'kind'>
  | Omit<Extract<ToHost, { kind: 'edit' }>, 'agreed'>
  | Omit<Extract<ToHost, { kind: 'answerAgain' }>, 'agreed'>
  | Pick<Extract<ToHost, { kind: 'sendQueued' }>, 'kind' | 'question'>;

/** The message as an intent, or undefined when it is none of ours. */
export function readIntent(message: unknown): ToHost | undefined {
  const result = v.safeParse(toHostSchema, message);
  return result.success ? result.output : undefined;
}
