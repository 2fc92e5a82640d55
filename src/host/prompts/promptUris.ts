/** Addresses of prompts and instructions that are no files: they tell one from another, and can't be opened. */

/** Of the person's own standing instructions, which stand in the settings. */
export const ownRulesUri = 'kimi-prompt:/instructions.md';

export function promptUri(name: string): string {
  return `kimi-prompt:/command/${name}.md`;
}
