/** What belongs to the composer outlives the window, and what is sent while an answer comes is asked afterwards: each once, in order. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { QueueFacts } from '../../src/protocol/toWebview.ts';
import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import { Draft } from '../../src/host/composer/draft.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import { answer, gate, refuse, text } from '../simulator/main.ts';
import { ChatStage, newLog } from './chatStage.ts';

const chip: Attachment = {
  id: 'chip',
  kind: 'selection',
  path: 'src/cart.ts',
  uri: 'file:///shop/src/cart.ts',
  range: { from: 12, to: 31 },
  languageId: 'typescript',
  text: 'let sum = 0;',
  tokens: 33,
};

describe('the draft', () => {
  let folder: string;
  const log = newLog();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'composer-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  after(() => log.dispose());

  const store = (of = folder): ComposerStore => new ComposerStore(new OwnStorage(of, log));
  async function opened(kept: ComposerStore): Promise<Draft> {
    const draft = new Draft(kept);
    await draft.whenRead;
    return draft;
  }

  it('survives the window with its chips, whatever their length, and is gone once it was asked', async () => {
    const kept = store();
    const draft = await opened(kept);
    const long = { ...chip, id: 'long', range: { from: 40, to: 90 }, text: 'x'.repeat(1_000_000) };
    draft.text = 'half a question';
    draft.attach([chip, long]);
    // As at the end of the window, which waits for nobody.
    kept.dispose();
    const again = store();
    const next = await opened(again);
    assert.equal(next.text, 'half a question');
    assert.deepEqual(next.attachments, [chip, long]);
    next.asked({ id: 'q1', text: 'half a question', attachments: next.attachments });
    assert.equal(next.lastAsked, 'q1');
    await again.flush();
    const last = await opened(store());
    assert.deepEqual([last.text, last.attachments, last.lastAsked], ['', [], undefined]);
    assert.deepEqual(last.askedBefore, ['half a question']);
  });

  it('is written without what may not be, while it is written and at the end of the window', async () => {
    const clean = (text: string): string => text.replaceAll('sk-"mine"', '••••••••');
    const cleaned = new ComposerStore(new OwnStorage(folder, log, { clean }));
    const draft = await opened(cleaned);
    draft.text = 'My key is sk-"mine".';
    await cleaned.flush();
    assert.equal((await opened(store())).text, 'My key is ••••••••.');
    assert.equal(draft.text, 'My key is sk-"mine".', 'what is being written stays as it is');
    draft.attach([{ ...chip, text: 'KEY=sk-"mine"' }]);
    cleaned.dispose();
    const kept = await opened(store());
    assert.deepEqual([kept.text, kept.attachments[0]?.text], ['My key is ••••••••.', 'KEY=••••••••']);
  });

  it('loses nothing of what is written before the old one was read', async () => {
    const kept = store();
    const draft = await opened(kept);
    draft.text = 'old';
    draft.attach([chip]);
    kept.dispose();
    const next = new Draft(store());
    next.text = 'new';
    next.attach([{ ...chip, id: 'other', range: { from: 1, to: 2 } }]);
    await next.whenRead;
    assert.equal(next.text, 'new');
    assert.deepEqual(
      next.attachments.map(({ id }) => id),
      ['chip', 'other'],
    );
  });

  it('is kept whole when something is attached before it was read', async () => {
    await writeFile(join(folder, 'draft.json'), JSON.stringify({ text: 'old' }));
    const kept = store();
    const draft = new Draft(kept);
    draft.attach([chip]);
    await draft.whenRead;
    assert.equal(draft.text, 'old');
    kept.dispose();
    const next = await opened(store());
    assert.deepEqual([next.text, next.attachments], ['old', [chip]]);
  });

  it('is empty when what was kept is damaged', async () => {
    for (const damage of ['{"text":', '{"text":1}', '[]']) {
      await writeFile(join(folder, 'draft.json'), damage);
      assert.equal((await opened(store())).text, '');
    }
    const attachments = [{ ...chip, kind: 'of a later version' }, chip, { id: 'x' }];
    await writeFile(join(folder, 'draft.json'), JSON.stringify({ text: 'a' }));
    await writeFile(join(folder, 'attachments.json'), JSON.stringify(attachments));
    const draft = await opened(store());
    assert.deepEqual([draft.text, draft.attachments], ['a', [chip]], 'what is sound stays');
    await writeFile(join(folder, 'queue.json'), JSON.stringify([1, { id: 'q', text: 'b', attachments }]));
    assert.deepEqual((await store().read()).queue, [{ id: 'q', text: 'b', attachments: [chip] }]);
  });

  it('is the newest at the end of the window, whatever is being written then', async () => {
    const kept = store();
    const draft = await opened(kept);
    draft.text = 'older';
    const writing = kept.flush();
    // The window ends before the first step of it is done; in the next turn it ends with news.
    kept.dispose();
    assert.equal((await opened(store())).text, 'older');
    draft.text = 'old';
    const again = kept.flush();
    draft.text = 'new';
    kept.dispose();
    await Promise.all([writing, again]);
    assert.equal((await opened(store())).text, 'new');
    assert.deepEqual(
      (await readdir(folder)).filter((name) => !name.endsWith('.json')),
      [],
    );
  });

  it('is kept at the end of the window when it could not be before', async () => {
    const place = join(folder, 'place');
    await writeFile(place, '');
    const kept = store(place);
    const draft = await opened(kept);
    draft.text = 'still here';
    await kept.flush();
    await rm(place);
    kept.dispose();
    assert.equal((await opened(store(place))).text, 'still here');
  });

  it('goes on when it can’t be kept', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const kept = store(file);
    const draft = await opened(kept);
    draft.text = 'still here';
    await kept.flush();
    kept.dispose();
    assert.equal(draft.text, 'still here');
    assert.equal(await readFile(file, 'utf8'), '');
  });
});

describe('the queue', () => {
  let stage: ChatStage;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'queue-'));
    stage = await ChatStage.open({ composerFolder: folder });
    await stage.connect();
    stage.panel.show();
    await stage.panel.until(({ mirror }) => mirror !== undefined);
  });
  afterEach(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const questions = (): readonly string[] =>
    stage.sessions.current.conversation.turns.map(({ question }) => question.text);
  const queued = (): QueueFacts => stage.panel.state.mirror?.queue ?? { questions: [] };
  const waiting = (): readonly string[] => queued().questions.map((one) => one.text);

  /** Asks a question whose answer waits at the gate, and has two more queued. */
  async function twoQueued(): Promise<void> {
    const { panel, simulator } = stage;
    simulator.reply(answer(text('One ', gate('a'), 'done.')));
    panel.ask('First?');
    await simulator.reached('a');
    stage.draft.attach([chip]);
    panel.ask('Second?');
    await stage.dealtWith();
    panel.ask('Third?');
    await stage.dealtWith();
    assert.deepEqual(waiting(), ['Second?', 'Third?']);
    assert.equal(panel.state.draft, '');
    assert.deepEqual(stage.draft.attachments, []);
  }
  const idle = async (): Promise<void> => {
    await stage.sessions.current.whenIdle();
  };
  const signal = (): { readonly given: Promise<void>; readonly give: () => void } => {
    const { promise: given, resolve: give } = Promise.withResolvers<void>();
    return { given, give };
  };

  it('asks what was sent while an answer came, in order and with its chips', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    assert.deepEqual(
      queued().questions[0]?.attachments.map(({ id }) => id),
      ['chip'],
    );
    simulator.reply(answer(text('Two.')), answer(text('Three.')));
    simulator.open('a');
    await panel.until(({ mirror }) => mirror?.conversation.turns[2]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Second?', 'Third?']);
    assert.deepEqual(waiting(), []);
    assert.match(simulator.requests[1]?.bodyText ?? '', /src\/cart\.ts, lines 12-31/);
  });

  it('pauses when the answer is stopped or fails, and goes on with the one that is sent', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    panel.tell({ kind: 'stop' });
    simulator.open('a');
    await idle();
    assert.equal(queued().paused?.kind, 'stopped');
    simulator.reply(refuse(400, { message: 'no' }));
    panel.tell({ kind: 'sendQueued', question: queued().questions[0]!.id });
    await stage.dealtWith();
    await idle();
    assert.deepEqual(waiting(), ['Third?']);
    assert.equal(queued().paused?.kind, 'failed');
    simulator.reply(answer(text('Three.')));
    panel.tell({ kind: 'sendQueued', question: queued().questions[0]!.id });
    await stage.dealtWith();
    await idle();
    assert.deepEqual(questions(), ['First?', 'Second?', 'Third?']);
    assert.deepEqual(queued(), { questions: [] });
  });

  it('stops the answer for the one that is to be sent now, and then goes on with the others', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    simulator.reply(answer(text('Three.')), answer(text('Two.')));
    panel.tell({ kind: 'sendQueued', question: queued().questions[1]!.id });
    await panel.until(({ mirror }) => mirror?.conversation.turns[2]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Third?', 'Second?']);
    assert.equal(stage.sessions.current.conversation.turns[0]?.end?.kind, 'stopped');
    simulator.open('a');
  });

  it('lets the one go first that is to be sent now, also when the answer ends in that moment', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    simulator.reply(answer(text('Three.')), answer(text('Two.')));
    panel.tell({ kind: 'sendQueued', question: queued().questions[1]!.id });
    simulator.open('a');
    await panel.until(({ mirror }) => mirror?.conversation.turns[2]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Third?', 'Second?']);
  });

  it('is gone past by a question that interrupts the answer, and goes on behind it', async () => {
    const { simulator, panel, sessions } = stage;
    await twoQueued();
    simulator.reply(answer(text('Now.')), answer(text('Two.')), answer(text('Three.')));
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true });
    await panel.until(({ mirror }) => mirror?.conversation.turns[3]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Urgent?', 'Second?', 'Third?']);
    assert.equal(sessions.current.conversation.turns[0]?.end?.kind, 'stopped');
    assert.deepEqual(waiting(), []);
    // With nothing to interrupt it is asked as always.
    simulator.reply(answer(text('Last.')));
    panel.tell({ kind: 'send', id: 'last', text: 'Last?', interrupt: true });
    await panel.until(({ mirror }) => mirror?.conversation.turns[4]?.end !== undefined);
    simulator.open('a');
  });

  it('is not overtaken by what is sent while it is found what goes along with the next one', async () => {
    const { simulator, panel, changes } = stage;
    const look = changes.look.bind(changes);
    const [begun, held] = [signal(), signal()];
    changes.look = async (session, asked) => {
      if (asked !== undefined && asked.length > 0) {
        begun.give();
        await held.given;
      }
      await look(session, asked);
    };
    await twoQueued();
    simulator.reply(...['Two.', 'Three.', 'Four.'].map((words) => answer(text(words))));
    simulator.open('a');
    await begun.given;
    panel.ask('Fourth?');
    await stage.dealtWith();
    assert.deepEqual(waiting(), ['Second?', 'Third?', 'Fourth?']);
    held.give();
    await panel.until(({ mirror }) => mirror?.conversation.turns[3]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Second?', 'Third?', 'Fourth?']);
  });

  it('has in front what was to interrupt an answer that ended in that moment', async () => {
    const { simulator, panel, changes } = stage;
    const look = changes.look.bind(changes);
    const [begun, urgent, held] = [signal(), signal(), signal()];
    let isNextLookedInto = false;
    changes.look = async (session, asked) => {
      if (asked !== undefined && asked.length > 0) {
        isNextLookedInto = true;
        begun.give();
        await urgent.given;
      } else if (isNextLookedInto) {
        urgent.give();
        await held.given;
      }
      await look(session, asked);
    };
    await twoQueued();
    simulator.reply(
      answer(text('Two ', gate('b'), 'done.')),
      ...['Urgent.', 'Three.'].map((words) => answer(text(words))),
    );
    simulator.open('a');
    await begun.given;
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true });
    await simulator.reached('b');
    held.give();
    await stage.dealtWith();
    assert.deepEqual(waiting(), ['Urgent?', 'Third?']);
    simulator.open('b');
    await panel.until(({ mirror }) => mirror?.conversation.turns[3]?.end !== undefined);
    assert.deepEqual(questions(), ['First?', 'Second?', 'Urgent?', 'Third?']);
  });

  it('stops no answer for a question that can’t be asked, or that the person is asked about first', async () => {
    const { simulator, panel, sessions, written } = stage;
    simulator.reply(answer(text('One ', gate('a'), 'done.')));
    panel.ask('First?');
    await simulator.reached('a');
    const url = stage.settings.baseUrl;
    await written.set('kimiChat.baseUrl', 'nowhere');
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true });
    await panel.until(({ notice }) => notice !== undefined);
    assert.equal(sessions.current.running, true);
    await written.set('kimiChat.baseUrl', url);
    await written.set('kimiChat.confirmAbove', 0.000001);
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true });
    await stage.dealtWith();
    assert.equal(sessions.current.running, true);
    await written.set('kimiChat.confirmAbove', 0);
    await written.set(
      'kimiChat.instructions',
      ['Use this: ghp_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'].join(''),
    );
    const { posts } = panel;
    const before = posts.length;
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true });
    await stage.dealtWith();
    assert.ok(posts.slice(before).some(({ kind }) => kind === 'secrets'));
    assert.equal(sessions.current.running, true, 'what goes along was looked into first');
    await written.set('kimiChat.instructions', '');
    await written.set('kimiChat.confirmAbove', 0.000001);
    simulator.reply(answer(text('Now.')));
    panel.tell({ kind: 'send', id: 'urgent', text: 'Urgent?', interrupt: true, agreed: 10 });
    await stage.dealtWith();
    await idle();
    assert.deepEqual(questions(), ['First?', 'Urgent?']);
    assert.equal(sessions.current.conversation.turns[0]?.end?.kind, 'stopped');
    simulator.open('a');
  });

  it('gives one back to the composer, and takes what stands there in its place', async () => {
    const { simulator, panel, draft } = stage;
    await twoQueued();
    const [second, third] = queued().questions;
    panel.tell({ kind: 'editQueued', question: second!.id, draft: '' });
    await stage.dealtWith();
    assert.deepEqual([panel.state.draft, draft.text], ['Second?', 'Second?']);
    assert.deepEqual(draft.attachments, [chip]);
    assert.deepEqual(waiting(), ['Third?']);
    panel.type('Second, changed?');
    panel.tell({ kind: 'editQueued', question: third!.id, draft: 'Second, changed?' });
    await stage.dealtWith();
    assert.equal(draft.text, 'Third?');
    assert.deepEqual(draft.attachments, []);
    assert.deepEqual(waiting(), ['Second, changed?']);
    assert.equal(queued().questions[0]?.attachments.length, 1);
    panel.tell({ kind: 'stop' });
    simulator.open('a');
    await idle();
  });

  it('gives one back to a composer that is thrown away in that moment', async () => {
    const { simulator, panel, draft } = stage;
    await twoQueued();
    panel.type('typed');
    const { id } = queued().questions[0]!;
    panel.hide();
    panel.tell({ kind: 'editQueued', question: id, draft: 'typed' });
    panel.tell({ kind: 'draftChanged', text: 'typed' });
    await stage.dealtWith();
    assert.deepEqual([draft.text, draft.attachments], ['Second?', [chip]]);
    panel.show();
    await panel.until(({ mirror }) => mirror !== undefined);
    await stage.dealtWith();
    assert.deepEqual([panel.state.draft, draft.text, draft.instead], ['Second?', 'Second?', undefined]);
    assert.deepEqual(waiting(), ['typed', 'Third?']);
    panel.type('typed');
    assert.equal(draft.text, 'typed', 'what is typed anew is no old news');
    panel.tell({ kind: 'stop' });
    simulator.open('a');
    await idle();
  });

  it('takes one out, and back in as long as nothing else happened', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    const [second, third] = queued().questions;
    panel.tell({ kind: 'removeQueued', question: second!.id });
    await stage.dealtWith();
    assert.deepEqual(
      queued().questions.map(({ removed }) => removed),
      [true, undefined],
    );
    panel.tell({ kind: 'restoreQueued', question: second!.id });
    panel.tell({ kind: 'removeQueued', question: second!.id });
    panel.tell({ kind: 'removeQueued', question: third!.id });
    panel.tell({ kind: 'restoreQueued', question: second!.id });
    await stage.dealtWith();
    assert.deepEqual(
      queued().questions.map(({ text: shown, removed }) => [shown, removed]),
      [['Third?', true]],
    );
    simulator.open('a');
    await idle();
    assert.deepEqual(questions(), ['First?'], 'what was taken out is not asked');
  });

  it('asks one that is had back after the end of the answer; after a stop it waits for the person', async () => {
    const { simulator, panel, sessions } = stage;
    await twoQueued();
    const [second, third] = queued().questions;
    panel.tell({ kind: 'removeQueued', question: third!.id });
    panel.tell({ kind: 'removeQueued', question: second!.id });
    simulator.open('a');
    await idle();
    assert.deepEqual(questions(), ['First?']);
    simulator.reply(answer(text('Two ', gate('b'), 'done.')));
    panel.tell({ kind: 'restoreQueued', question: second!.id });
    await simulator.reached('b');
    assert.deepEqual(questions(), ['First?', 'Second?']);
    panel.ask('Fourth?');
    await stage.dealtWith();
    const { id } = queued().questions[0]!;
    panel.tell({ kind: 'removeQueued', question: id });
    panel.tell({ kind: 'stop' });
    simulator.open('b');
    await idle();
    panel.tell({ kind: 'restoreQueued', question: id });
    await stage.dealtWith();
    assert.deepEqual([waiting(), queued().paused?.kind], [['Fourth?'], 'stopped']);
    assert.equal(sessions.current.running, false);
  });

  it('goes to the conversation that the panel shows, when another one comes up in that moment', async () => {
    const { simulator, panel, sessions } = stage;
    const first = sessions.current;
    simulator.reply(answer(text('One.')));
    panel.ask('First?');
    await stage.dealtWith();
    await idle();
    sessions.startNew();
    simulator.reply(answer(text('Two.')));
    const { id: conversation } = first.conversation;
    panel.tell({ kind: 'send', id: 'late', text: 'Second?', conversation });
    await stage.dealtWith();
    await first.whenIdle();
    assert.equal(first.conversation.turns[1]?.question.text, 'Second?');
    assert.deepEqual(questions(), []);
  });

  it('stops no answer for one that can’t be asked, or that the person is asked about', async () => {
    const { simulator, panel, sessions, written } = stage;
    await twoQueued();
    const { id } = queued().questions[0]!;
    await written.set('kimiChat.confirmAbove', 0.000001);
    panel.tell({ kind: 'sendQueued', question: id });
    await panel.until(({ confirm }) => confirm !== undefined);
    assert.equal(sessions.current.running, true);
    const url = stage.settings.baseUrl;
    await written.set('kimiChat.baseUrl', 'nowhere');
    panel.tell({ kind: 'sendQueued', question: id, agreed: 10 });
    await panel.until(({ mirror }) => mirror?.queue.paused?.kind === 'problem');
    assert.equal(sessions.current.running, true);
    await written.set('kimiChat.baseUrl', url);
    simulator.reply(answer(text('Two.')));
    panel.tell({ kind: 'sendQueued', question: id, agreed: 10 });
    await stage.dealtWith();
    await idle();
    assert.deepEqual(questions(), ['First?', 'Second?']);
    assert.equal(sessions.current.conversation.turns[0]?.end?.kind, 'stopped');
    simulator.open('a');
  });

  it('is held back by its price, and waits for the person', async () => {
    const { simulator, panel } = stage;
    await twoQueued();
    await stage.written.set('kimiChat.confirmAbove', 0.000001);
    simulator.open('a');
    await panel.until(({ mirror }) => mirror?.queue.paused?.kind === 'dear');
    const { id } = queued().questions[0]!;
    panel.tell({ kind: 'sendQueued', question: id });
    await panel.until(({ confirm }) => confirm !== undefined);
    assert.deepEqual(panel.state.confirm?.asked, { kind: 'sendQueued', question: id });
    simulator.reply(answer(text('Two.')));
    panel.tell({ kind: 'sendQueued', question: id, agreed: 10 });
    await stage.dealtWith();
    await panel.until(
      ({ mirror }) => mirror?.queue.paused?.kind === 'dear' && mirror.queue.questions.length === 1,
    );
    assert.deepEqual(questions(), ['First?', 'Second?']);
  });

  it('stays with its conversation, and survives the window: then it waits for the person', async () => {
    const { simulator, panel, sessions, composerStore } = stage;
    await twoQueued();
    const first = sessions.current;
    sessions.startNew();
    assert.deepEqual(waiting(), []);
    sessions.show(first);
    assert.deepEqual(waiting(), ['Second?', 'Third?']);
    await composerStore.flush();
    const next = await ChatStage.open({ composerFolder: folder });
    next.panel.show();
    await next.panel.until(({ mirror }) => mirror !== undefined);
    const { queue } = next.panel.state.mirror!;
    assert.deepEqual(
      queue.questions.map((one) => [one.text, one.attachments.length]),
      [
        ['Second?', 1],
        ['Third?', 0],
      ],
    );
    assert.equal(queue.paused?.kind, 'reloaded');
    await next.close();
    panel.tell({ kind: 'stop' });
    simulator.open('a');
    await idle();
  });
});

describe('a paste into the composer', () => {
  let stage: ChatStage;
  before(async () => {
    stage = await ChatStage.open();
    stage.panel.show();
    await stage.panel.until(({ mirror }) => mirror !== undefined);
  });
  after(() => stage.close());

  async function paste(pasted: string, languageId?: string): Promise<readonly Attachment[]> {
    for (const { id } of stage.draft.attachments) stage.draft.remove(id);
    stage.panel.tell({ kind: 'paste', text: pasted, ...(languageId !== undefined && { languageId }) });
    await stage.dealtWith();
    return stage.draft.attachments;
  }

  it('knows the lines that were copied in an editor, whatever the line breaks of the clipboard', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'a\nb\nc\nd\ne\n',
    });
    const { copied } = stage;
    copied.prepareDocumentPaste(document, [new vscode.Range(1, 0, 3, 0)]);
    for (const clipboard of ['b\nc\n', 'b\r\nc\r\n', 'b\nc']) {
      const [found, ...others] = await paste(clipboard);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [found?.kind, found?.range, found?.languageId, found?.uri],
        ['pasted', { from: 2, to: 3 }, 'typescript', document.uri.toString()],
      );
    }
    assert.equal((await paste('b\nC\n'))[0]?.range, undefined);
    // Of several cursors there is a chip each.
    copied.prepareDocumentPaste(document, [new vscode.Range(0, 0, 0, 1), new vscode.Range(3, 0, 5, 0)]);
    assert.deepEqual(
      (await paste('a\nd\ne\n')).map(({ text: piece, range }) => [piece, range]),
      [
        ['a', { from: 1, to: 1 }],
        ['d\ne\n', { from: 4, to: 5 }],
      ],
    );
  });

  it('from elsewhere can be looked at, and be had as text', async () => {
    const [found] = await paste('one\ntwo\nthree\n', 'python');
    assert.deepEqual(
      [found?.path, found?.languageId, found?.range],
      ['Pasted text (3 lines)', 'python', undefined],
    );
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(found!.uri, true));
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    stage.panel.tell({ kind: 'attachmentAsText', attachment: found!.id });
    await stage.dealtWith();
    assert.deepEqual(stage.draft.attachments, []);
    assert.deepEqual(
      stage.panel.posts.findLast(({ kind }) => kind === 'insertText'),
      {
        kind: 'insertText',
        text: 'one\ntwo\nthree\n',
        attachment: found!.id,
      },
    );
    assert.equal(stage.draft.text, 'one\ntwo\nthree\n');
    const [other] = await paste('four\nfive\nsix\n');
    stage.panel.hide();
    stage.panel.tell({ kind: 'attachmentAsText', attachment: other!.id });
    await stage.dealtWith();
    assert.deepEqual(stage.draft.attachments, [other], 'a panel that is gone has taken no text');
    stage.panel.show();
  });

  it('that is too long says so', async () => {
    assert.deepEqual(await paste('x\n'.repeat(500_001)), []);
    assert.match(stage.panel.notices.at(-1) ?? '', /1,000,000 characters/);
  });
});
