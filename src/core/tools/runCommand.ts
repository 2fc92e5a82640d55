/** The tool `run_command`. It runs nothing that the person has not allowed, and only what they saw. */
import type { CancelSignal } from '../cancel.ts';
import type { Result } from '../result.ts';
import { shownName } from '../shownName.ts';
import { counted, optional, parametersOf, readArguments, text } from './parameters.ts';
import type { Refusal } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { count } from './resultText.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** A folder of the workspace in which a command can run. */
export interface CommandFolder {
  /** Names it for good. */
  readonly uri: string;
  /** As a person reads it: absolute. */
  readonly path: string;
}

export interface Command {
  /** One line, without control characters. */
  readonly command: string;
  readonly folder: CommandFolder;
}

/** How it ended. Whatever a command did before its end stays done. */
export type CommandEnd =
  /** By itself; `code` is absent where the shell did not tell it. */
  | { readonly kind: 'exited'; readonly code?: number }
  /** The time was over, and it was ended. */
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'stopped' }
  /** The shell did not tell that it began, and it was ended: a quote may be open in it. */
  | { readonly kind: 'notBegun' }
  /** Its terminal was closed. */
  | { readonly kind: 'closed' };

/** Why nothing was run. */
export type CommandTrouble =
  /** The shell does not tell the editor when a command begins and ends. */
  | 'noShellIntegration'
  /** No terminal could be opened, or it closed at once. */
  | 'noTerminal'
  /** The shell could not be brought into the folder. */
  | 'notInFolder'
  | 'stopped';

export type CommandRun =
  | { readonly kind: 'ran'; readonly end: CommandEnd; readonly output: string }
  | { readonly kind: 'notRun'; readonly why: CommandTrouble };

export interface CommandPorts {
  /** Whether commands may be run at all, at this moment. */
  isOn(): boolean;
  /** Without a path, the first folder of the workspace. */
  locate(path: string | undefined): Promise<Result<CommandFolder, Refusal>>;
  /** The person said that it need not be asked about. */
  isAllowed(command: Command): boolean;
  /** Remembers that. */
  allow(command: Command): Promise<void>;
  /** Ends the command when the time is over or the signal aborts, and resolves soon after. Never rejects. */
  run(command: Command, seconds: number, signal: CancelSignal): Promise<CommandRun>;
}

const usualSeconds = 120;
export const mostSeconds = 1_800;

/** `shell`: the person's, with the system, such as `bash on linux`. The same for all of a window. */
export function runCommandTool(ports: CommandPorts, shell: string): Tool {
  const fields = {
    command: text(
      'One command line, as it would be typed. No line breaks: join with && or ;, or write a script with apply_patch first.',
    ),
    folder: optional(text('The folder to run it in; null for the workspace folder.')),
    seconds: optional(
      counted(`After how many seconds it is ended: null for ${usualSeconds}, at most ${mostSeconds}.`),
    ),
  };
  return {
    declaration: {
      type: 'function',
      name: 'run_command',
      description: `Runs a command in a terminal that the person sees (${shell}), and returns exit code and output. The person is asked before it runs. Nobody answers prompts and pagers are off, so pass flags such as --yes. Files are changed with apply_patch, not with commands.`,
      parameters: parametersOf(fields),
      strict: true,
    },
    inOrder: true,
    async run(call, context) {
      if (!call.complete) return failed('Nothing was run: the call did not arrive complete. Send it again.');
      const args = readArguments(fields, call.input);
      if (!args.ok) return failed(args.error);
      const { command, folder: path, seconds = usualSeconds } = args.value;
      const fault = faultOf(command);
      if (fault !== undefined) return failed(fault);
      if (!ports.isOn()) return failed(switchedOff);
      const folder = await ports.locate(path);
      if (!folder.ok) return failed(`Nothing was run. ${refusalText(folder.error)}`);
      const here = async (): Promise<boolean> => {
        const now = await ports.locate(path);
        return now.ok && now.value.uri === folder.value.uri && now.value.path === folder.value.path;
      };
      const request = { command, folder: folder.value, seconds: Math.min(seconds, mostSeconds), here };
      return await ask(ports, request, context);
    },
  };
}

interface Asked extends Command {
  readonly seconds: number;
  /** Whether its folder is still what it was. */
  readonly here: () => Promise<boolean>;
}

async function ask(
  ports: CommandPorts,
  { seconds, here, ...command }: Asked,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { signal } = context;
  if (signal.aborted) return notRun('cancelled', 'Cancelled by the user.');
  if (!ports.isAllowed(command)) {
    const answer = await context.ask({
      kind: 'command',
      command: command.command,
      folder: command.folder.path,
      seconds,
    });
    switch (answer.kind) {
      case 'allow':
        break;
      case 'deny':
      case 'mask':
        return notRun('rejected', denied(answer.kind === 'deny' ? answer.reason : undefined));
      case 'later':
        return notRun(
          'cancelled',
          'The person went on without answering. Ask for it again only if it is still needed.',
        );
      case 'cancelled':
        return notRun('cancelled', 'Cancelled by the user.');
    }
    // Time has passed.
    if (!ports.isOn()) return failed(switchedOff);
    if (!(await here()))
      return failed('Nothing was run: the folder is not any more what it was when the person was asked.');
    if (answer.remember === true) await ports.allow(command);
  }
  return outcomeOf(await ports.run(command, seconds, signal), command, seconds);
}

function outcomeOf(run: CommandRun, { command, folder }: Command, seconds: number): ToolOutcome {
  if (run.kind === 'notRun') {
    switch (run.why) {
      case 'stopped':
        return notRun('cancelled', 'Cancelled by the user.');
      case 'noTerminal':
        return failed(
          `Nothing was run: no terminal could be opened. Tell the person, so that they run it themselves: ${command}`,
        );
      case 'noShellIntegration':
        return failed(
          `Nothing was run: the shell of the terminal does not tell when a command ends (VS Code's shell integration is off, or the shell does not support it). Tell the person, so that they run it themselves: ${command}`,
        );
      case 'notInFolder':
        return failed(`Nothing was run: the shell could not go to ${shownName(folder.path)}.`);
    }
  }
  const { end, output } = run;
  const printed = output === '' ? 'It printed nothing.' : `Output:\n${output}`;
  switch (end.kind) {
    case 'exited':
      return end.code === undefined
        ? { kind: 'done', text: `It ended; the shell did not tell the exit code. ${printed}` }
        : { kind: end.code === 0 ? 'done' : 'failed', text: `Exit code ${end.code}. ${printed}` };
    case 'timedOut':
      return failed(
        `It was ended, because it was not done after ${count(seconds, 'second')}; what it did until then stays done. ${printed}`,
      );
    case 'notBegun':
      return failed(
        `The shell did not begin it, and it was ended. Look for a quote, a bracket or a here-document that is not closed, or another mistake that the shell can't read past. ${printed}`,
      );
    case 'stopped':
      return {
        kind: 'cancelled',
        text: `The user stopped it while it ran; what it did until then stays done. ${printed}`,
      };
    case 'closed':
      return failed(`Its terminal was closed while it ran; what it did until then stays done. ${printed}`);
  }
}

/** A terminal takes these for keys: a tab completes, others start or end something, so that another command would run than is shown. */
const keys = /[\u0000-\u001f\u007f-\u009f]/;

function faultOf(command: string): string | undefined {
  if (command.trim() === '') return 'Nothing was run: the command is blank.';
  if (/[\r\n\u2028\u2029]/.test(command))
    return 'Nothing was run: the command has a line break in it. Give one line: join commands with && or ;, or write a script with apply_patch and run that.';
  return keys.test(command)
    ? 'Nothing was run: the command has a control character in it, which a terminal takes for a key. Write it as an escape, such as \\t in printf.'
    : undefined;
}

const switchedOff = 'Nothing was run: the person has switched commands off. Go on without them.';

function denied(reason: string | undefined): string {
  const said = reason === undefined || reason.trim() === '' ? '' : ` They said: ${reason.trim()}`;
  return `The person did not allow it.${said} Go on without it, or ask what they want instead.`;
}

function notRun(kind: 'rejected' | 'cancelled', why: string): ToolOutcome {
  return { kind, text: `${why} Nothing was run.` };
}

function failed(why: string): ToolOutcome {
  return { kind: 'failed', text: why };
}
