/** Whether bytes are those of a text, told by their beginning alone. Runs in the search thread too, so it knows no VS Code. */

/** How much of a file is looked through for a NUL, in bytes. */
const probeSize = 8_000;

/** UTF-16 has a NUL in every Latin letter; its byte order mark tells it apart. */
export function isBinary(bytes: Uint8Array): boolean {
  return utf16Of(bytes) === undefined && bytes.subarray(0, probeSize).includes(0);
}

/** Which UTF-16 the byte order mark tells of; undefined where there is none. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
