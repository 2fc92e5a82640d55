/** A reason to stop that a person can do something about: shown as its message alone, without a stack. */
export class ProblemForPerson extends Error {
  override readonly name = 'ProblemForPerson';
}

/** The end of a script's main: 1 and the message for what a person can mend, the stack for anything else. */
export function tellAndFail(error: unknown): void {
  const said = error instanceof ProblemForPerson || isWrongOption(error);
  if (said) console.error(`\n${error.message}`);
  else console.error(error);
  process.exitCode = 1;
}

/** What `parseArgs` throws at an option it does not know. */
function isWrongOption(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
