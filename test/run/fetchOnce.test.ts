/** A folder is made whole or not at all, and once. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';

describe('fetchOnce', () => {
  const what = { name: 'thing-1', recipe: 1, title: 'Thing' };
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'kimi-chat-fetch-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const put = (text: string) => (folder: string) => writeFile(path.join(folder, 'text'), text);
  const text = (): Promise<string> => readFile(path.join(root, 'thing-1/text'), 'utf8');

  it('builds once', async () => {
    assert.equal(await fetchOnce(what, put('first'), root), path.join(root, 'thing-1'));
    await fetchOnce(what, () => assert.fail('built again'), root);
    assert.equal(await text(), 'first');
  });

  it('builds once for all that want it at the same time', async () => {
    const all = await Promise.all([
      fetchOnce(what, put('first'), root),
      fetchOnce(what, () => assert.fail('built again'), root),
    ]);
    assert.deepEqual(all, Array(2).fill(path.join(root, 'thing-1')));
    assert.equal(await text(), 'first');
  });

  it('builds anew when the recipe changed', async () => {
    await fetchOnce(what, put('first'), root);
    await fetchOnce({ ...what, recipe: 2 }, put('second'), root);
    assert.equal(await text(), 'second');
    assert.deepEqual(await readdir(root), ['thing-1']);
  });

  it('leaves nothing of a build that failed, and keeps what was there before', async () => {
    await fetchOnce(what, put('first'), root);
    const failing = fetchOnce(
      { ...what, recipe: 2 },
      async (folder) => {
        await put('half')(folder);
        throw new Error('no network');
      },
      root,
    );
    await assert.rejects(failing, /no network/);
    assert.deepEqual(await readdir(root), ['thing-1']);
    assert.equal(await text(), 'first');
  });

  it('takes an unfinished folder of an older kind for missing', async () => {
    await mkdir(path.join(root, 'thing-1'));
    await fetchOnce(what, put('whole'), root);
    assert.equal(await text(), 'whole');
  });

  it('removes what a run left that was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await mkdir(path.join(root, `.part-${pid}-thing-1`));
    await mkdir(path.join(root, `.old-${pid}-other-1`));
    await fetchOnce(what, put('whole'), root);
    assert.deepEqual(await readdir(root), ['thing-1']);
  });

  it('waits for another run that builds the same, and takes over when that is killed', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await mkdir(path.join(root, `.part-${other.pid}-thing-1`));
    const steps: string[] = [];
    const waiting = fetchOnce(
      what,
      (folder) => {
        steps.push('built');
        return put('mine')(folder);
      },
      root,
    );
    const ended = new Promise((resolve) => other.on('exit', resolve));
    steps.push('killed');
    other.kill('SIGKILL');
    await ended;
    await waiting;
    assert.deepEqual(steps, ['killed', 'built']);
  });
});
