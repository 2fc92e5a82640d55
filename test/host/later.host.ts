/** What a model hears of its patch after the call was answered: a conversation over the real client, the real tool and real files. */
import assert from 'node:assert/strict';

import type { ProposedFile, ToolPart } from '../../src/core/conversation/conversation.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { ChatSession } from '../../src/host/sessions/session.ts';
import type { Log } from '../../src/host/log.ts';
import {
  answer,
  applyPatch,
  gate,
  startSimulator,
  text,
  type Script,
  type Simulator,
} from '../simulator/main.ts';
import type { PatchMode } from '../../src/protocol/toWebview.ts';
import { choice, clientAt, newLog, noKeys, sessionPorts } from './chatStage.ts';
import { Stage } from './editsStage.ts';

describe('what becomes of a patch after its call was answered', () => {
  let simulator: Simulator;
  let log: Log;
  let stage: Stage;
  let session: ChatSession;

  beforeEach(async () => {
    log = newLog();
    stage = await Stage.open();
  });
  afterEach(async () => {
    session.dispose();
    await stage.close();
    log.dispose();
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    await simulator.close();
  });

  const open = async (...script: Script): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
    const { files, review, board } = stage.review;
    session = new ChatSession(
      sessionPorts(clientAt(simulator.url, noKeys, log), log, [applyPatchTool(files, review)]),
    );
    stage.own(
      board.onDidChangeLater(({ proposal, report }) => assert.ok(session.tellLater(proposal, report))),
    );
  };

  const update = (name: string, from: string, to: string) =>
    applyPatch(
      `*** Begin Patch\n*** Update File: ${stage.path(name).display}\n@@\n-${from}\n+${to}\n*** End Patch\n`,
    );

  const patch = (): ToolPart | undefined =>
    session.conversation.turns
      .flatMap(({ parts }) => parts)
      .find((part): part is ToolPart => part.kind === 'tool');

  const file = (): ProposedFile | undefined => patch()?.proposal?.files[0];

  /** Resolves with the id of the proposal as soon as its file passes. */
  const until = async (passes: (file: ProposedFile) => boolean): Promise<string> => {
    for (;;) {
      const one = file();
      const id = patch()?.proposal?.id;
      if (one !== undefined && id !== undefined && passes(one)) return id;
      await new Promise<void>((resolve) => {
        const listener = session.onDidHappen(() => {
          listener.dispose();
          resolve();
        });
      });
    }
  };

  /** The inputs of a request behind its first `from` ones, in short. */
  const inputs = async (request: number, from: number): Promise<readonly string[]> => {
    const { body } = await simulator.request(request);
    const items = body['input'] as readonly {
      type: string;
      role?: string;
      content?: readonly { text: string }[];
    }[];
    return items
      .slice(from)
      .map(({ type, role, content }) =>
        role === undefined ? type : `${role}: ${content?.map((each) => each.text).join('|') ?? ''}`,
      );
  };

  /** Each request begins with the bytes of the one before: the server's cache matches beginnings. */
  const assertPrefixes = (): void => {
    const bodies = simulator.requests.map(({ bodyText }) => bodyText);
    for (const [index, later] of bodies.entries()) {
      const earlier = bodies[index - 1]?.slice(0, -2) ?? '';
      assert.ok(later.startsWith(earlier), `request ${index} does not begin like the one before`);
    }
  };

  it('tells with the next question that it was taken back, once, and goes on showing it', async () => {
    await stage.write('cart.ts', 'one\n');
    await open(
      answer(update('cart.ts', 'one', 'ONE')),
      answer(text('Done.')),
      answer(text('Fine.')),
      answer(text('Yes.')),
    );
    session.ask('Shout', [], choice);
    const id = await until(({ state }) => state === 'pending');
    await stage.review.board.accept(id);
    await session.whenIdle();
    assert.equal(file()?.canTakeBack, true);
    await stage.review.board.takeBack(id);
    assert.equal(file()?.state, 'takenBack');
    assert.equal(await stage.disk('cart.ts'), 'one\n');
    session.ask('And now?', [], choice);
    await session.whenIdle();
    session.ask('Really?', [], choice);
    await session.whenIdle();
    const [note, question, ...rest] = await inputs(2, 4);
    assert.match(note ?? '', /^developer: The person took back changes[^]*cart\.ts": taken back/);
    assert.deepEqual([question, ...rest], ['user: And now?']);
    assert.deepEqual((await inputs(3, 6)).slice(1), ['user: Really?']);
    assertPrefixes();
  });

  const count = (): number => session.conversation.turns.length;

  it('lets the next question be asked while a patch waits, and tells the decision with the one after', async () => {
    await stage.write('cart.ts', 'one\n');
    await open(answer(update('cart.ts', 'one', 'ONE')), answer(text('It shouts.')), answer(text('Good.')));
    session.ask('Shout', [], choice);
    const id = await until(({ state }) => state === 'pending');
    assert.equal(session.running, true);
    assert.equal(session.ask('What does it do?', [], choice), true);
    assert.equal(session.ask('Twice?', [], choice), false, 'that one question is being asked');
    await session.whenIdle();
    assert.equal(count(), 2);
    assert.deepEqual(
      session.conversation.turns.map(({ end }) => end?.kind),
      ['completed', 'completed'],
    );
    assert.deepEqual([patch()?.outcome?.kind, file()?.state], ['undecided', 'pending']);
    assert.match(patch()?.outcome?.text ?? '', /^Nothing was changed so far: the patch is not decided yet\./);
    assert.deepEqual((await inputs(1, 1)).slice(1), ['custom_tool_call_output', 'user: What does it do?']);

    await stage.review.board.accept(id);
    await until(({ state }) => state === 'accepted');
    assert.equal(await stage.disk('cart.ts'), 'ONE\n');
    session.ask('And now?', [], choice);
    await session.whenIdle();
    const [note, question] = (await inputs(2, 0)).slice(-2);
    assert.match(
      note ?? '',
      /^developer: The person has now decided on the patch that was not decided yet\.\nApplied: 1 file changed\.\nM /,
    );
    assert.equal(question, 'user: And now?');
    assertPrefixes();
    assert.equal(stage.review.board.waiting.length, 0);
    await stage.review.board.takeBack(id);
    assert.equal(file()?.state, 'takenBack');
  });

  it('keeps a patch that was left through the stop of a later question, and tells that it was rejected', async () => {
    await stage.write('cart.ts', 'one\n');
    await open(
      answer(update('cart.ts', 'one', 'ONE')),
      answer(text('Half ', gate('half'), 'of it.')),
      answer(text('Fine.')),
    );
    session.ask('Shout', [], choice);
    const id = await until(({ state }) => state === 'pending');
    session.ask('Why?', [], choice);
    await simulator.reached('half');
    assert.equal(session.ask('And?', [], choice), false, 'an answer is coming');
    session.stop();
    await session.whenIdle();
    assert.equal(file()?.state, 'pending');
    await stage.review.board.reject(id, undefined, 'too loud');
    assert.equal(file()?.state, 'rejected');
    session.ask('Well?', [], choice);
    await session.whenIdle();
    const [note] = (await inputs(2, 0)).slice(-2);
    assert.match(
      note ?? '',
      /was not decided yet\.\nNothing was changed: the person rejected the patch\.\n[^]*too loud/,
    );
    assert.equal(await stage.disk('cart.ts'), 'one\n');
  });

  it('goes on as ever when the person decides before they write', async () => {
    await stage.write('cart.ts', 'one\n');
    await open(answer(update('cart.ts', 'one', 'ONE')), answer(text('Done.')));
    session.ask('Shout', [], choice);
    const id = await until(({ state }) => state === 'pending');
    const asked: boolean[] = [];
    const listener = session.onDidHappen(() => {
      if (file()?.state === 'applying') asked.push(session.ask('Now?', [], choice));
    });
    await stage.review.board.accept(id);
    await session.whenIdle();
    listener.dispose();
    assert.deepEqual([...new Set(asked)], [false], 'the patch is being applied');
    assert.equal(count(), 1);
    assert.equal(patch()?.outcome?.kind, 'done');
  });

  it('keeps the beginning of every request when the person has patches written at once from now on', async () => {
    await stage.close();
    const settings: { patchMode: PatchMode; saveAfterAccept: boolean } = {
      patchMode: 'ask',
      saveAfterAccept: true,
    };
    stage = await Stage.open({ settings });
    await stage.write('cart.ts', 'one\ntwo\n');
    await open(
      answer(update('cart.ts', 'one', 'ONE')),
      answer(text('Done.')),
      answer(update('cart.ts', 'two', 'TWO')),
      answer(text('Done again.')),
    );
    session.ask('Shout', [], choice);
    await stage.review.board.accept(await until(({ state }) => state === 'pending'));
    await session.whenIdle();
    settings.patchMode = 'acceptAutomatically';
    session.ask('Louder', [], choice);
    await session.whenIdle();
    assert.equal(await stage.disk('cart.ts'), 'ONE\nTWO\n');
    assert.equal(simulator.requests.length, 4);
    assertPrefixes();
  });
});
