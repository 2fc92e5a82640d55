/** What a model hears of its patch after the call was answered: a conversation over the real client, the real tool and real files. */
import assert from 'node:assert/strict';

import type { ProposedFile, ToolPart } from '../../src/core/conversation/conversation.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { ChatSession } from '../../src/host/chat/session.ts';
import type { Log } from '../../src/host/log.ts';
import { answer, applyPatch, startSimulator, text, type Script, type Simulator } from '../simulator/main.ts';
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
    simulator = await startSimulator({ script });
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
});
