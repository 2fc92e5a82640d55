/**
 * Files and patches made at random, each with what the patch means, known because the edit was made first and the patch written from
 * it. Must not know any engine.
 */

export type Texts = Readonly<Record<string, string>>;

export interface PatchCase {
  readonly seed: number;
  readonly before: Texts;
  readonly patch: string;
  /** What is right to be there afterwards; undefined where nothing in the files fits the patch. */
  readonly meant: Texts | undefined;
  /** What is special about it. */
  readonly traits: ReadonlySet<string>;
}

/** Numbers that follow from the seed alone (xorshift). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) | 1;
    for (let turn = 0; turn < 8; turn += 1) this.below(2);
  }

  /** A whole number from 0, less than `end`. */
  below(end: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) % end;
  }

  percent(part: number): boolean {
    return this.below(100) < part;
  }

  oneOf<T>(...all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }
}

interface Line {
  readonly text: string;
  readonly end: string;
}

interface TextFile {
  readonly bom: string;
  readonly lines: readonly Line[];
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

type Family = (chance: Chance, traits: Set<string>) => Omit<PatchCase, 'seed' | 'traits'>;

export function patchCase(seed: number): PatchCase {
  const chance = new Chance(seed);
  const traits = new Set<string>();
  const family = chance.percent(72) ? update : chance.oneOf<Family>(...rareFamilies);
  return { seed, ...family(chance, traits), traits };
}

const words = [
  'open()',
  'close()',
  'return',
  'x = 1',
  '}',
  '',
  'it’s – “ok”',
  '漢字',
  'naïve',
  'a\u00a0b',
  '{',
];

function makeFile(chance: Chance, traits: Set<string>): TextFile {
  const texts = chance.oneOf(uniqueLines, repeatingLines, program, program)(chance, traits);
  const end = chance.oneOf('\n', '\n', '\n', '\r\n', '\r');
  const mixed = chance.percent(6);
  const open = chance.percent(20);
  const bom = chance.percent(6) ? '\uFEFF' : '';
  if (end !== '\n') traits.add(end === '\r' ? 'CR' : 'CRLF');
  if (mixed) traits.add('mixed ends');
  if (bom !== '') traits.add('BOM');
  if (open) traits.add('open end');
  const lines = texts.map((text, at) => {
    if (open && at === texts.length - 1) return { text: text === '' ? 'last' : text, end: '' };
    return { text, end: mixed ? chance.oneOf('\n', '\r\n') : end };
  });
  return { bom, lines };
}

function uniqueLines(chance: Chance, traits: Set<string>): string[] {
  traits.add('unique');
  return Array.from({ length: 2 + chance.below(30) }, (_, at) => `${at}: ${chance.oneOf(...words)}`);
}

function repeatingLines(chance: Chance, traits: Set<string>): string[] {
  traits.add('repeats');
  return Array.from({ length: 2 + chance.below(20) }, () => chance.oneOf(...words));
}

/** Functions whose names and lines repeat, some in classes. */
function program(chance: Chance, traits: Set<string>): string[] {
  traits.add('program');
  const indent = chance.oneOf('    ', '  ', '\t');
  const lines: string[] = [];
  for (let left = 1 + chance.below(8); left > 0; left -= 1) {
    const inClass = chance.percent(50);
    const own = inClass ? indent : '';
    if (inClass) lines.push(`class C${chance.below(4)}:`);
    lines.push(`${own}def ${chance.oneOf('f', 'g', 'h')}():`);
    const body = 1 + chance.below(5);
    for (let row = 0; row < body; row += 1) {
      lines.push(
        `${own}${indent}${chance.oneOf('a()', 'b()', 'c()', 'd()', `e(${chance.below(90)})`, 'return')}`,
      );
    }
    if (chance.percent(40)) lines.push('');
  }
  return lines;
}

/**
 * Edits in order, with at least one untouched line between two of them. None puts back a line that it removes: whether that one keeps
 * its own end is a question of taste.
 */
function makeEdits(chance: Chance, lines: readonly Line[]): Edit[] {
  const edits: Edit[] = [];
  const count = lines.length;
  let free = 0;
  for (let left = chance.oneOf(1, 1, 2, 3); left > 0 && free < count; left -= 1) {
    const at = free + chance.below(Math.min(count - free, 14));
    const remove = Math.min(chance.oneOf(0, 1, 1, 1, 2), count - at);
    const empty = lines.slice(at, at + remove).some(({ text }) => text === '') ? 'new' : '';
    const insert = Array.from({ length: remove === 0 ? 1 + chance.below(2) : chance.below(3) }, () =>
      chance.oneOf(`new ${chance.below(1000)}`, `new ${chance.below(1000)}`, empty, 'new — “line”'),
    );
    edits.push({ at, remove, insert });
    free = at + remove + 1;
  }
  return edits;
}

/** What the edits make of the file: kept lines keep their ends; new ones get the file's first; a written last line is ended. */
function edited({ bom, lines }: TextFile, edits: readonly Edit[]): string {
  const end = lines[0]?.end === '' || lines[0] === undefined ? '\n' : lines[0].end;
  const result: Line[] = [];
  let at = 0;
  for (const edit of edits) {
    for (; at < edit.at; at += 1) result.push(lines[at] as Line);
    const last = result.at(-1);
    if (last?.end === '' && edit.insert.length > 0) result[result.length - 1] = { ...last, end };
    for (const text of edit.insert) result.push({ text, end });
    at += edit.remove;
  }
  return bom + [...result, ...lines.slice(at)].map(({ text, end: own }) => text + own).join('');
}

function textOf({ bom, lines }: TextFile): string {
  return bom + lines.map(({ text, end }) => text + end).join('');
}

/** The heads of everything that a line stands in, from the outside. */
function headsOf(lines: readonly Line[], line: number): string[] {
  const indentOf = (text: string): number => text.length - text.trimStart().length;
  const heads: string[] = [];
  let depth = indentOf(lines[line]?.text ?? '');
  for (let above = line - 1; above >= 0 && depth > 0; above -= 1) {
    const text = lines[above]?.text ?? '';
    if (text === '' || indentOf(text) >= depth) continue;
    heads.unshift(text);
    depth = indentOf(text);
  }
  return heads;
}

/** How the old lines of a patch may differ from those of the file. */
type Drift = 'none' | 'trailing blanks' | 'punctuation' | 'indentation' | 'stale';

interface Hunk {
  readonly header: readonly string[];
  readonly body: readonly string[];
}

/** The edits as hunks, each with some lines of context. */
function makeHunks(
  file: TextFile,
  edits: readonly Edit[],
  { chance, traits, drift }: { readonly chance: Chance; readonly traits: Set<string>; readonly drift: Drift },
): Hunk[] {
  const { lines } = file;
  const context = chance.oneOf(0, 1, 1, 2, 3, 3, 4);
  const anchored = chance.percent(35);
  const numbered = chance.percent(3);
  const closed = chance.percent(3);
  const drifting = chance.below(edits.length);
  let free = 0;
  let fenced = 0;
  return edits.map(({ at, remove, insert }, index) => {
    const own = remove === 0 && context === 0 ? 1 : context;
    const shares = chance.percent(15);
    const from = Math.max(shares ? free : Math.min(fenced, at), at - own);
    if (from < fenced) traits.add('shared context');
    free = at + remove;
    const to = Math.min(lines.length, edits[index + 1]?.at ?? lines.length, free + own);
    fenced = to;
    if (from === at && to === at) traits.add('added lines alone');
    const rows = [
      ...lines.slice(from, at).map(({ text }) => ` ${text}`),
      ...lines.slice(at, free).map(({ text }) => `-${text}`),
      ...insert.map((text) => `+${text}`),
      ...lines.slice(free, to).map(({ text }) => ` ${text}`),
    ];
    const body = index === drifting ? drifted(rows, drift, { chance, traits }) : rows;
    if (to === lines.length && chance.percent(25)) {
      traits.add('end mark');
      body.push('*** End of File');
    }
    const header: string[] = [];
    const heads = headsOf(lines, from);
    if (anchored && heads.length > 0) {
      const meant = chance.percent(50) ? heads : heads.slice(-1);
      traits.add(meant.length > 1 ? 'several anchors' : 'anchor');
      const bare = chance.percent(40);
      if (bare) traits.add('anchor without indentation');
      header.push(...meant.map((head) => `@@ ${bare ? head.trim() : head}${closed ? ' @@' : ''}`));
      if (closed) traits.add('closing @@');
    } else if (chance.percent(3)) {
      traits.add('missing anchor');
      header.push('@@ def nowhere():');
    } else if (numbered) {
      traits.add('line numbers');
      header.push(`@@ -${from + 1},${free - from} +${from + 1},9 @@`);
    } else if (index > 0 || chance.percent(70)) {
      header.push('@@');
    }
    return { header, body };
  });
}

function drifted(
  rows: readonly string[],
  drift: Drift,
  { chance, traits }: { readonly chance: Chance; readonly traits: Set<string> },
): string[] {
  const old = rows.flatMap((row, at) => (row.startsWith('+') ? [] : [at]));
  const one = old[chance.below(Math.max(1, old.length))];
  const allBlank = old.every((at) => rows[at]?.length === 1);
  if (one === undefined || drift === 'none' || (allBlank && drift === 'indentation')) return [...rows];
  traits.add(drift);
  switch (drift) {
    case 'stale':
      return rows.map((row, at) => (at === one ? `${row.charAt(0)}no such line` : row));
    case 'trailing blanks':
      return rows.map((row, at) => (at === one ? `${row}${chance.oneOf(' ', '\t', '   ')}` : row));
    case 'punctuation':
      return rows.map((row) =>
        row.startsWith('+')
          ? row
          : row.replaceAll('’', "'").replaceAll('–', '-').replaceAll(/[“”]/g, '"').replaceAll('\u00a0', ' '),
      );
    case 'indentation':
      // So deep that it can't be another place's own indentation.
      return rows.map((row) => (row.length === 1 ? row : `${row.charAt(0)}             ${row.slice(1)}`));
  }
}

function enveloped(...body: readonly string[]): string {
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}

const update: Family = (chance, traits) => {
  const file = makeFile(chance, traits);
  const edits = makeEdits(chance, file.lines);
  const drift = chance.percent(22)
    ? chance.oneOf<Drift>('trailing blanks', 'punctuation', 'indentation', 'stale')
    : 'none';
  const hunks = makeHunks(file, edits, { chance, traits, drift });
  // Where lines repeat, another order has another meaning.
  if (hunks.length > 1 && traits.has('unique') && chance.percent(20)) {
    traits.add('out of order');
    hunks.reverse();
  }
  const body = hunks.flatMap((hunk) => [...hunk.header, ...hunk.body]);
  const moves = chance.percent(6);
  if (moves) traits.add('move');
  const before = { 'a.txt': textOf(file) };
  const meant = traits.has('stale') ? undefined : { [moves ? 'sub/b.txt' : 'a.txt']: edited(file, edits) };
  const patch = enveloped('*** Update File: a.txt', ...(moves ? ['*** Move to: sub/b.txt'] : []), ...body);
  return { before, meant, patch: wrapped(patch, chance, traits) };
};

/** Faults of form around the patch, and in its lines. */
function wrapped(patch: string, chance: Chance, traits: Set<string>): string {
  if (!chance.percent(15)) return patch;
  const trait = chance.oneOf(...Object.keys(wrappers));
  // Beside added lines alone nobody can say whether a bare empty line is one of the file or mere layout.
  if (trait === 'blank context without its blank' && /^@@.*\n(?:\+.*\n|[ -]\n)*(?:@@|\*\*\*)/m.test(patch))
    return patch;
  traits.add(trait);
  return (wrappers[trait] as (patch: string) => string)(patch);
}

const wrappers: Readonly<Record<string, (patch: string) => string>> = {
  fenced: (patch) => `\`\`\`\n${patch}\`\`\`\n`,
  'prose around': (patch) => `Here it is:\n${patch}Done.\n`,
  'bare heredoc': (patch) => `<<'EOF'\n${patch}EOF\n`,
  'whole heredoc': (patch) => `apply_patch <<'EOF'\n${patch}EOF\n`,
  'padded markers': (patch) =>
    patch.replace('*** Begin Patch', '  *** Begin Patch ').replace('*** End Patch', ' *** End Patch'),
  'CRLF in the patch': (patch) => patch.replaceAll('\n', '\r\n'),
  'JSON around': (patch) => JSON.stringify({ input: patch }),
  'blank context without its blank': (patch) => patch.replaceAll('\n \n', '\n\n'),
};

const rareFamilies: readonly Family[] = [
  (chance, traits) => {
    traits.add('add');
    const lines = Array.from({ length: 1 + chance.below(5) }, () => chance.oneOf(...words));
    const before = { 'other.txt': 'x\n' };
    const meant = { ...before, 'new/a.txt': lines.map((line) => `${line}\n`).join('') };
    return { before, meant, patch: enveloped('*** Add File: new/a.txt', ...lines.map((line) => `+${line}`)) };
  },
  (_, traits) => {
    traits.add('add over a file');
    return { before: { 'a.txt': 'x\n' }, meant: undefined, patch: enveloped('*** Add File: a.txt', '+y') };
  },
  (chance, traits) => {
    traits.add('delete');
    const gone = chance.percent(50) ? 'a.txt' : 'b.txt';
    const before = { 'a.txt': 'x\n', 'c.txt': 'y\n' };
    const meant = gone === 'a.txt' ? { 'c.txt': 'y\n' } : undefined;
    return { before, meant, patch: enveloped(`*** Delete File: ${gone}`) };
  },
  (chance, traits) => {
    traits.add('move without hunks');
    const file = makeFile(chance, traits);
    const patch = enveloped('*** Update File: a.txt', '*** Move to: sub/b.txt');
    return { before: { 'a.txt': textOf(file) }, meant: { 'sub/b.txt': textOf(file) }, patch };
  },
  (chance, traits) => {
    const own = chance.percent(50);
    traits.add(own ? 'move to itself' : 'move over a file');
    const before = { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' };
    const patch = enveloped(
      '*** Update File: a.txt',
      `*** Move to: ${own ? 'a.txt' : 'b.txt'}`,
      '@@',
      '-one',
      '+1',
    );
    return { before, meant: own ? { ...before, 'a.txt': '1\ntwo\n' } : undefined, patch };
  },
  (chance, traits) => {
    traits.add('two sections on one file');
    const again = chance.oneOf('a.txt', './a.txt');
    const before = { 'a.txt': 'one\ntwo\nthree\n' };
    const sections = [
      '*** Update File: a.txt',
      '@@',
      '-one',
      '+1',
      `*** Update File: ${again}`,
      '@@',
      '-three',
      '+3',
    ];
    return { before, meant: { 'a.txt': '1\ntwo\n3\n' }, patch: enveloped(...sections) };
  },
  (chance, traits) => {
    traits.add('second section fails');
    const second = chance.oneOf(
      ['*** Update File: b.txt', '@@', '-nowhere', '+1'],
      ['*** Update File: c.txt', '@@', '-x', '+1'],
      ['*** Delete File: c.txt'],
    );
    const before = { 'a.txt': 'one\n', 'b.txt': 'x\n' };
    return {
      before,
      meant: undefined,
      patch: enveloped('*** Update File: a.txt', '@@', '-one', '+1', ...second),
    };
  },
  (chance, traits) => {
    traits.add('delete, then add');
    const text = chance.oneOf('y', 'z');
    const patch = enveloped('*** Delete File: a.txt', '*** Add File: a.txt', `+${text}`);
    return { before: { 'a.txt': 'x\n' }, meant: { 'a.txt': `${text}\n` }, patch };
  },
  (chance, traits) => {
    const anchored = chance.percent(50);
    traits.add(anchored ? 'added lines alone below an anchor' : 'added lines alone');
    const file = makeFile(chance, traits);
    const at = anchored ? chance.below(file.lines.length) : file.lines.length - 1;
    const head = file.lines[at]?.text ?? '';
    const usable =
      anchored &&
      head.trim() !== '' &&
      file.lines.filter(({ text }) => text.trim() === head.trim()).length === 1;
    const edit = { at: (usable ? at : file.lines.length - 1) + 1, remove: 0, insert: ['new 1', 'new 2'] };
    if (anchored && !usable) traits.delete('added lines alone below an anchor');
    const patch = enveloped('*** Update File: a.txt', usable ? `@@ ${head}` : '@@', '+new 1', '+new 2');
    return { before: { 'a.txt': textOf(file) }, meant: { 'a.txt': edited(file, [edit]) }, patch };
  },
  (chance, traits) => {
    const [trait, patch] = chance.oneOf<readonly [string, string]>(
      ['no end marker', '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n'],
      ['no begin marker', '*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch\n'],
      ['two envelopes', enveloped('*** Update File: a.txt', '@@', '-x', '+y').repeat(2)],
      ['no section', enveloped()],
      ['no hunk', enveloped('*** Update File: a.txt')],
      ['header without lines', enveloped('*** Update File: a.txt', '@@')],
      ['unknown verb', enveloped('*** Change File: a.txt', '@@', '-x', '+y')],
      ['added file without plus', enveloped('*** Add File: b.txt', 'x')],
      ['delete with a body', enveloped('*** Delete File: a.txt', '-x')],
    );
    traits.add(trait);
    return { before: { 'a.txt': 'x\n' }, meant: undefined, patch };
  },
  (chance, traits) => {
    const [trait, body] = chance.oneOf<readonly [string, readonly string[]]>(
      ['context without its blank', ['@@', 'one', '-two', '+2']],
      ['@@ without a blank', ['@@one', '-two', '+2']],
      ['remark about the last newline', ['@@', '-two', '+2', '\\ No newline at end of file']],
      ['beginning of an anchor', ['@@ class Foo', '-two', '+2']],
      ['empty line between hunks', ['@@', '-one', '+one', '', '@@', '-two', '+2']],
    );
    traits.add(trait);
    const first = trait === 'beginning of an anchor' ? 'class Foo(Base):' : 'one';
    const patch = enveloped('*** Update File: a.txt', ...body);
    return { before: { 'a.txt': `${first}\ntwo\n` }, meant: { 'a.txt': `${first}\n2\n` }, patch };
  },
];
