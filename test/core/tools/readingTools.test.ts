/** What each reading tool answers, word for word where a model acts on the words. */
import assert from 'node:assert/strict';

import { err, ok } from '../../../src/core/result.ts';
import { globFits } from '../../../src/core/tools/glob.ts';
import type {
  FoundProblem,
  Listing,
  ListRequest,
  ReadingPorts,
  Refusal,
  SearchOutcome,
  SearchRequest,
  SymbolRefusal,
  Some,
} from '../../../src/core/tools/readingPorts.ts';
import { readingTools } from '../../../src/core/tools/readingTools.ts';
import { Memory } from '../../simulator/validate/memory.ts';
import { validate } from '../../simulator/validate/validate.ts';
import { plain } from '../../simulator/validate/violations.ts';
import { call, ports, textOf } from './calling.ts';

/** What the tool says, called with these ports. */
async function says(
  name: string,
  args: object,
  some: Partial<ReadingPorts>,
  kind: 'done' | 'failed' = 'done',
): Promise<string> {
  const tool = readingTools(ports(some)).find(({ declaration }) => declaration.name === name);
  assert.ok(tool, name);
  return textOf(call(tool, args), kind);
}

describe('the reading tools', () => {
  const tools = readingTools(ports({}));

  it('are those, always in this order', () => {
    assert.deepEqual(
      tools.map(({ declaration }) => declaration.name),
      [
        ...['read_file', 'list_files', 'search_text', 'get_problems', 'find_symbol'],
        ...['go_to_definition', 'find_references', 'hover', 'open_editors', 'git_diff'],
      ],
    );
  });

  it('are declared as the service takes it, strict, every argument described', () => {
    const declared = tools.map(({ declaration }) => structuredClone(declaration));
    assert.equal(validate({ ...plain, tools: declared }, 'strict', new Memory()), undefined);
    for (const declaration of declared) {
      assert.ok(declaration.type === 'function' && declaration.strict);
      const { properties } = declaration.parameters as {
        properties: Record<string, { description: string }>;
      };
      for (const { description } of Object.values(properties)) assert.ok(description.length > 5);
    }
  });

  it('cost every request little', () => {
    const size = JSON.stringify(tools.map(({ declaration }) => declaration)).length;
    assert.ok(size < 6_500, `${size} characters`);
  });
});

describe('read_file', () => {
  const file = (text: string, unsaved = false): Partial<ReadingPorts> => ({
    readText: (path) => Promise.resolve(ok({ path, text, unsaved })),
  });

  it('numbers the lines', async () => {
    assert.equal(
      await says('read_file', { path: 'a.ts' }, file('one\r\n\ttwo\n')),
      'a.ts, lines 1 to 2 of 2:\n1|one\n2|\ttwo',
    );
  });

  it('reads a range, and says when changes are not saved', async () => {
    const args = { path: 'a.ts', start_line: 2, end_line: 9 };
    assert.equal(
      await says('read_file', args, file('1\n2\n3', true)),
      'a.ts (with changes that are not saved yet), lines 2 to 3 of 3:\n2|2\n3|3',
    );
    assert.equal(
      await says('read_file', { path: 'a', start_line: 2, end_line: 2 }, file('1\n2\n3')),
      'a, lines 2 to 2 of 3:\n2|2',
    );
  });

  it('says how to go on where it left lines out', async () => {
    const text = await says('read_file', { path: 'a' }, file('x\n'.repeat(5_000)));
    assert.match(text, /^a, lines 1 to 2000 of 5000:\n/);
    assert.match(text, /\n\[Lines 2001 to 5000 were left out: go on with start_line 2001\.\]$/);
    const wide = await says(
      'read_file',
      { path: 'a', start_line: 11 },
      file(`${'y'.repeat(3_000)}\n`.repeat(100)),
    );
    assert.ok(wide.length < 41_000);
    assert.match(wide, /^a, lines 11 to 29 of 100:\n11\|y{2000}… \[1,000 more characters in this line\]\n/);
    assert.match(wide, /go on with start_line 30\.\]$/);
  });

  it('is whole from its first line to its last, however much of the file there is', async () => {
    for (const width of [19, 20, 21, 60, 61, 62, 63]) {
      const text = await says('read_file', { path: 'a' }, file(`${'z'.repeat(width)}\n`.repeat(3_000)));
      const numbers = [...text.matchAll(/^(\d+)\|z+$/gm)].map(([, number]) => Number(number));
      assert.deepEqual(
        numbers,
        Array.from({ length: numbers.length }, (_, at) => at + 1),
      );
      assert.match(text, new RegExp(`go on with start_line ${numbers.length + 1}\\.\\]$`));
    }
  });

  it('tells of what is not there', async () => {
    assert.equal(await says('read_file', { path: 'a' }, file('')), 'a is empty.');
    assert.match(
      await says('read_file', { path: 'a', start_line: 4 }, file('1\n'), 'failed'),
      /has only 1 line, so there is no line 4/,
    );
    assert.match(
      await says('read_file', { path: 'a', start_line: 4, end_line: 3 }, {}, 'failed'),
      /end_line \(3\) is before start_line \(4\)/,
    );
  });

  const path = 'p';
  for (const [refusal, wanted] of [
    [{ kind: 'outside', path }, /p is outside the workspace and was not read.*list_files/],
    [{ kind: 'leadsOut', path }, /link that leads out of the workspace/],
    [{ kind: 'ignored', path }, /\.gitignore, \.kimiignore.*ask the person to attach it/],
    [{ kind: 'protected', path }, /belongs to git itself/],
    [{ kind: 'empty', path: '' }, /Give one such as/],
    [{ kind: 'folder', path }, /p is a folder\. list_files/],
    [{ kind: 'notFolder', path }, /p is a file, not a folder/],
    [{ kind: 'name', path: 'a\nb' }, /^"a\\nb" is no path of a file/],
    [{ kind: 'unreadable', path }, /could not be read/],
    [{ kind: 'noFolder' }, /No folder is open/],
    [{ kind: 'whichFolder', path, candidates: ['a/p', 'b/p'] }, /Call again with one of: a\/p, b\/p\./],
    [
      { kind: 'missing', path, folder: '.', names: ['b.ts', 'x\ny'] },
      /There is no p\. The workspace folder has: b\.ts, "x\\ny"\.$/,
    ],
    [{ kind: 'missing', path, folder: 'src', names: [] }, /The folder src is empty/],
    [
      { kind: 'missing', path, folder: 'src', names: Array.from({ length: 70 }, () => 'n') },
      /n and 10 more\.$/,
    ],
    [{ kind: 'binary', path, bytes: 2_048 }, /binary file \(2 KB\)/],
    [
      { kind: 'tooLarge', path, bytes: 2 ** 30, limit: 2 ** 20 },
      /too large to be read: 1 GB, where 1 MB is the most/,
    ],
  ] satisfies [Refusal, RegExp][]) {
    it(`says why not: ${refusal.kind}, ${wanted.source}`, async () => {
      const some = { readText: () => Promise.resolve(err(refusal)) };
      assert.match(await says('read_file', { path: 'p' }, some, 'failed'), wanted);
    });
  }
});

describe('list_files', () => {
  const listed = (listing: Partial<Listing>, asked: ListRequest[] = []): Partial<ReadingPorts> => ({
    listFiles(request) {
      asked.push(request);
      const files = listing.files ?? [];
      return Promise.resolve(ok({ files, total: files.length, places: [], unfinished: false, ...listing }));
    },
  });

  it('lists what fits the pattern', async () => {
    const asked: ListRequest[] = [];
    const text = await says(
      'list_files',
      { path: 'src', pattern: '*.ts' },
      listed({ files: ['src/a.ts', 'src/b\n.ts'] }, asked),
    );
    assert.equal(text, '2 files in src that fit *.ts:\nsrc/a.ts\n"src/b\\n.ts"');
    assert.equal(asked[0]?.folder, 'src');
    assert.ok(asked[0].pattern && globFits(asked[0].pattern, 'x/y.ts'));
    assert.equal(await says('list_files', {}, listed({ files: ['a'] })), '1 file in the workspace:\na');
  });

  it('says where the others are when it leaves some out', async () => {
    const files = Array.from({ length: 500 }, (_, at) => `src/${at}`);
    const places = Array.from({ length: 60 }, (_, at) => ({ name: `d${at}/`, files: 100 - at }));
    const text = await says('list_files', {}, listed({ files, total: 4_000, places, unfinished: true }));
    assert.match(text, /^4,000 files in the workspace, 500 of them shown:\nsrc\/0\n/);
    assert.match(
      text,
      /\n\[3,500 files left out\. Name a folder or a pattern\. All files by place: d0\/ 100, d1\/ 99, /,
    );
    assert.match(
      text,
      / and 10 other places\. The walk was ended early, so there may be more: name a folder\.\]$/,
    );
    const few = await says(
      'list_files',
      {},
      listed({ files: ['a'], total: 2, places: [{ name: './', files: 2 }] }),
    );
    assert.match(few, /All files by place: \.\/ 2\.\]$/);
  });

  it('says when there are none', async () => {
    assert.equal(
      await says('list_files', { pattern: '*.x' }, listed({})),
      'No files in the workspace that fit *.x. Ignored files are not listed.',
    );
  });

  it('refuses what it can’t list', async () => {
    assert.match(
      await says('list_files', { pattern: '{a,b}'.repeat(9) }, {}, 'failed'),
      /too many alternatives.*simpler/,
    );
    const some = { listFiles: () => Promise.resolve(err({ kind: 'notFolder', path: 'a.ts' } as const)) };
    assert.match(await says('list_files', { path: 'a.ts' }, some, 'failed'), /a file, not a folder/);
  });
});

describe('search_text', () => {
  const found = (outcome: Partial<SearchOutcome>, asked: SearchRequest[] = []): Partial<ReadingPorts> => ({
    searchText(request) {
      asked.push(request);
      return Promise.resolve(ok({ hits: [], end: 'complete', seconds: 30, tooLarge: 0, ...outcome }));
    },
  });
  const hits = [
    { path: 'a.ts', line: 3, text: 'x(1)' },
    { path: 'a.ts', line: 9, text: 'x(2)' },
    { path: 'b\n.ts', line: 1, text: 'x(3)' },
  ];

  it('shows the lines by their files', async () => {
    const asked: SearchRequest[] = [];
    const args = { pattern: 'x\\(', path: 'src', include: ['*.ts'], exclude: ['test'], case_sensitive: true };
    assert.equal(
      await says('search_text', args, found({ hits }, asked)),
      '3 matching lines in 2 files:\na.ts\n  3: x(1)\n  9: x(2)\n"b\\n.ts"\n  1: x(3)',
    );
    const [request] = asked;
    assert.deepEqual(
      [
        request?.pattern,
        request?.path,
        request?.caseSensitive,
        request?.include.length,
        request?.exclude[0]?.text,
      ],
      ['x\\(', 'src', true, 1, 'test'],
    );
  });

  it('says what is not complete', async () => {
    const text = await says('search_text', { pattern: 'x' }, found({ hits, end: 'limit', tooLarge: 2 }));
    assert.match(
      text,
      /\n\[There are more: search more narrowly.*\]\n\[2 very large files not searched\.\]$/,
    );
    assert.match(
      await says('search_text', { pattern: 'x' }, found({ end: 'timeout' })),
      /^No matches\.\n\[The search was ended after 30 seconds and is not complete/,
    );
    assert.equal(
      await says('search_text', { pattern: 'x' }, found({})),
      'No matches. Ignored, binary and very large files are not searched.',
    );
    assert.equal(
      await says('search_text', { pattern: 'x' }, found({ unfinished: true })),
      'No matches.\n[Not all files were searched, because there are very many: name a path.]',
    );
    const many = Array.from({ length: 200 }, (_, line) => ({ path: 'a', line, text: 'y'.repeat(300) }));
    const cut = await says('search_text', { pattern: 'x' }, found({ hits: many }));
    assert.ok(cut.length < 41_000);
    assert.match(cut, /\n\[\d\d matching lines left out: search more narrowly\.\]$/);
  });

  it('refuses what it can’t look for', async () => {
    assert.match(
      await says('search_text', { pattern: 'x', exclude: ['{a,b}'.repeat(9)] }, {}, 'failed'),
      /glob \{a,b\}.*simpler/,
    );
    const no = (refusal: Refusal | { kind: 'pattern'; fault: string }): Partial<ReadingPorts> => ({
      searchText: () => Promise.resolve(err(refusal)),
    });
    assert.match(
      await says(
        'search_text',
        { pattern: '(' },
        no({ kind: 'pattern', fault: '/(/: Unterminated group' }),
        'failed',
      ),
      /no regular expression: \/\(\/: Unterminated group\. Escape/,
    );
    assert.match(
      await says('search_text', { pattern: 'x' }, no({ kind: 'noFolder' }), 'failed'),
      /No folder is open/,
    );
  });
});

describe('get_problems', () => {
  const problem: FoundProblem = {
    path: 'a.ts',
    line: 2,
    column: 5,
    severity: 'warning',
    message: 'un-\nused',
    source: '',
  };
  const known = (found: readonly FoundProblem[], hidden = 0, unopened = false): Partial<ReadingPorts> => ({
    problems: () => Promise.resolve(ok({ found, hidden, unopened })),
  });

  it('tells of errors first', async () => {
    const all = [problem, { ...problem, severity: 'error', source: 'ts 2322' } as const];
    assert.equal(
      await says('get_problems', {}, known(all, 1)),
      '2 problems:\na.ts:2:5 error (ts 2322): un- used\na.ts:2:5 warning: un- used\n[1 problem outside the workspace or in ignored files]',
    );
    assert.match(await says('get_problems', { errors_only: true }, known(all)), /^1 error:\na\.ts:2:5 error/);
  });

  it('says when there are none, and when there are too many', async () => {
    assert.equal(await says('get_problems', {}, known([])), 'No problems are known in the workspace.');
    assert.equal(
      await says('get_problems', { path: 'a.ts', errors_only: true }, known([problem])),
      'No errors are known in a.ts.',
    );
    assert.match(
      await says('get_problems', { path: 'a.ts' }, known([], 0, true)),
      /^No problems are known in a\.ts\. It is open in no editor, .* this does not mean that it has none\.$/,
    );
    const many = Array.from({ length: 100 }, () => ({ ...problem, message: 'm'.repeat(2_000) }));
    assert.match(await says('get_problems', {}, known(many)), /\n\[\d\d problems left out: name a file\.\]$/);
  });

  it('refuses a path that is not read', async () => {
    const some = { problems: () => Promise.resolve(err({ kind: 'folder', path: 'src' } as const)) };
    assert.match(await says('get_problems', { path: 'src' }, some, 'failed'), /src is a folder/);
  });
});

function some<T>(found: readonly T[]): { readonly ok: true; readonly value: Some<T> } {
  return { ok: true, value: { found, total: found.length } };
}

describe('the tools that go through a program', () => {
  const at = { path: 'a.ts', line: 3, symbol: 'total' };

  it('list symbols', async () => {
    const symbols = () =>
      Promise.resolve(
        some([
          { name: 'total', kind: 'function', container: 'Cart', place: { path: 'a.ts', line: 3 } },
          {
            name: 'x',
            kind: 'class',
            container: '',
            place: { path: '/lib/x.d.ts', line: 1, closed: 'outside' as const },
          },
        ]),
      );
    assert.equal(
      await says('find_symbol', { query: 'to' }, { symbols }),
      '2 symbols:\na.ts:3 function total in Cart\n/lib/x.d.ts:1 (outside the workspace) class x',
    );
    assert.match(
      await says('find_symbol', { path: 'a.ts' }, { symbols: () => Promise.resolve(some([])) }),
      /No symbols found\..*search_text/,
    );
    assert.match(await says('find_symbol', {}, {}, 'failed'), /Give a query, a path or both/);
    const no = { symbols: () => Promise.resolve(err({ kind: 'folder', path: 'src' } as const)) };
    assert.match(await says('find_symbol', { path: 'src' }, no, 'failed'), /is a folder/);
  });

  it('tell places', async () => {
    const asked: unknown[] = [];
    const places: ReadingPorts['places'] = (what) => {
      asked.push(what);
      return Promise.resolve(
        some([
          { path: 'a.ts', line: 3, text: '  total()' },
          { path: 'b', line: 1, closed: 'ignored' },
        ]),
      );
    };
    const text = '2 places:\na.ts:3: total()\nb:1 (ignored)';
    assert.equal(await says('go_to_definition', at, { places }), text);
    assert.equal(await says('find_references', at, { places }), text);
    assert.deepEqual(asked, ['definition', 'references']);
    assert.match(
      await says('go_to_definition', at, { places: () => Promise.resolve(some([])) }),
      /^No definition found\. /,
    );
    const many = Array.from({ length: 300 }, (_, line) => ({ path: 'a', line, text: 'y'.repeat(300) }));
    assert.match(
      await says('find_references', at, { places: () => Promise.resolve(some(many)) }),
      /^300 places:\n[^]*\n\[\d+ places left out\]$/,
    );
    const few = { found: many.slice(0, 2), total: 702 };
    assert.match(
      await says('find_references', at, { places: () => Promise.resolve(ok(few)) }),
      /^702 places:\n[^]*\n\[700 places left out\]$/,
      'those that were not looked at are counted',
    );
  });

  it('show what a hover shows', async () => {
    const hover = (parts: string[]) => ({ hover: () => Promise.resolve(ok(parts)) });
    assert.equal(
      await says('hover', at, hover([' function total() ', '', 'Sums up.'])),
      'function total()\n\nSums up.',
    );
    assert.match(await says('hover', at, hover(['  '])), /^Nothing is known of it\./);
    assert.match(await says('hover', at, hover(['z'.repeat(9_000)])), /characters left out here/);
  });

  for (const [refusal, wanted] of [
    [{ kind: 'noLine', path: 'a.ts', lines: 2 }, /has only 2 lines\. read_file/],
    [
      { kind: 'noSymbol', path: 'a.ts', text: 'let x', others: [4] },
      /which reads: let x\nIt stands in line 4\.$/,
    ],
    [{ kind: 'noSymbol', path: 'a.ts', text: 'let x', others: [4, 7] }, /It stands in lines 4, 7\.$/],
    [{ kind: 'noSymbol', path: 'a.ts', text: 'let x', others: [] }, /nowhere in the file: search_text/],
    [{ kind: 'ignored', path: 'a.ts' }, /kept from being read/],
  ] satisfies [SymbolRefusal, RegExp][]) {
    it(`say what to do instead: ${wanted.source}`, async () => {
      const no = () => Promise.resolve(err(refusal));
      assert.match(await says('go_to_definition', at, { places: no }, 'failed'), wanted);
      assert.match(await says('hover', at, { hover: no }, 'failed'), wanted);
    });
  }
});

describe('open_editors', () => {
  it('tells what is in front and selected', async () => {
    const editors = [
      { path: 'a.ts', active: true, unsaved: true, selected: { from: 2, to: 4 } },
      { path: 'b.ts', active: false, unsaved: false },
      { path: 'c.ts', active: true, unsaved: false, selected: { from: 2, to: 2 } },
    ];
    assert.equal(
      await says('open_editors', {}, { openEditors: () => Promise.resolve({ editors, hidden: 1 }) }),
      [
        '3 files:',
        'a.ts (in front, with changes that are not saved yet, lines 2 to 4 selected)',
        'b.ts',
        'c.ts (in front, line 2 selected)',
        '[1 other editor: outside the workspace, ignored or left out]',
      ].join('\n'),
    );
    assert.equal(
      await says('open_editors', {}, { openEditors: () => Promise.resolve({ editors: [], hidden: 0 }) }),
      'No file of the workspace is open.',
    );
  });
});

describe('git_diff', () => {
  const diff = (text: string, untracked: string[] = [], hidden = 0): Partial<ReadingPorts> => ({
    diff: () => Promise.resolve(ok({ text, untracked, hidden })),
  });

  it('shows changes and new files', async () => {
    assert.equal(
      await says('git_diff', {}, diff('diff --git a/a b/a', ['n.ts'], 2)),
      'diff --git a/a b/a\n\nNew files that git does not know:\nn.ts\n\n[2 files left out: outside the workspace or ignored]',
    );
    assert.equal(await says('git_diff', {}, diff('')), 'No changes that are not staged.');
    assert.equal(await says('git_diff', { staged: true }, diff('')), 'No staged changes.');
  });

  it('has room for both when both are long', async () => {
    const names = Array.from({ length: 900 }, (_, at) => `new/file/of/some/length/${at}`);
    const text = await says('git_diff', {}, diff('x'.repeat(90_000), names));
    assert.ok(text.length <= 40_000);
    assert.match(text, /characters left out here\]/);
    assert.match(text, /\n\[\d+ more\]$/);
  });

  for (const [refusal, wanted] of [
    [{ kind: 'noGit' }, /Git is not available/],
    [{ kind: 'noRepository' }, /in no git repository/],
    [{ kind: 'strangeDiff' }, /a setting such as diff\.external/],
    [{ kind: 'failed', why: 'bad object' }, /could not make the diff: bad object/],
    [{ kind: 'folder', path: 'src' }, /is a folder/],
  ] as const) {
    it(`says why not: ${refusal.kind}`, async () => {
      assert.match(
        await says('git_diff', {}, { diff: () => Promise.resolve(err(refusal)) }, 'failed'),
        wanted,
      );
    });
  }
});
