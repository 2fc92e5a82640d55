/** Whether something is at a path of this machine's disk. */
import { stat } from 'node:fs/promises';

/** Follows links. What may not be looked at counts as not there. */
export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
