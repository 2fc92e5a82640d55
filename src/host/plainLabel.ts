/** Texts of others in VS Code's lists, which draw what is written as `$(name)` as an icon. */

/** The text so that it is shown as it is. */
export function plainLabel(text: string): string {
  return text.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, String.raw`\$&`);
}
