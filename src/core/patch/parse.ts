/**
 * The text of a patch, read into plain data. Tolerant where only the wrapping is read anew, or where finding the place proves the
 * reading afterwards; strict where content would have to be invented or cut off. Looks nothing up.
 */
import { err, ok, type Result } from '../result.ts';
import { trim, trimEnd } from './blanks.ts';
import { Cursor, faultOfMarker, isNewlineRemark, readHeader, readPath } from './cursor.ts';
import { markers } from './grammar.ts';
import { HunkReader } from './hunkReader.ts';
import type { AddSection, DeleteSection, FileSection, Patch, UpdateSection } from './patch.ts';
import type { BadFormat, PatchError } from './patchError.ts';
import { unwrap } from './unwrap.ts';

/** Two million characters are about half a million tokens: more than an answer holds. It bounds what a hostile patch can cost. */
export const maxPatchLength = 2_000_000;

/**
 * Reads the input of a call. The patch must be there whole: the end marker is the only sign inside the text that nothing was cut off.
 */
export function parsePatch(input: string): Result<Patch, PatchError> {
  if (input.length > maxPatchLength) return err({ kind: 'too-large', what: 'patch' });
  const envelope = unwrap(input);
  if (!envelope.ok) return envelope;
  const { lines, begin, end, notes } = envelope.value;
  return readSections(new Cursor(lines, { from: begin + 1, end }, notes));
}

function readSections(cursor: Cursor): Result<Patch, BadFormat> {
  const sections: FileSection[] = [];
  skipEnvironment(cursor);
  for (let line = cursor.line; line !== undefined; line = cursor.line) {
    const header = readHeader(trim(line));
    if (header) {
      const section = readSection(cursor, header);
      if (!section.ok) return section;
      sections.push(section.value);
    } else if (trim(line) === '') {
      cursor.next();
    } else {
      return cursor.fault(
        faultOfMarker(trim(line), line.startsWith('***') ? 'unknownMarker' : 'outsideSection'),
      );
    }
  }
  return sections.length === 0 ? cursor.fault('noSection') : ok({ sections, notes: cursor.notes });
}

function skipEnvironment(cursor: Cursor): void {
  while (cursor.line !== undefined && trim(cursor.line) === '') cursor.next();
  if (cursor.line !== undefined && trim(cursor.line).startsWith(markers.environment)) cursor.next();
}

function readSection(
  cursor: Cursor,
  { verb, path }: { readonly verb: FileSection['kind']; readonly path: string },
): Result<FileSection, BadFormat> {
  cursor.file = path;
  if (path === '') return cursor.fault('pathMissing');
  const section = { path, line: cursor.number };
  cursor.next();
  switch (verb) {
    case 'add':
      return readAdd(cursor, section);
    case 'delete':
      return readDelete(cursor, section);
    case 'update':
      return readUpdate(cursor, section);
  }
}

function readAdd(cursor: Cursor, section: { path: string; line: number }): Result<AddSection, BadFormat> {
  const lines: string[] = [];
  // Empty lines without their `+` belong to the file only if more of it follows; at the end they are layout.
  let empty = 0;
  for (let line = cursor.line; line !== undefined; cursor.next(), line = cursor.line) {
    if (line.startsWith('+')) {
      if (empty > 0)
        cursor.note('Empty lines without their "+" were taken as empty lines of the added file.');
      for (; empty > 0; empty -= 1) lines.push('');
      lines.push(line.slice(1));
    } else if (trim(line) === '') {
      empty += 1;
    } else if (!isNewlineRemark(line)) {
      if (readHeader(trim(line))) break;
      return cursor.fault(faultOfMarker(trim(line), 'addWithoutPlus'));
    }
  }
  return ok({ kind: 'add', ...section, lines });
}

function readDelete(
  cursor: Cursor,
  section: { path: string; line: number },
): Result<DeleteSection, BadFormat> {
  for (let line = cursor.line; line !== undefined; cursor.next(), line = cursor.line) {
    if (trim(line) === '') continue;
    if (readHeader(trim(line))) break;
    return cursor.fault(faultOfMarker(trim(line), 'deleteWithBody'));
  }
  return ok({ kind: 'delete', ...section });
}

function readUpdate(
  cursor: Cursor,
  section: { path: string; line: number },
): Result<UpdateSection, BadFormat> {
  let moveTo: { readonly path: string; readonly line: number } | undefined;
  const hunks = new HunkReader(cursor);
  for (let line = cursor.line; line !== undefined; cursor.next(), line = cursor.line) {
    // A leading blank is the sign of a context line as soon as a hunk is open: only then can a marker be content.
    const marker = hunks.isOpen ? trimEnd(line) : trim(line);
    if (marker.startsWith(markers.move) && moveTo === undefined && !hunks.isStarted) {
      moveTo = { path: readPath(marker.slice(markers.move.length)), line: cursor.number };
      if (moveTo.path === '') return cursor.fault('pathMissing');
    } else if (marker.startsWith('***') && marker !== markers.endOfFile) {
      if (readHeader(marker)) break;
      return cursor.fault(faultOfMarker(marker, 'unknownMarker'));
    } else {
      const read = hunks.take(line, marker);
      if (!read.ok) return read;
    }
  }
  const finished = hunks.finish();
  if (!finished.ok) return finished;
  if (finished.value.length === 0 && moveTo === undefined) return cursor.fault('noHunk', section.line);
  return ok({ kind: 'update', ...section, ...(moveTo ? { moveTo } : {}), hunks: finished.value });
}
