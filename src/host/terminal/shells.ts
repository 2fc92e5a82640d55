/** What differs from one shell to another. Knows no terminal. */

const posix: ReadonlySet<string> = new Set(['bash', 'dash', 'fish', 'gitbash', 'ksh', 'sh', 'zsh']);
const powerShell: ReadonlySet<string> = new Set(['powershell', 'pwsh']);

/** `bash` of `/usr/bin/bash`, `pwsh` of `C:\…\pwsh.exe`. */
export function shellName(program: string): string {
  const file = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return file.toLowerCase().replace(/\.exe$/, '');
}

/** A line that brings the shell into the folder; undefined when it is not known how to write one that can't be read otherwise. */
export function goToLine(shell: string, path: string): string | undefined {
  if (/[\u0000-\u001f\u007f-\u009f\u2018-\u201b]/.test(path)) return undefined;
  // In fish a backslash between quotes may stand for itself or not.
  if (posix.has(shell))
    return shell === 'fish' && path.includes('\\')
      ? undefined
      : `cd -- '${path.replaceAll("'", String.raw`'\''`)}'`;
  if (powerShell.has(shell)) return `Set-Location -LiteralPath '${path.replaceAll("'", "''")}'`;
  return undefined;
}

/** Whether a shell at a prompt may make another command of it, with what was run before: `!` anywhere, and `^` at the beginning. */
export function namesHistory(command: string): boolean {
  return command.includes('!') || /^\s*\^/.test(command);
}

/** A line after which these signs stand for themselves: another command would run than was allowed. */
export function plainHistoryLine(shell: string): string | undefined {
  if (shell === 'bash' || shell === 'gitbash') return 'set +H';
  return shell === 'zsh' ? 'setopt NO_BANG_HIST' : undefined;
}

/** Of these bash tells the editor nothing: a subshell or a reserved word in front, a function that is only defined, a comment. */
const untoldByBash = /^\s*(?:[({!#]|(?:if|while|until|time|coproc|function)\b|[^\s"'$`]+\s*\(\s*\))/;

/**
 * The line as it is typed. Where the editor would never hear of its end, a command that does nothing goes before it: the editor itself passes
 * over what begins with a backslash. Nothing else of it changes, its exit code included.
 */
export function typedLine(shell: string, command: string): string {
  const isBash = shell === 'bash' || shell === 'gitbash';
  const isUntold = (isBash && untoldByBash.test(command)) || (posix.has(shell) && /^\s*\\/.test(command));
  return isUntold ? `: ; ${command}` : command;
}

/** A line that ends as the one before it did; undefined where it is not known how to write one. */
export function sameEndLine(shell: string): string | undefined {
  return posix.has(shell) && shell !== 'fish' ? 'eval "(exit $?)"' : undefined;
}
