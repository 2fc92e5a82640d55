/** How the model is told standing instructions: whose they are, and what they hold for. */

export const ownRulesHeading = 'Standing instructions of the user';

/**
 * @param path of the file that they stand in
 * @param folder that they are about, relative to its workspace folder; empty for all of that
 */
export function rulesHeading(path: string, folder: string): string {
  const from = JSON.stringify(path);
  return folder === ''
    ? `Standing instructions for this workspace, from ${from}`
    : `Standing instructions for what is in ${JSON.stringify(folder)}, from ${from}; they count more than those of the folders around it`;
}

export function changedRulesHeading(heading: string): string {
  return `${heading}; these stand in the place of the earlier ones`;
}

/** @param path of the file that they stood in, or what they were called */
export function goneRulesHeading(path: string): string {
  return `The earlier instructions from ${JSON.stringify(path)} no longer hold`;
}

/** Behind a text of which the rest is left out. */
export const rulesCutOff = '(The rest is left out: it is longer than this.)';
