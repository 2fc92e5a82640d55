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

/** Whether what a text stands for nests deeper than is given, lists and objects within each other; found without parsing it. Of what is no JSON it may say either. */
export function isJsonBeyond(json: string, levels: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (isText) {
      if (unit === backslash) at += 1;
      else if (unit === quote) isText = false;
    } else if (unit === quote) isText = true;
    else if (unit === openBracket || unit === openBrace) depth += 1;
    else if (unit === closeBracket || unit === closeBrace) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;
