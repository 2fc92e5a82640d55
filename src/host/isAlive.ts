/** Whether a process of this machine is there. */

/** @param pid its number: of one that is gone it may be another's by now */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's is there all the same.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
