/**
 * What most files of end-to-end tests have in common: one simulator in strict mode that asks for no key, one workbench whose service it is, and an
 * empty conversation for each test. After each test nothing may have gone wrong that the test did not ask for.
 */
import assert from 'node:assert/strict';
import { startSimulator } from '../../simulator/main.ts';
import type { ReceivedRequest, Simulator, SimulatorOptions } from '../../simulator/main.ts';
import { Chat } from './chat.ts';
import { openWorkbench } from './workbench.ts';
import type { Workbench, WorkbenchOptions } from './workbench.ts';

export interface StageOptions extends WorkbenchOptions {
  readonly simulator?: SimulatorOptions;
}

/** Set up before the first test of the `describe` in which it is made; not to be touched earlier. */
export interface Stage {
  readonly bench: Workbench;
  readonly simulator: Simulator;
  readonly chat: Chat;
  /** A request by its number in the present test, counted from 0; waits for it. */
  request(index: number): Promise<ReceivedRequest>;
}

type Parts = Pick<Stage, 'bench' | 'simulator' | 'chat'>;

/** The stage of the file before in the same process: a workbench takes longer to start than many a file to run. */
let standing: { readonly wanted: string; readonly parts: Parts } | undefined;

async function takeDown(): Promise<void> {
  const parts = standing?.parts;
  standing = undefined;
  await parts?.bench.close();
  await parts?.simulator.close();
}

after('take the last stage down', takeDown);

/** One that is there and was set up alike is cleared; it keeps the conversations that were had. */
async function setUp(options: StageOptions): Promise<Parts> {
  const wanted = JSON.stringify(options);
  if (standing?.wanted === wanted) {
    await standing.parts.bench.clear(options.open);
    return standing.parts;
  }
  await takeDown();
  // Nobody has a key for an address on their own machine.
  const simulator = await startSimulator({ auth: 'optional', ...options.simulator });
  const settings = { 'kimiChat.baseUrl': simulator.url, ...options.settings };
  const bench = await openWorkbench({ ...options, settings });
  const parts = { bench, simulator, chat: new Chat(bench) };
  standing = { wanted, parts };
  return parts;
}

export function useStage(options: StageOptions = {}): Stage {
  let stage: Parts | undefined;
  let requestsBefore = 0;
  let violationsBefore = 0;
  let lastFailed = false;
  const ready = (): NonNullable<typeof stage> => {
    assert.ok(stage, 'the stage is set before the first test, not while tests are being described');
    return stage;
  };

  before('set the stage', async () => {
    stage = await setUp(options);
    await stage.bench.openKimi();
  });
  beforeEach('start a new chat', async () => {
    const { bench, chat, simulator } = ready();
    // Not before the picture of what failed has been taken.
    if (lastFailed) await bench.recover();
    await chat.startNew();
    requestsBefore = simulator.requests.length;
    violationsBefore = simulator.violations.length;
  });
  afterEach('nothing else went wrong', async function check() {
    if (stage === undefined) return;
    const { bench, simulator } = stage;
    lastFailed = this.currentTest?.state === 'failed';
    if (lastFailed) {
      // What failed is told by the test itself, and is not to make the next ones fail.
      simulator.dropReplies();
      await bench.inside((vscode) => vscode.commands.executeCommand('kimiChat.stop'));
      return;
    }
    assert.deepEqual(simulator.violations.slice(violationsBefore), []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    bench.assertNothingWrong();
  });
  return {
    get bench() {
      return ready().bench;
    },
    get simulator() {
      return ready().simulator;
    },
    get chat() {
      return ready().chat;
    },
    request: (index) => ready().simulator.request(requestsBefore + index),
  };
}
