/** The tool `run_command` in a real terminal with a real shell: what it tells, what is asked, and what ends it. */
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { ApprovalAnswer, ApprovalRequest } from '../../src/core/conversation/approval.ts';
import { runCommandTool } from '../../src/core/tools/runCommand.ts';
import type { ToolOutcome } from '../../src/core/tools/tool.ts';
import { AllowedCommands } from '../../src/host/terminal/allowedCommands.ts';
import { commandRunner } from '../../src/host/terminal/commandRunner.ts';
import { promptTelling, runLine } from '../../src/host/terminal/terminalRun.ts';
import { Terminals } from '../../src/host/terminal/terminals.ts';
import { Stage } from './editsStage.ts';

/** The server of the oldest VS Code comes without what opens a terminal. */
const hasTerminals = !vscode.version.startsWith('1.106.');

class StateOfTest implements vscode.Memento {
  readonly #values = new Map<string, unknown>();
  keys(): readonly string[] {
    return [...this.#values.keys()];
  }
  get<T>(key: string, otherwise?: T): T {
    return (this.#values.get(key) ?? otherwise) as T;
  }
  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, structuredClone(value));
    return Promise.resolve();
  }
}

class Desk {
  readonly stage: Stage;
  readonly terminals: Terminals;
  readonly state = new StateOfTest();
  readonly allowed = new AllowedCommands(this.state);
  readonly asked: ApprovalRequest[] = [];
  readonly settings = { runCommands: true };
  answer: ApprovalAnswer = { kind: 'allow' };

  constructor(stage: Stage, startLimit?: number) {
    this.stage = stage;
    this.terminals = new Terminals(startLimit);
  }

  get folder(): string {
    return this.stage.path('').relative.replace(/\/$/, '');
  }

  run(
    command: string,
    more: { readonly folder?: string | null; readonly seconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ToolOutcome> {
    const { folder = this.folder, seconds = 30, signal = new AbortController().signal } = more;
    const tool = runCommandTool(commandRunner(this), 'a shell');
    const input = JSON.stringify({ command, folder, seconds });
    return tool.run(
      { id: 'call', name: 'run_command', input, complete: true },
      {
        signal,
        proposal: () => assert.fail('nothing is proposed'),
        ask: (request) => {
          this.asked.push(request);
          return Promise.resolve(this.answer);
        },
      },
    );
  }

  get open(): readonly vscode.Terminal[] {
    return vscode.window.terminals.filter(({ name }) => name === 'Kimi Chat');
  }

  async close(): Promise<void> {
    const gone = this.open.map(
      (terminal) =>
        new Promise<void>((resolve) => {
          const listener = vscode.window.onDidCloseTerminal((closed) => {
            if (closed !== terminal) return;
            listener.dispose();
            resolve();
          });
        }),
    );
    this.terminals.dispose();
    // Of one that never opened nobody tells that it closed.
    if (hasTerminals) await Promise.all(gone);
    await this.stage.close();
  }
}

async function says(outcome: Promise<ToolOutcome>, kind: ToolOutcome['kind'] = 'done'): Promise<string> {
  const { kind: was, text } = await outcome;
  assert.equal(was, kind, text);
  return text;
}

describe('run_command', function () {
  this.timeout(60_000);
  let desk: Desk;

  before(async () => {
    desk = new Desk(await Stage.open());
  });
  beforeEach(() => {
    desk.answer = { kind: 'allow' };
    desk.asked.length = 0;
    desk.settings.runCommands = true;
  });
  after(() => desk.close());

  it('runs nothing that was not allowed', async () => {
    for (const [answer, kind, said] of [
      [
        { kind: 'deny', reason: 'Not now.' },
        'rejected',
        /did not allow it\. They said: Not now\. .*Nothing was run/,
      ],
      [{ kind: 'later' }, 'cancelled', /went on without answering.*Nothing was run/],
      [{ kind: 'cancelled' }, 'cancelled', /Cancelled by the user\. Nothing was run/],
    ] as const) {
      desk.answer = answer;
      assert.match(await says(desk.run('echo ran > ran.txt'), kind), said);
    }
    assert.equal(await desk.stage.disk('ran.txt'), undefined);
    assert.deepEqual(desk.open, []);
    assert.deepEqual(desk.asked[0], {
      kind: 'command',
      command: 'echo ran > ran.txt',
      folder: desk.stage.folder,
      seconds: 30,
    });
  });

  it('runs in no folder outside the workspace, whatever leads there, and nothing that is not one line', async () => {
    await symlink('/tmp', join(desk.stage.folder, 'out'));
    await desk.stage.write('file.txt', '');
    for (const [folder, said] of [
      ['/tmp', /outside the workspace/],
      ['../..', /outside the workspace/],
      [`${desk.folder}/out`, /link that leads out/],
      [`${desk.folder}/none`, /There is no /],
      [`${desk.folder}/file.txt`, /is a file, not a folder/],
    ] as const)
      assert.match(await says(desk.run('pwd', { folder }), 'failed'), said);
    assert.match(await says(desk.run('echo a\necho b'), 'failed'), /line break/);
    assert.match(await says(desk.run('echo \u0003'), 'failed'), /control character/);
    desk.settings.runCommands = false;
    assert.match(await says(desk.run('pwd'), 'failed'), /switched commands off/);
    assert.deepEqual(desk.asked, []);
  });

  it('remembers a command in its folder, when the person says so, until they say otherwise', async () => {
    const folder = { uri: desk.stage.uri('').toString().replace(/\/$/, ''), path: desk.stage.folder };
    await desk.allowed.add({ command: 'echo $(trash)', folder });
    assert.ok(desk.allowed.has({ command: 'echo $(trash)', folder }));
    assert.ok(!desk.allowed.has({ command: 'echo $(trash) ', folder }));
    assert.ok(!desk.allowed.has({ command: 'echo $(trash)', folder: { ...folder, uri: `${folder.uri}/a` } }));
    await desk.state.update('allowedCommands', [...desk.allowed.all, 'nonsense', { command: 7 }]);
    assert.equal(desk.allowed.all.length, 1);
    await desk.state.update('allowedCommands', undefined);
  });

  if (!hasTerminals) {
    it('says that nothing was run where no terminal can be opened', async () => {
      const quick = new Desk(desk.stage, 3_000);
      assert.match(await says(quick.run('pwd'), 'failed'), /^Nothing was run: (?:no terminal|the shell)/);
      quick.terminals.dispose();
    });
    return;
  }

  it('tells exit code and output, and uses one terminal again, in whatever folder', async () => {
    await mkdir(join(desk.stage.folder, "it's a folder"));
    assert.equal(await says(desk.run('echo one; echo two >&2')), 'Exit code 0. Output:\none\ntwo');
    assert.equal(
      await says(desk.run('pwd', { folder: `${desk.folder}/it's a folder` })),
      `Exit code 0. Output:\n${desk.stage.folder}/it's a folder`,
    );
    assert.equal(await says(desk.run('cd / && true')), 'Exit code 0. It printed nothing.');
    assert.equal(await says(desk.run('pwd')), `Exit code 0. Output:\n${desk.stage.folder}`);
    assert.equal(await says(desk.run('(exit 3)'), 'failed'), 'Exit code 3. It printed nothing.');
    assert.equal(await says(desk.run('! (true)'), 'failed'), 'Exit code 1. It printed nothing.');
    assert.equal(await says(desk.run('# nothing')), 'Exit code 0. It printed nothing.');
    assert.equal(await says(desk.run('\\pwd; sleep 0.3')), `Exit code 0. Output:\n${desk.stage.folder}`);
    assert.equal(desk.open.length, 1);
    assert.equal(desk.asked.length, 8);
  });

  it('runs what was shown, not what a shell makes of it at a prompt', async () => {
    assert.equal(await says(desk.run(`echo 'a!!b' "c!echo d"`)), 'Exit code 0. Output:\na!!b c!echo d');
    const fresh = new Desk(desk.stage);
    try {
      assert.equal(await says(fresh.run('echo a > first.txt')), 'Exit code 0. It printed nothing.');
      assert.match(await says(fresh.run('^first^second^'), 'failed'), /Exit code 127\./);
      assert.equal(await desk.stage.disk('second.txt'), undefined);
    } finally {
      fresh.terminals.dispose();
    }
  });

  it('knows when a line ends of which the shell tells in other words', async () => {
    const settings = vscode.workspace.getConfiguration('terminal.integrated.env');
    const fresh = new Desk(desk.stage);
    try {
      await settings.update('linux', { HISTCONTROL: 'ignoreboth' }, vscode.ConfigurationTarget.Global);
      // They take a moment each, here and below: of the quickest commands VS Code loses the output.
      for (const [command, ended] of [
        ['echo one; sleep 0.3', 'Exit code 0. Output:\none'],
        ['sleep 0.3 && echo two && sleep 0.3', 'Exit code 0. Output:\ntwo'],
        ['(sleep 0.3; echo three); sleep 0.3; false', 'Exit code 1. Output:\nthree'],
        ['sleep 0.3; echo four | cat; sleep 0.3', 'Exit code 0. Output:\nfour'],
      ] as const)
        assert.equal(
          await says(fresh.run(command, { seconds: 15 }), ended.includes('1.') ? 'failed' : 'done'),
          ended,
        );
      assert.match(
        await says(fresh.run('echo "open', { seconds: 1 }), 'failed'),
        /^The shell did not begin it/,
      );
    } finally {
      await settings.update('linux', undefined, vscode.ConfigurationTarget.Global);
      fresh.terminals.dispose();
    }
  });

  it('takes colours and progress out of the output, and the middle of a long one', async () => {
    assert.equal(
      await says(desk.run(String.raw`printf '\033[31mred\033[0m\n10%%\r50%%\rdone\n'; sleep 0.3`)),
      'Exit code 0. Output:\nred\ndone',
    );
    const long = await says(desk.run('seq 1 40000'));
    assert.ok(long.length < 40_000, `${long.length}`);
    assert.match(long, /^Exit code 0\. Output:\n1\n2\n/);
    assert.match(long, /\n\[[\d,]+ lines with [\d,]+ characters left out here\]\n/);
    assert.match(long, /\n39999\n40000$/);
  });

  it('knows by the next prompt that a command is over of which VS Code tells no end', async () => {
    // Not shown: the one of the tests before would be drawn anew after it.
    const terminal = vscode.window.createTerminal({
      name: 'untold',
      cwd: desk.stage.folder,
      env: promptTelling,
    });
    try {
      const integration = await new Promise<vscode.TerminalShellIntegration>((resolve) => {
        const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
          if (event.terminal !== terminal) return;
          listener.dispose();
          resolve(event.shellIntegration);
        });
      });
      const { signal } = new AbortController();
      // VS Code passes over what begins with a backslash.
      const line = '\\echo untold; sleep 0.3; (exit 5)';
      const run = await runLine({ terminal, integration, line, limit: 30_000, signal });
      assert.deepEqual(run, { end: { kind: 'exited', code: 5 }, output: 'untold', terminalClosed: false });
    } finally {
      terminal.dispose();
    }
  });

  it('asks no more about a command that the person allowed for good', async () => {
    desk.answer = { kind: 'allow', remember: true };
    await says(desk.run('echo again'));
    await says(desk.run('echo again'));
    assert.equal(desk.asked.length, 1);
    await says(desk.run('echo again', { folder: `${desk.folder}/it's a folder` }));
    assert.equal(desk.asked.length, 2);
  });

  it('ends a command when its time is over, and by force one that does not heed Ctrl+C', async () => {
    assert.match(
      await says(desk.run('echo begun; sleep 60; echo over', { seconds: 1 }), 'failed'),
      /not done after 1 second; .* Output:\nbegun/,
    );
    assert.equal(desk.open.length, 1);
    assert.match(
      await says(desk.run(`bash -c "trap '' INT; echo \\$\\$ > pid; sleep 60"`, { seconds: 1 }), 'failed'),
      /not done after 1 second/,
    );
    const pid = Number(await readFile(join(desk.stage.folder, 'pid'), 'utf8'));
    await untilGone(pid);
    assert.equal(desk.open.length, 0);
  });

  it('ends a command when the turn is stopped', async () => {
    const stop = new AbortController();
    const started = new Promise<void>((resolve) => {
      const listener = vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        if (!execution.commandLine.value.includes('sleep 60')) return;
        listener.dispose();
        resolve();
      });
    });
    const outcome = desk.run('echo $$ > pid; sleep 60', { signal: stop.signal });
    await started;
    stop.abort();
    assert.match(await says(outcome, 'cancelled'), /The user stopped it while it ran/);
    assert.equal(await says(desk.run('echo still here')), 'Exit code 0. Output:\nstill here');
  });

  it('leaves what a person runs in the terminal alone, and says so when they close it', async () => {
    const [terminal] = desk.open;
    assert.ok(terminal);
    const started = new Promise<void>((resolve) => {
      const listener = vscode.window.onDidStartTerminalShellExecution(() => {
        listener.dispose();
        resolve();
      });
    });
    terminal.sendText('sleep 50');
    await started;
    assert.equal(await says(desk.run('echo beside')), 'Exit code 0. Output:\nbeside');
    assert.equal(desk.open.length, 2);
    const other = desk.open.find((each) => each !== terminal);
    const begun = new Promise<void>((resolve) => {
      const listener = vscode.window.onDidStartTerminalShellExecution(() => {
        listener.dispose();
        resolve();
      });
    });
    const outcome = desk.run('sleep 40');
    await begun;
    other?.dispose();
    assert.match(await says(outcome, 'failed'), /Its terminal was closed while it ran/);
  });

  it('says that nothing was run when the shell tells nothing of its commands', async () => {
    const settings = vscode.workspace.getConfiguration('terminal.integrated.shellIntegration');
    const quick = new Desk(desk.stage, 2_000);
    try {
      await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
      assert.match(
        await says(quick.run('echo hidden > hidden.txt'), 'failed'),
        /^Nothing was run: the shell of the terminal does not tell when a command ends .*: echo hidden > hidden\.txt$/,
      );
      assert.equal(await desk.stage.disk('hidden.txt'), undefined);
    } finally {
      await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global);
      for (const terminal of quick.open) terminal.dispose();
      quick.terminals.dispose();
    }
  });
});

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
