/** Changes one entry in the text of a settings file, which may hold comments and the person's own order. Must not know which. */

/** `text` must hold a JSON object, comments and trailing commas allowed; everything but the entry stays as it is. */
export function withSetting(text: string, key: string, value: string): string {
  const entry = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  const present = new RegExp(`"${key.replaceAll('.', '\\.')}"\\s*:\\s*"(?:[^"\\\\\n]|\\\\.)*"`);
  if (present.test(text)) return text.replace(present, () => entry);
  const start = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*\{/;
  if (!start.test(text)) throw new Error('the settings hold no JSON object');
  // A comma too many at the end is allowed in settings.
  return text.replace(start, (opening) => `${opening}\n  ${entry},`);
}
