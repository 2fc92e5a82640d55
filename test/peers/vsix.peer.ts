/** The VSIX, made as it is made to be published: what is in it is what is meant to be, byte for byte what was built, and small. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchVsce } from '../run/fetchLocked.ts';
import { makePackage } from '../run/makePackage.ts';
import { repository } from '../run/places.ts';
import { unzip } from '../support/zip.ts';

/** With the hash that the build gives to what is loaded later. */
const wanted: readonly RegExp[] = [
  ...[/^\[Content_Types\]\.xml$/, /^extension\.vsixmanifest$/],
  ...[/^extension\/package\.json$/, /^extension\/package\.nls(?:\.(?:ko|zh-cn))?\.json$/],
  ...[/^extension\/readme\.md$/, /^extension\/changelog\.md$/, /^extension\/LICENSE\.txt$/],
  ...[/^extension\/dist\/(?:extension|searchWorker)\.cjs$/, /^extension\/dist\/third-party-notices\.txt$/],
  /^extension\/dist\/webview\/(?:main|(?:chunk|highlight|typeset)-\w+)\.js$/,
  ...[/^extension\/media\/chat\.css$/, /^extension\/media\/icon\.(?:png|svg)$/],
  /^extension\/media\/(?:accept|reject)-(?:dark|light)\.svg$/,
  /^extension\/media\/l10n\/(?:bundle|panel)\.l10n(?:\.(?:ko|zh-cn))?\.json$/,
];

describe('the VSIX', () => {
  let folder: string;
  let files: ReadonlyMap<string, Buffer>;
  let size: number;

  before(async function () {
    // The first run brings vsce from npm.
    this.timeout(600_000);
    await fetchVsce();
    folder = mkdtempSync(join(tmpdir(), 'vsix-'));
    // A build of its own: others may be using that of the repository. What must not ship lies about here, too.
    for (const name of ['src', 'media', 'test', 'package.json', 'esbuild.mjs', '.vscodeignore', '.vscode'])
      cpSync(join(repository, name), join(folder, name), { recursive: true });
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'tsconfig.json', '.npmrc', '.gitignore'])
      cpSync(join(repository, name), join(folder, name));
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const out = join(folder, 'made.vsix');
    await makePackage({ from: folder, out });
    files = unzip(readFileSync(out));
    ({ size } = statSync(out));
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds what belongs in it, all of that, and nothing else', () => {
    const names = [...files.keys()];
    assert.deepEqual(
      names.filter((name) => !wanted.some((pattern) => pattern.test(name))),
      [],
    );
    assert.deepEqual(wanted.filter((pattern) => !names.some((name) => pattern.test(name))).map(String), []);
  });

  it('holds every file that the extension names', () => {
    const manifest = JSON.stringify(JSON.parse(text('extension/package.json')));
    const named = [...manifest.matchAll(/"(?:\.\/)?((?:dist|media)\/[\w./-]+\.\w+)"/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(named.includes('dist/extension.cjs') && named.includes('media/icon.png'));
    for (const path of named) assert.ok(files.has(`extension/${path}`), path);
    // What a chunk of the panel loads later.
    for (const [name, content] of files) {
      if (!name.startsWith('extension/dist/webview/')) continue;
      for (const [, chunk = ''] of content.toString('utf8').matchAll(/["']\.\/([\w-]+\.js)["']/g))
        assert.ok(files.has(`extension/dist/webview/${chunk}`), `${name} loads ${chunk}`);
    }
  });

  it('holds just what was built', () => {
    for (const [name, content] of files) {
      const [, path] = /^extension\/((?:dist|media)\/.*|package\.nls.*)$/.exec(name) ?? [];
      if (path !== undefined) assert.ok(content.equals(readFileSync(join(folder, path))), name);
    }
    assert.equal(text('extension/readme.md'), readFileSync(join(folder, 'dist/readme.md'), 'utf8'));
  });

  it('tells nothing of the machine it was made on, and runs nothing when it is installed', () => {
    for (const [name, content] of files) {
      for (const place of [repository, folder]) assert.ok(!content.includes(place), `${name} names ${place}`);
      assert.ok(!content.includes('sourceMappingURL='), `${name} leads to a source map`);
    }
    const { scripts } = JSON.parse(text('extension/package.json')) as { scripts: Record<string, string> };
    for (const name of Object.keys(scripts)) assert.doesNotMatch(name, runByItself);
  });

  it('stays small', () => {
    // Half of it are the two bundles; it was 600 KB when this was written.
    assert.ok(size <= 900 * 1024, `the VSIX has ${size} bytes`);
  });

  function text(name: string): string {
    const content = files.get(name);
    assert.ok(content !== undefined, name);
    return content.toString('utf8');
  }
});

/** By npm or by VS Code. */
const runByItself = /^(?:(?:pre|post)?(?:install|uninstall|prepare)|vscode:uninstall)$/;
