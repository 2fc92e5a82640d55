/** Reads the files of a zip archive, as far as those that pack extensions write one: no encryption, no parts, none above 4 GB. */
import { inflateRawSync } from 'node:zlib';

/** By name, in the order of the archive's directory. Throws where it is none. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error('no zip archive');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error(`no entry at ${at}`);
    const method = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const data = archive.subarray(start, start + size);
    if (method !== 0 && method !== 8)
      throw new Error(`${name} is packed in a way that is not known: ${method}`);
    if (files.has(name)) throw new Error(`${name} is in it twice`);
    files.set(name, method === 0 ? data : inflateRawSync(data));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
