/** JSON as it comes: what it is made of, and how it is told apart. */

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text is JSON, for where the value itself is not wanted. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is that of a JSON object. */
export function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Whether lists and objects in a text that is JSON stand within each other more than so many times. */
export function nestsDeeper(json: string, levels: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') isText = !isText;
    else if (isText) {
      if (sign === '\\') at += 1;
    } else if (sign === '[' || sign === '{') {
      depth += 1;
      if (depth > levels) return true;
    } else if (sign === ']' || sign === '}') depth -= 1;
  }
  return false;
}
