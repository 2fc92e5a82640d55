/** Conversations over the end of their window, whether that came in good order or not. What a kill leaves is what is in the files then. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { Tool } from '../../src/core/tools/tool.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import { HistoryList } from '../../src/host/history/historyList.ts';
import { Queue } from '../../src/host/chat/queue.ts';
import type { ChatSession } from '../../src/host/sessions/session.ts';
import type { ProposalsPort } from '../../src/host/sessions/settleProposals.ts';
import type { Log } from '../../src/host/log.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import {
  answer,
  applyPatch,
  gate,
  startSimulator,
  text,
  type Reply,
  type Simulator,
} from '../simulator/main.ts';
import { chip, choice, lastTurn, newLog, parts } from './chatStage.ts';
import { next, Stage } from './editsStage.ts';
import { KeptWindow } from './keptStage.ts';

interface Window extends Pick<KeptWindow, 'kept' | 'panel' | 'told' | 'close'> {
  readonly whenAll: Promise<void>;
}

describe('conversations over the end of their window', () => {
  let parent: string;
  let folder: string;
  let simulator: Simulator;
  let log: Log;
  const windows: Window[] = [];
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-kept-'));
    folder = join(parent, 'conversations');
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) window.close();
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const serve = async (...script: readonly Reply[]): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
  };

  function open(
    place = folder,
    tools: readonly Tool[] = [],
    proposals?: ProposalsPort,
    clock = Date.now,
  ): Window {
    const opened = new KeptWindow({ folder: place, url: simulator.url, log, tools, clock });
    const whenAll = opened.restore(proposals);
    const window = Object.assign(opened, { whenAll });
    windows.push(window);
    return window;
  }

  /** The next window over what a kill in this moment would have left. */
  async function killed(): Promise<Window> {
    const place = join(parent, randomUUID());
    await cp(folder, place, { recursive: true });
    // This process goes on; the one that was killed would not.
    for (const name of await readdir(join(place, 'journals'))) {
      if (name.endsWith('.lease')) await rm(join(place, 'journals', name));
    }
    const window = open(place);
    await window.panel.window.whenRestored;
    return window;
  }

  async function reopened(window: Window): Promise<Window> {
    window.close();
    const another = open();
    await another.panel.window.whenRestored;
    await another.whenAll;
    return another;
  }

  async function ask(session: ChatSession, question: string): Promise<void> {
    assert.ok(session.ask(question, [], choice));
    await session.whenIdle();
  }

  async function sentTexts(index: number): Promise<readonly string[]> {
    const { body } = await simulator.request(index);
    const items = body['input'] as readonly { role: string; content: readonly { text: string }[] }[];
    return items.flatMap(({ role, content }) => content.map((each) => `${role}: ${each.text}`));
  }

  it('are as they were, and go on with everything the model knew', async () => {
    await serve(answer(text('Four.')), answer(text('Eight.')));
    const first = open();
    first.panel.current.ask('Two and two?', [chip('a')], choice);
    await first.panel.current.whenIdle();
    const before = first.panel.current.conversation;
    const second = await reopened(first);
    const session = second.panel.current;
    assert.deepEqual(session.conversation, before);
    assert.deepEqual(session.requests.requests.length, 1);
    await ask(session, 'Twice that?');
    const [attached, ...others] = await sentTexts(1);
    assert.match(attached ?? '', /^user: a\.ts/);
    assert.deepEqual(others, ['user: Two and two?', 'assistant: Four.', 'user: Twice that?']);
    assert.equal(lastTurn(session).requests[0]?.beginning.kind, 'grown');
    const third = await reopened(second);
    assert.deepEqual(third.panel.current.conversation, session.conversation);
    assert.deepEqual(third.told, []);
  });

  it('have their versions, forks and deleted questions, each its own', async () => {
    await serve(answer(text('One.')), answer(text('Two.')), answer(text('Another.')), answer(text('Fork.')));
    const first = open();
    const { panel: sessions } = first;
    const root = sessions.current;
    await ask(root, 'First?');
    await ask(root, 'Second?');
    const version = sessions.branch(root.seed(lastTurn(root).id, 'version') ?? assert.fail());
    sessions.show(version);
    await ask(version, 'Second, otherwise?');
    const fork = sessions.branch(root.seed(lastTurn(root).id, 'fork') ?? assert.fail());
    await ask(fork, 'Third?');
    root.webSearch = true;
    root.chooseRule('file:///w/AGENTS.md', 'leave');
    root.chooseRule('file:///w/src/AGENTS.md', 'send');
    root.chooseRule('file:///w/src/AGENTS.md', undefined);
    const [firstTurn] = root.conversation.turns;
    assert.equal(root.remove(firstTurn?.id ?? ''), undefined);
    const { versions } = sessions;
    assert.equal(versions.length, 1);
    const paid = sessions.paidRequests(fork.conversation.id);
    assert.equal(paid.beforeFork.length, 2);
    const second = await reopened(first);
    assert.equal(second.panel.current.conversation.id, version.conversation.id);
    assert.deepEqual(second.panel.versions, versions);
    const again = second.panel.find(root.conversation.id) ?? assert.fail();
    assert.deepEqual([again.conversation, again.webSearch], [root.conversation, true]);
    assert.deepEqual([...again.ruleChoices], [['file:///w/AGENTS.md', 'leave']]);
    assert.deepEqual(again.seed(lastTurn(again).id, 'fork')?.ruleChoices, [
      { uri: 'file:///w/AGENTS.md', choice: 'leave' },
    ]);
    assert.ok(again?.restore(firstTurn?.id ?? ''));
    assert.deepEqual(again.conversation.turns[0], firstTurn);
    assert.equal(second.panel.find(fork.conversation.id), undefined, 'it was not shown');
    await second.kept.open(fork.conversation.id);
    assert.deepEqual(second.panel.paidRequests(fork.conversation.id), paid);
  });

  it('come back as far as a new one was begun, and none when that is still empty', async () => {
    await serve(answer(text('Four.')));
    const first = open();
    await ask(first.panel.current, 'Two and two?');
    first.panel.startNew();
    const second = await reopened(first);
    assert.deepEqual(second.panel.current.conversation.turns, []);
    assert.deepEqual(
      (await second.kept.store.list()).map(({ question }) => question),
      ['Two and two?'],
    );
  });

  it('have a question that was sent just before a kill, marked, and it can be asked again', async () => {
    await serve(answer(gate('never'), text('Late.')), answer(text('Four.')));
    const first = open();
    first.panel.current.ask('Two and two?', [chip('a')], choice);
    // It is on the way.
    await simulator.reached('never');
    const second = await killed();
    const session = second.panel.current;
    const turn = lastTurn(session);
    assert.equal(turn.question.text, 'Two and two?');
    assert.deepEqual([turn.parts, turn.end], [[], { kind: 'stopped', by: 'reload' }]);
    assert.equal(session.running, false);
    assert.ok(session.resume(turn.id, choice));
    await session.whenIdle();
    assert.deepEqual(parts(lastTurn(session)), ['answer: Four.']);
    assert.deepEqual(await sentTexts(1), await sentTexts(0));
    simulator.open('never');
  });

  it('have an answer as far as it came before a kill, marked, and it can be asked for again', async () => {
    await serve(answer(text('The sum ', gate('half'), 'is four.')), answer(text('Four.')));
    const first = open();
    const before = first.panel.current;
    const heard = next(before.onDidHappen, ({ kind }) => kind === 'textAdded');
    before.ask('Two and two?', [], choice);
    await Promise.all([simulator.reached('half'), heard]);
    await first.kept.whenKept(before);
    const second = await killed();
    const session = second.panel.current;
    const turn = lastTurn(session);
    assert.deepEqual(parts(turn), ['answer: The sum ']);
    assert.deepEqual([turn.end, turn.broken?.length], [{ kind: 'stopped', by: 'reload' }, 1]);
    assert.ok(session.resume(turn.id, choice));
    await session.whenIdle();
    assert.deepEqual(parts(lastTurn(session)), ['answer: Four.']);
    simulator.open('half');
    await before.whenIdle();
  });

  it('have what was queued, each its own, also where it is not shown', async () => {
    await serve(answer(text('The sum ', gate('slow'), 'is four.')), answer(text('Eight.')));
    const store = (): ComposerStore => new ComposerStore(new OwnStorage(join(parent, 'composer'), log));
    const first = open();
    const running = first.panel.current;
    running.ask('Two and two?', [], choice);
    await simulator.reached('slow');
    first.panel.startNew();
    const shown = first.panel.current;
    await ask(shown, 'Four and four?');
    const kept = store();
    const queue = new Queue(kept, first.panel);
    await queue.whenRead;
    queue.add(running, { id: 'q1', text: 'And three?', attachments: [chip('a')] });
    queue.add(shown, { id: 'q2', text: 'And five?', attachments: [] });
    queue.add(running, { id: 'q3', text: 'And six?', attachments: [] });
    queue.dispose();
    kept.dispose();

    const second = await reopened(first);
    const { current, window } = second.panel;
    const textsOf = (of: Queue, session: ChatSession): readonly string[] =>
      of.facts(session).questions.map((one) => `${one.text} ${one.attachments.length}`);
    // As long as the other conversation is being read, what waits in it is written along with the rest.
    const hung = store();
    const early = new Queue(hung, second.panel, () => new Promise(() => undefined));
    await early.whenRead;
    early.remove(current, 'q2');
    early.dispose();
    hung.dispose();
    const later = store();
    const again = new Queue(later, second.panel, (id) => second.kept.open(id));
    await again.whenRead;
    while (window.find(running.conversation.id) === undefined) await next(again.onDidChange);
    const other = window.find(running.conversation.id) ?? assert.fail();
    assert.deepEqual(textsOf(again, current), []);
    assert.deepEqual(textsOf(again, other), ['And three? 1', 'And six? 0']);
    assert.equal(again.facts(other).paused?.kind, 'reloaded');
    const list = new HistoryList({ sessions: window, kept: second.kept, queue: again, clock: Date.now });
    const states = (await list.own(current)).map(({ title, state }) => [title, state] as const);
    assert.deepEqual(
      new Map(states),
      new Map([
        ['Two and two?', 'waiting'],
        ['Four and four?', undefined],
      ]),
    );
    again.dispose();
    later.dispose();
    simulator.open('slow');
  });

  it('are not stopped by the person when the window closes in the middle of an answer', async () => {
    await serve(answer(text('The sum ', gate('half'), 'is four.')));
    const first = open();
    const { current } = first.panel;
    const heard = next(current.onDidHappen, ({ kind }) => kind === 'textAdded');
    current.ask('Two and two?', [], choice);
    await Promise.all([simulator.reached('half'), heard]);
    const second = await reopened(first);
    const turn = lastTurn(second.panel.current);
    assert.deepEqual([parts(turn), turn.end], [['answer: The sum '], { kind: 'stopped', by: 'reload' }]);
    simulator.open('half');
  });

  it('have ended what was going on when something of it was written last, however much later they come back', async () => {
    await serve(answer(text('The sum ', gate('half'), 'is four.')));
    const first = open();
    const { current } = first.panel;
    const heard = next(current.onDidHappen, ({ kind }) => kind === 'textAdded');
    current.ask('Two and two?', [], choice);
    await Promise.all([simulator.reached('half'), heard]);
    first.kept.closeNow();
    const written = lastTurn(current).startedAt + 3_000;
    const path = join(folder, 'journals', `${current.conversation.id}.jsonl`);
    await utimes(path, written / 1000, written / 1000);
    // A clock that goes an hour ahead stands for an hour.
    const later = open(folder, [], undefined, () => Date.now() + 3_600_000);
    await later.panel.window.whenRestored;
    assert.equal(lastTurn(later.panel.current).endedAt, written);
    first.close();
    simulator.open('half');
  });

  it('go on in memory where nothing can be written, and say so once', async () => {
    await serve(answer(text('Four.')), answer(text('Eight.')), answer(text('Nine.')));
    await writeFile(folder, 'in the way');
    const window = open();
    await window.panel.window.whenRestored;
    await ask(window.panel.current, 'Two and two?');
    await ask(window.panel.current, 'Twice that?');
    assert.equal(window.told.length, 1);
    assert.match(window.told[0] ?? '', /^Conversations can’t be saved now \((?:ENOTDIR|EEXIST)\)/);
    await rm(folder);
    await ask(window.panel.current, 'And one more?');
    const { conversation } = window.panel.current;
    const second = await reopened(window);
    assert.deepEqual(second.panel.current.conversation, conversation);
  });

  it('are written to by one window: another one keeps up with it, and goes on in a copy', async function () {
    this.timeout(20_000);
    await serve(
      answer(text('Four.')),
      answer(text('The sum ', gate('half'), 'is eight.')),
      answer(text('Copy.')),
      answer(text('Never said.')),
    );
    const first = open();
    const original = first.panel.current;
    await ask(original, 'Two and two?');
    const { id } = original.conversation;
    const second = open();
    await second.panel.window.whenRestored;
    assert.deepEqual(second.panel.current.conversation.turns, [], 'nothing is taken from the first');
    const followed = (await second.kept.open(id)) ?? assert.fail();
    second.panel.show(followed);
    assert.deepEqual(second.told, []);
    assert.equal(followed.elsewhere, true);
    assert.deepEqual(followed.conversation, original.conversation);
    assert.equal(await second.kept.open(id), followed);

    // While an answer streams.
    original.ask('Twice that?', [], choice);
    await simulator.reached('half');
    const half = (session: ChatSession): string => parts(lastTurn(session)).join('|');
    while (followed.conversation.turns.length < 2 || !half(followed).includes('The sum'))
      await next(followed.onDidHappen);
    assert.equal(lastTurn(followed).end, undefined);

    // Nothing can be done in it here.
    assert.equal(followed.ask('Here?', [], choice), false);
    assert.equal(followed.resume(lastTurn(followed).id, choice), false);
    const [question] = followed.conversation.turns;
    assert.equal(followed.remove(question?.id ?? ''), 'unknown');
    assert.equal(followed.cut(question?.id ?? '', { whole: true }), false);
    followed.webSearch = !followed.webSearch;
    const copy = second.kept.copyOfFollowed(followed) ?? assert.fail();
    assert.equal(second.kept.copyOfFollowed(copy), undefined);
    assert.deepEqual(lastTurn(copy).end, { kind: 'stopped', by: 'reload' });

    simulator.open('half');
    await original.whenIdle();
    while (lastTurn(followed).end === undefined) await next(followed.onDidHappen);
    assert.deepEqual(followed.conversation, original.conversation);
    assert.deepEqual(followed.requests, original.requests);
    await ask(copy, 'Here?');
    assert.equal(followed.conversation.turns.length, 2);
    assert.equal(original.conversation.turns.length, 2);
    assert.deepEqual(
      (await second.kept.store.list()).map((one) => [one.turns, one.parent?.kind]),
      [
        [3, 'fork'],
        [2, undefined],
      ],
    );
  });

  it('are taken over from a window that closes, in the middle of an answer too', async function () {
    this.timeout(20_000);
    await serve(answer(text('The sum ', gate('half'), 'is four.')), answer(text('It is four.')));
    const first = open();
    first.panel.current.ask('Two and two?', [], choice);
    await simulator.reached('half');
    const { id } = first.panel.current.conversation;
    const second = open();
    await second.panel.window.whenRestored;
    const followed = (await second.kept.open(id)) ?? assert.fail();
    second.panel.show(followed);
    const taken = next(followed.onDidReplace);
    first.close();
    await taken;
    assert.equal(followed.elsewhere, false);
    assert.deepEqual(lastTurn(followed).end, { kind: 'stopped', by: 'reload' });
    assert.deepEqual(second.told, []);
    assert.ok(followed.resume(lastTurn(followed).id, choice));
    await followed.whenIdle();
    const { conversation } = followed;
    assert.equal(lastTurn(followed).end?.kind, 'completed');

    const third = await reopened(second);
    assert.deepEqual(third.panel.current.conversation, conversation);
  });

  it('are followed where they were shown when another window took them over meanwhile, and come back from there', async function () {
    this.timeout(20_000);
    await serve(answer(text('Four.')));
    const restored = async (own: string): Promise<KeptWindow> => {
      // What it waits for a window that is just closing is over at once.
      let isLater = false;
      const clock = (): number => {
        const now = isLater ? Date.now() + 60_000 : Date.now();
        isLater = true;
        return now;
      };
      const window = new KeptWindow({ folder, url: simulator.url, own: join(parent, own), log, clock });
      windows.push(Object.assign(window, { whenAll: window.restore() }));
      await window.panel.window.whenRestored;
      return window;
    };
    const first = await restored('one');
    await ask(first.panel.current, 'Two and two?');
    const { id } = first.panel.current.conversation;
    const onlooker = await restored('two');
    assert.deepEqual(onlooker.panel.current.conversation.turns, [], 'it is the other one’s');
    const followed = (await onlooker.kept.open(id)) ?? assert.fail();
    onlooker.panel.show(followed);
    const taken = next(followed.onDidReplace);
    first.close();
    await taken;
    const again = await restored('one');
    const { current } = again.panel;
    assert.deepEqual([current.conversation.id, current.elsewhere], [id, true]);
    assert.deepEqual(current.conversation, followed.conversation);
    const back = next(current.onDidReplace);
    onlooker.close();
    await back;
    assert.deepEqual([current.elsewhere, again.panel.current], [false, current]);
  });

  it('of a later version are there, and go on in a copy', async () => {
    await serve(answer(text('Four.')), answer(text('Copy.')));
    const first = open();
    await ask(first.panel.current, 'Two and two?');
    const { conversation } = first.panel.current;
    first.close();
    const path = join(folder, 'journals', `${conversation.id}.jsonl`);
    await appendFile(path, '{"v":2,"kind":"unheard of"}\n');
    const written = await readFile(path, 'utf8');
    const second = open();
    await second.panel.window.whenRestored;
    const { current } = second.panel;
    assert.deepEqual(current.conversation.turns, conversation.turns);
    assert.match(second.told[0] ?? '', /newer version/);
    await ask(current, 'Here?');
    assert.equal(await readFile(path, 'utf8'), written);
    assert.equal((await second.kept.store.list()).length, 2);
  });

  describe('with a patch that waits', () => {
    const before = 'one\ntwo\nthree\n';
    let stage: Stage;
    let storage: string;
    beforeEach(async () => {
      storage = await mkdtemp(join(tmpdir(), 'kimi-chat-waiting-'));
      stage = await Stage.open({ storage });
    });
    afterEach(async () => {
      await stage.close();
      await rm(storage, { recursive: true, force: true, maxRetries: 5 });
    });

    const patch = (): string =>
      [
        '*** Begin Patch',
        `*** Update File: ${basename(stage.folder)}/cart.ts`,
        ...['@@', ' one', '-two', '+TWO', ' three'],
        '*** End Patch',
      ].join('\n');

    /** Listens as the extension does. */
    function openReviewed(): Window {
      const { board, files, review } = stage.review;
      const window = open(folder, [applyPatchTool(files, review)], board);
      stage.own(
        board.onDidChangeLater(({ proposal, report }) => {
          void window.whenAll.then(() => window.panel.window.tellLater(proposal, report));
        }),
      );
      return window;
    }

    async function proposed(): Promise<Window> {
      await stage.write('cart.ts', before);
      await serve(answer(applyPatch(patch())), answer(text('Thanks.')));
      const window = openReviewed();
      const up = next(window.panel.window.onDidReview);
      window.panel.current.ask('Change it.', [], choice);
      await up;
      await stage.review.whenKept();
      return window;
    }

    const fileOf = (session: ChatSession) => {
      const part = lastTurn(session).parts.find(({ kind }) => kind === 'tool');
      assert.ok(part?.kind === 'tool');
      return { outcome: part.outcome?.kind, id: part.proposal?.id ?? '', file: part.proposal?.files[0] };
    };

    it('have it in its place, and the model hears with the next question what became of it', async () => {
      const first = await proposed();
      // As the extension lets go.
      first.kept.closeNow();
      stage.review.board.keepWaiting();
      first.close();
      await stage.reload();
      const second = openReviewed();
      await second.whenAll;
      await stage.review.board.ready;
      const session = second.panel.current;
      const [waiting] = stage.review.board.waiting;
      assert.ok(waiting !== undefined);
      while (fileOf(session).id !== waiting.id) await next(second.panel.window.onDidReview);
      assert.deepEqual([fileOf(session).outcome, fileOf(session).file?.state], ['undecided', 'pending']);
      await stage.review.board.accept(waiting.id);
      while (fileOf(session).file?.state !== 'accepted') await next(second.panel.window.onDidReview);
      assert.equal(await stage.disk('cart.ts'), before.replace('two', 'TWO'));
      await ask(session, 'And?');
      const { body } = await simulator.request(1);
      const input = JSON.stringify(body['input']);
      assert.match(input, /the patch is not decided yet/);
      assert.match(input, /Applied: 1 file changed/);
    });

    it('show that it does not wait any more where it is gone', async () => {
      const first = await proposed();
      first.kept.closeNow();
      stage.review.board.keepWaiting();
      first.close();
      await stage.review.whenKept();
      await stage.reload(async () => {
        await stage.review.whenKept();
        await rm(join(storage, 'waiting'), { recursive: true });
      });
      const second = openReviewed();
      await second.whenAll;
      const session = second.panel.current;
      while (fileOf(session).file?.state !== 'cancelled') await next(second.panel.window.onDidReview);
      await ask(session, 'And?');
      const { body } = await simulator.request(1);
      assert.match(JSON.stringify(body['input']), /does not wait any more/);
    });
  });
});
