/** What `run_command` asks, does and answers, word for word where a model acts on the words. */
import assert from 'node:assert/strict';

import type { ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import { err, ok } from '../../../src/core/result.ts';
import {
  mostSeconds,
  runCommandTool,
  type Command,
  type CommandPorts,
  type CommandRun,
} from '../../../src/core/tools/runCommand.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';
import { Memory } from '../../simulator/validate/memory.ts';
import { validate } from '../../simulator/validate/validate.ts';
import { plain } from '../../simulator/validate/violations.ts';

const ended: CommandRun = { kind: 'ran', end: { kind: 'exited', code: 0 }, output: 'all well' };

class Scene {
  readonly asked: ApprovalRequest[] = [];
  readonly ran: { readonly command: string; readonly folder: string; readonly seconds: number }[] = [];
  readonly remembered: Command[] = [];
  answer: ApprovalAnswer = { kind: 'allow' };
  run: CommandRun = ended;
  on = true;
  /** Where every folder leads by now; nowhere without `to`. */
  moved: { readonly to: string | undefined } | undefined;
  /** Called when the person is asked. */
  onAsk = (): void => undefined;

  readonly ports: CommandPorts = {
    isOn: () => this.on,
    locate: (written) => {
      const path = this.moved === undefined ? written : this.moved.to;
      return Promise.resolve(
        path === 'gone' || (path === undefined && this.moved !== undefined)
          ? err({ kind: 'outside', path: 'gone' })
          : ok({ uri: `file:///w/${path ?? ''}`, path: `/w/${path ?? ''}` }),
      );
    },
    isAllowed: ({ command }) => this.remembered.some((each) => each.command === command),
    allow: (command) => {
      this.remembered.push(command);
      return Promise.resolve();
    },
    run: ({ command, folder }, seconds) => {
      this.ran.push({ command, folder: folder.path, seconds });
      return Promise.resolve(this.run);
    },
  };

  async call(
    args: object | string,
    { complete = true, signal = new AbortController().signal } = {},
  ): Promise<ToolOutcome> {
    const input = typeof args === 'string' ? args : JSON.stringify(args);
    return await runCommandTool(this.ports, 'bash on linux').run(
      { id: 'c', name: 'run_command', input, complete },
      {
        signal,
        proposal: () => assert.fail('nothing is proposed'),
        ask: (request) => {
          this.asked.push(request);
          this.onAsk();
          return Promise.resolve(this.answer);
        },
      },
    );
  }
}

const args = { command: 'npm test', folder: null, seconds: null };

describe('run_command', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });

  it('is declared as the service takes it, and names the shell', () => {
    const { declaration, inOrder } = runCommandTool(scene.ports, 'bash on linux');
    assert.equal(inOrder, true);
    assert.match(declaration.description, /\(bash on linux\)/);
    const declared = [structuredClone(declaration)];
    assert.equal(validate({ ...plain, tools: declared }, 'strict', new Memory()), undefined);
    assert.ok(JSON.stringify(declaration).length < 1_400);
  });

  it('asks with the whole command, and runs it when it is allowed', async () => {
    assert.deepEqual(await scene.call({ command: ' npm test ', folder: 'app', seconds: 7 }), {
      kind: 'done',
      text: 'Exit code 0. Output:\nall well',
    });
    assert.deepEqual(scene.asked, [{ kind: 'command', command: ' npm test ', folder: '/w/app', seconds: 7 }]);
    assert.deepEqual(scene.ran, [{ command: ' npm test ', folder: '/w/app', seconds: 7 }]);
    assert.deepEqual(scene.remembered, []);
  });

  it('has a usual time, and a longest', async () => {
    await scene.call(args);
    await scene.call({ ...args, seconds: 99_999 });
    assert.deepEqual(
      scene.ran.map(({ seconds }) => seconds),
      [120, mostSeconds],
    );
  });

  it('remembers only what the person wants remembered, and then asks no more', async () => {
    scene.answer = { kind: 'allow', remember: true };
    await scene.call(args);
    await scene.call(args);
    assert.equal(scene.asked.length, 1);
    assert.equal(scene.ran.length, 2);
    assert.deepEqual(scene.remembered, [{ command: 'npm test', folder: { uri: 'file:///w/', path: '/w/' } }]);
  });

  it('runs nothing that was not allowed', async () => {
    const went = 'Go on without it, or ask what they want instead. Nothing was run.';
    for (const [answer, kind, said] of [
      [{ kind: 'deny' }, 'rejected', `The person did not allow it. ${went}`],
      [{ kind: 'deny', reason: '  ' }, 'rejected', `The person did not allow it. ${went}`],
      [
        { kind: 'deny', reason: 'Use yarn.' },
        'rejected',
        `The person did not allow it. They said: Use yarn. ${went}`,
      ],
      [{ kind: 'mask' }, 'rejected', `The person did not allow it. ${went}`],
      [
        { kind: 'later' },
        'cancelled',
        'The person went on without answering. Ask for it again only if it is still needed. Nothing was run.',
      ],
      [{ kind: 'cancelled' }, 'cancelled', 'Cancelled by the user. Nothing was run.'],
    ] as const) {
      scene.answer = answer;
      assert.deepEqual(await scene.call(args), { kind, text: said });
    }
    assert.deepEqual(scene.ran, []);
  });

  it('asks for nothing that could not be run', async () => {
    const wrong = async (sent: object | string, said: RegExp): Promise<void> => {
      const { kind, text } = await scene.call(sent);
      assert.equal(kind, 'failed');
      assert.match(text, said);
    };
    await wrong({}, /"command" must be a text/);
    await wrong({ command: '  ' }, /blank/);
    await wrong({ command: 'a\nb' }, /line break/);
    await wrong({ command: 'a\u2028b' }, /line break/);
    await wrong({ command: 'a\tb' }, /control character/);
    await wrong({ command: 'a\u001bb' }, /control character/);
    await wrong({ command: 'pwd', folder: 'gone' }, /^Nothing was run\. gone is outside the workspace/);
    assert.match((await scene.call(args, { complete: false })).text, /not arrive complete/);
    assert.deepEqual(await scene.call(args, { signal: AbortSignal.abort() }), {
      kind: 'cancelled',
      text: 'Cancelled by the user. Nothing was run.',
    });
    scene.on = false;
    await wrong(args, /switched commands off/);
    assert.deepEqual(scene.asked, []);
    assert.deepEqual(scene.ran, []);
  });

  it('runs nothing when commands were switched off while it was asked', async () => {
    scene.onAsk = () => {
      scene.on = false;
    };
    assert.match((await scene.call(args)).text, /switched commands off/);
    assert.deepEqual(scene.ran, []);
  });

  it('runs and remembers nothing when its folder became another one while it was asked', async () => {
    scene.answer = { kind: 'allow', remember: true };
    for (const moved of ['other', undefined]) {
      scene.moved = undefined;
      scene.onAsk = () => {
        scene.moved = { to: moved };
      };
      assert.match((await scene.call(args)).text, /^Nothing was run: the folder is not any more what it was/);
    }
    assert.deepEqual([scene.ran, scene.remembered], [[], []]);
  });

  it('tells how a command ended', async () => {
    const after = 'what it did until then stays done. It printed nothing.';
    for (const [end, kind, said] of [
      [{ kind: 'exited', code: 2 }, 'failed', 'Exit code 2. It printed nothing.'],
      [{ kind: 'exited' }, 'done', 'It ended; the shell did not tell the exit code. It printed nothing.'],
      [{ kind: 'timedOut' }, 'failed', `It was ended, because it was not done after 120 seconds; ${after}`],
      [
        { kind: 'notBegun' },
        'failed',
        "The shell did not begin it, and it was ended. Look for a quote, a bracket or a here-document that is not closed, or another mistake that the shell can't read past. It printed nothing.",
      ],
      [{ kind: 'stopped' }, 'cancelled', `The user stopped it while it ran; ${after}`],
      [{ kind: 'closed' }, 'failed', `Its terminal was closed while it ran; ${after}`],
    ] as const) {
      scene.run = { kind: 'ran', end, output: '' };
      assert.deepEqual(await scene.call(args), { kind, text: said });
    }
  });

  it('tells why nothing was run, and what the person could do', async () => {
    for (const [why, kind, said] of [
      ['noTerminal', 'failed', /no terminal could be opened.*: npm test$/],
      ['noShellIntegration', 'failed', /shell integration.*: npm test$/],
      ['notInFolder', 'failed', /could not go to \/w\/\.$/],
      ['stopped', 'cancelled', /^Cancelled by the user\. Nothing was run\.$/],
    ] as const) {
      scene.run = { kind: 'notRun', why };
      const outcome = await scene.call(args);
      assert.equal(outcome.kind, kind);
      assert.match(outcome.text, said);
    }
  });
});
