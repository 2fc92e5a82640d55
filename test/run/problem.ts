/** A reason to stop that a person can do something about: shown as its message alone, without a stack. */
export class ProblemForPerson extends Error {
  override readonly name = 'ProblemForPerson';
}

/** The end of a script's main: 1 and the message for what a person can mend, the stack for anything else. */
export function tellAndFail(error: unknown): void {
  if (error instanceof ProblemForPerson) console.error(`\n${error.message}`);
  else console.error(error);
  process.exitCode = 1;
}
