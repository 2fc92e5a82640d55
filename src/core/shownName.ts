/** How a name from the disk is written for the model. Pure; knows nothing of what it is the name of. */

/** On one line: one with a line break or another control character in it is quoted. */
export function shownName(name: string): string {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|^"/.test(name) ? JSON.stringify(name) : name;
}
