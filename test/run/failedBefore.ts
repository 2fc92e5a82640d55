/** Which files run once more when all else is done, because a test of them failed. */
import path from 'node:path';
import type { SuiteResult } from '../support/countingReporter.ts';

/** With more of them it is not the machine. */
export const mostAgain = 3;

/** Their names; undefined when there are too many of them, or not all that failed is known by name. */
export function failedFiles({ failed, failures = [] }: SuiteResult): readonly string[] | undefined {
  const files = [...new Set(failures.map(({ file }) => path.basename(file)))];
  const areKnown = failures.length === failed && files.every((file) => file.endsWith('.host.ts'));
  return areKnown && files.length <= mostAgain ? files : undefined;
}
