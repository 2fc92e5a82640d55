/** Text is found line by line, in whatever files there are, in a thread that ends when it is told to. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';

import { splitLines } from '../../../src/core/lines.ts';
import { compilePattern, findLines } from '../../../src/host/tools/linePattern.ts';
import { findRipgrep } from '../../../src/host/tools/ripgrep.ts';
import type { SearchTask } from '../../../src/host/tools/searchTask.ts';
import { runInThread, type TextOfFile, type ThreadOutcome } from '../../../src/host/tools/searchThread.ts';

function found(pattern: string, text: string, caseSensitive = true): string[] {
  const compiled = compilePattern(pattern, caseSensitive);
  assert.ok(compiled.ok, pattern);
  return findLines(text, compiled.value, 1_000).map(({ line, text: shown }) => `${line}: ${shown}`);
}

describe('a pattern', () => {
  it('is looked for in each line by itself', () => {
    assert.deepEqual(found('b$', 'ab\r\nba\rb\ncb'), ['1: ab', '3: b', '4: cb']);
    assert.deepEqual(found('^b', '\uFEFFb\nab'), ['1: b']);
    assert.deepEqual(found('a\\s+b', 'a\nb\na b'), ['3: a b']);
    assert.deepEqual(found('a[^x]*c|b', 'a\nb\nc'), ['2: b']);
    assert.deepEqual(
      found('', 'a\n\nb\n'),
      ['1: a', '2:', '3: b'].map((line) => line.replace(/:$/, ': ')),
    );
    assert.deepEqual(found('x', ''), []);
    assert.deepEqual(found('foo(?!\\s)', 'foo\nfoo x\n'), ['1: foo']);
    assert.deepEqual(found('(?<=\\n)b', 'a\nb'), []);
  });

  it('counts case only where that is wanted', () => {
    assert.deepEqual(found('AB', 'ab\nAB', false), ['1: ab', '2: AB']);
    assert.deepEqual(found('AB', 'ab\nAB'), ['2: AB']);
    assert.deepEqual(found('(?i)AB', 'ab'), ['1: ab']);
    assert.deepEqual(found('(?s)A', 'ab'), []);
  });

  it('may name characters as Unicode does, or escape what needs none', () => {
    assert.deepEqual(found('^\\p{Lu}', 'Äb\näb'), ['1: Äb']);
    assert.deepEqual(found('^.$', '😀').length, 0);
    assert.deepEqual(found('^😀.$', '😀😀'), ['1: 😀😀']);
    assert.deepEqual(found('\\-\\"\\/', '-"/'), ['1: -"/']);
  });

  it('is refused with its fault', () => {
    const refused = compilePattern('a(', true);
    assert.ok(!refused.ok);
    assert.match(refused.error, /^\/a\(\/: Unterminated group$/);
  });

  it('finds the lines that it matches one by one, in any text', () => {
    const texts = fc.stringMatching(/^[ab\n\r ]{0,40}$/);
    const patterns = fc.constantFrom(
      'a',
      'a+b',
      '^a',
      'b$',
      '\\s',
      '[^a]',
      'a.*b',
      'a*',
      'b?\\s?a',
      '^$',
      '\\bb',
      'a|b\\n',
    );
    fc.assert(
      fc.property(texts, patterns, (text, pattern) => {
        const wanted = splitLines(text).flatMap((line, at) =>
          new RegExp(pattern).test(line) ? [at + 1] : [],
        );
        const lines = found(pattern, text).map((line) => Number.parseInt(line, 10));
        assert.deepEqual(lines, wanted);
      }),
    );
  });
});

describe('a search thread', () => {
  const file = fileURLToPath(new URL('../../../src/host/tools/searchWorker.ts', import.meta.url));
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'search-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), 'one\nNeedle\n');
    writeFileSync(join(folder, 'src/b.css'), 'needle\n');
    writeFileSync(join(folder, 'tooLarge.txt'), 'tooLarge');
    writeFileSync(join(folder, 'n\nl $(x).txt'), 'needle');
    writeFileSync(join(folder, 'binary'), 'needle\0');
    writeFileSync(join(folder, 'wide.txt'), Buffer.from('\uFEFFneedle', 'utf16le'));
    writeFileSync(join(folder, 'big-endian.txt'), Buffer.from('\uFEFFneedle', 'utf16le').swap16());
    writeFileSync(join(folder, 'long.txt'), `${'x'.repeat(400_000)}needle\n`);
    writeFileSync(join(folder, 'sparse'), 'needle');
    truncateSync(join(folder, 'sparse'), 2 ** 30);
    writeFileSync(join(folder, 'huge.txt'), 'needle\n'.repeat(2_000));
    truncateSync(join(folder, 'huge.txt'), 2 ** 30);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(
    task: Partial<SearchTask>,
    {
      texts = [],
      limit = 20_000,
      signal = new AbortController().signal,
    }: {
      texts?: Iterable<TextOfFile> | AsyncIterable<TextOfFile>;
      limit?: number;
      signal?: AbortSignal;
    } = {},
  ): Promise<ThreadOutcome> {
    const root = {
      path: folder,
      display: '',
      start: '',
      caseInsensitive: false,
      hidden: [],
      prefix: '',
      above: [],
    };
    const whole = {
      caseSensitive: false,
      include: [],
      exclude: [],
      limit: 100,
      skip: [],
      roots: [root],
      ...task,
    };
    return runInThread(whole, texts, { file, limit, signal });
  }

  it('finds what is in text files, and passes over what is none or too large', async () => {
    const { hits, end, tooLarge, more } = await run({ pattern: 'needle' });
    assert.deepEqual(hits.map(({ path, line, text }) => `${path} ${line} ${text.slice(-6)}`).toSorted(), [
      'big-endian.txt 1 needle',
      'long.txt 1 needle',
      'n\nl $(x).txt 1 needle',
      'src/a.ts 2 Needle',
      'src/b.css 1 needle',
      'wide.txt 1 needle',
    ]);
    assert.ok(hits.every(({ text }) => text.length < 310));
    assert.deepEqual([end, tooLarge, more], ['done', 1, false]);
    const words = await run({ pattern: 'tooLarge' });
    assert.deepEqual(
      words.hits.map(({ path }) => path),
      ['tooLarge.txt'],
    );
  });

  it('lists and searches only what fits, however it is written', async () => {
    const lists = async (
      include: string[],
      exclude: string[] = [],
      start = '',
    ): Promise<readonly string[]> => {
      const root = {
        path: folder,
        display: 'app/',
        start,
        caseInsensitive: false,
        hidden: [],
        prefix: '',
        above: [],
      };
      return (await run({ include, exclude, roots: [root] })).files;
    };
    assert.deepEqual(await lists(['src/*.ts']), ['app/src/a.ts']);
    assert.deepEqual(await lists(['/*.ts'], [], 'src/'), ['app/src/a.ts']);
    assert.deepEqual(await lists(['app/src/*'], ['*.css']), ['app/src/a.ts']);
    assert.deepEqual(
      (await run({ pattern: 'needle', include: ['*.css'] })).hits.map(({ path }) => path),
      ['src/b.css'],
    );
  });

  it('takes texts of editors instead of what is on the disk', async () => {
    const texts = [{ path: 'src/a.ts', text: 'x\ny\nneedle in the editor' }];
    const { hits } = await run({ pattern: 'needle', include: ['*.ts'], skip: ['src/a.ts'] }, { texts });
    assert.deepEqual(hits, [{ path: 'src/a.ts', line: 3, text: 'needle in the editor' }]);
  });

  it('ends when it has enough', async () => {
    const texts = [{ path: 'many', text: 'needle\n'.repeat(10_000) }];
    const { hits, more } = await run({ pattern: 'needle', limit: 60 }, { texts });
    assert.deepEqual([hits.length, more], [60, true]);
    const exact = await run({ pattern: 'needle', limit: 6 });
    assert.deepEqual([exact.hits.length, exact.more], [6, false]);
  });

  const endless = '^(a+)+$';
  const trap = [
    { path: 'ok', text: 'aaa\n'.repeat(6) },
    { path: 'trap', text: `${'a'.repeat(60)}b` },
  ];

  it('is ended in the middle of a pattern that would never end, and keeps what it had found', async () => {
    const outcome = await run({ pattern: endless, roots: [] }, { texts: trap, limit: 2_000 });
    assert.equal(outcome.end, 'timeout');
    assert.equal(outcome.hits.length, 6);
  });

  it('is ended in the middle of a pattern when the person stops', async () => {
    const stop = new AbortController();
    const texts = (async function* () {
      yield* trap;
      // The thread is busy from here on.
      await new Promise((resolve) => setImmediate(resolve));
      stop.abort();
    })();
    const outcome = await run({ pattern: endless, roots: [] }, { texts, signal: stop.signal });
    assert.equal(outcome.end, 'aborted');
    assert.equal((await run({ pattern: 'x' }, { signal: stop.signal })).end, 'aborted');
  });

  it('rejects where there is no such thread, or where its texts fail', async () => {
    const options = { file: join(folder, 'gone.js'), limit: 1_000, signal: new AbortController().signal };
    const task = {
      pattern: 'x',
      caseSensitive: true,
      include: [],
      exclude: [],
      limit: 1,
      skip: [],
      roots: [],
    };
    await assert.rejects(runInThread(task, [], options), /Cannot find module/);
    const texts = (async function* (): AsyncGenerator<TextOfFile> {
      await Promise.resolve();
      yield* [];
      throw new Error('no texts');
    })();
    await assert.rejects(run({ pattern: 'x' }, { texts }), /no texts/);
  });
});

describe('ripgrep', () => {
  it('is not taken from the workspace, from a relative folder, or where it can’t be run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'programs-'));
    try {
      const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
      mkdirSync(join(folder, 'work', '..bin'), { recursive: true });
      mkdirSync(join(folder, 'bin'));
      mkdirSync(join(folder, 'dir', name), { recursive: true });
      writeFileSync(join(folder, 'work', name), '', { mode: 0o755 });
      writeFileSync(join(folder, 'work', '..bin', name), '', { mode: 0o755 });
      writeFileSync(join(folder, 'bin', name), '', { mode: 0o755 });
      const at = (...names: string[]): string =>
        names
          .map((each) => (each.startsWith('.') ? each : join(folder, each)))
          .join(process.platform === 'win32' ? ';' : ':');
      const workspace = [join(folder, 'work')];
      const bin = join(folder, 'bin', name);
      assert.equal(await findRipgrep(at('work', './bin', 'dir', 'gone', 'bin'), workspace), bin);
      assert.equal(await findRipgrep(at('work', 'work/..bin', '.'), workspace), undefined);
      assert.equal(await findRipgrep(undefined, workspace), undefined);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
