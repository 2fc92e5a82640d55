/** What ships: it leaves the process it is loaded into alone, holds nothing it should not, and stays small. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import esbuild, { type Metafile } from 'esbuild';

import { runInThread } from '../src/host/tools/searchThread.ts';
import type { Probed } from './support/bundleProbe.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Built {
  readonly extension: Metafile;
  readonly searchWorker: Metafile;
  readonly webview: Metafile;
}

describe('the bundle', function () {
  this.timeout(60_000);

  let folder: string;
  let built: Built;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    // Imported by address: esbuild.mjs is plain JavaScript, run before anything is compiled.
    const { build } = (await import(new URL('../esbuild.mjs', import.meta.url).href)) as {
      build: (how: { production: boolean; outdir: string }) => Promise<Built>;
    };
    built = await build({ production: true, outdir: folder });
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('exports what VS Code calls', () => {
    const { exported } = probe(join(folder, 'extension.cjs'));
    assert.ok(exported.includes('activate'));
    for (const name of exported) assert.ok(['activate', 'deactivate'].includes(name), name);
  });

  it('has a search thread that works from where it lies', async () => {
    const file = join(folder, 'searchWorker.cjs');
    const task = {
      pattern: 'b',
      caseSensitive: true,
      include: [],
      exclude: [],
      limit: 1,
      skip: [],
      roots: [],
    };
    const options = { file, limit: 20_000, signal: new AbortController().signal };
    const { hits } = await runInThread(task, [{ path: 'a', text: 'a\nb' }], options);
    assert.deepEqual(hits, [{ path: 'a', line: 2, text: 'b' }]);
  });

  it('comes with a README of which VS Code can show everything', () => {
    const text = readFileSync(join(folder, 'readme.md'), 'utf8');
    assert.doesNotMatch(text, /!\[/);
    for (const [, target = ''] of text.matchAll(/\]\(([^)]*)\)/g)) assert.match(target, /^(?:https:\/\/|#)/);
    const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
    for (const title of ['Use it', 'What leaves your machine', 'What is kept', 'Settings', 'License']) {
      assert.ok(titles.includes(title), title);
    }
    for (const title of ['Try it', 'How it works', 'Dependencies']) assert.ok(!titles.includes(title), title);
  });

  it("leaves the host's dispatcher alone, whether or not the host has used fetch before", () => {
    for (const flags of [[], ['--host-first']]) {
      const { writtenByBundle, replaced } = probe(join(folder, 'extension.cjs'), ...flags);
      assert.deepEqual({ writtenByBundle, replaced }, { writtenByBundle: [], replaced: [] }, flags.join());
    }
  });

  it('would be caught if it did not', async () => {
    const outfile = join(folder, 'plain.cjs');
    await esbuild.build({
      stdin: { contents: `export { Agent } from 'undici'`, resolveDir: root },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    assert.deepEqual(probe(outfile).writtenByBundle, [
      'Symbol(undici.globalDispatcher.2)',
      'Symbol(undici.globalDispatcher.1)',
    ]);
  });

  it('reads no navigator, on which VS Code’s extension host throws', () => {
    assert.equal(probe(join(folder, 'extension.cjs')).navigatorReads, 0);
    // Nor later, in code that loading does not run.
    const code = readFileSync(join(folder, 'extension.cjs'), 'utf8');
    assert.deepEqual(code.match(/.{0,30}(?<![\w$.'"`])navigator\b.{0,30}/g) ?? [], []);

    const reader = join(folder, 'reader.cjs');
    writeFileSync(reader, 'try { void navigator.userAgent; } catch {}');
    assert.equal(probe(reader).navigatorReads, 1);
  });

  it('adds no global', () => {
    assert.deepEqual(probe(join(folder, 'extension.cjs')).newGlobals, []);
  });

  it('asks for nothing at run time but VS Code and Node', () => {
    const asked = [built.extension, built.searchWorker]
      .flatMap(({ outputs }) => Object.values(outputs))
      .flatMap(({ imports }) => imports.map(({ path }) => path))
      .filter((path) => path !== 'vscode' && !isBuiltin(path));
    assert.deepEqual(asked, []);
    const byPanel = Object.values(built.webview.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    assert.deepEqual(byPanel, []);
  });

  it('holds our sources and the declared dependencies, nothing else', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    // lowlight's own.
    const known = [...Object.keys(dependencies), 'devlop', 'dequal'];
    for (const { inputs } of [built.extension, built.searchWorker, built.webview]) {
      for (const path of Object.keys(inputs)) {
        const name = packageOf(path);
        assert.ok(name === undefined ? path.startsWith('src/') : known.includes(name), path);
      }
    }
    assert.ok(!Object.keys(built.webview.inputs).some((path) => packageOf(path) === 'undici'));
  });

  it('comes with the licence of every package in it, and with what its files say of rights', () => {
    const notices = readFileSync(join(folder, 'third-party-notices.txt'), 'utf8');
    const inputs = [built.extension, built.searchWorker, built.webview].flatMap((each) =>
      Object.keys(each.inputs),
    );
    const packages = new Set(inputs.map(packageOf).filter((name) => name !== undefined));
    assert.ok(packages.size > 8);
    for (const name of packages) {
      const [, licence = ''] = new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((.*)\\)$`, 'm').exec(notices) ?? [];
      // All of them may be passed on in a product like this one.
      assert.ok(['MIT', 'ISC', 'BSD-3-Clause'].includes(licence), `${name}: ${licence}`);
      const place = join(root, 'node_modules', name);
      const text = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
      assert.ok(notices.includes(readFileSync(join(place, text ?? ''), 'utf8').trim()), name);
    }
    // Bundling takes the comments out, and a package is not always of its own making.
    for (const path of inputs.filter((each) => packageOf(each) !== undefined)) {
      const holders = readFileSync(join(root, path), 'utf8').match(
        /(?<=^ ?(?:\*|\/\/)+ *)Copyright \(c\) .*$/gim,
      );
      for (const holder of holders ?? []) assert.ok(notices.includes(holder.trim()), `${path}: ${holder}`);
    }
    for (const one of [
      'The MathJax Consortium',
      'Einar Otto Stangvik',
      'Fedor Indutny',
      'TERMS AND CONDITIONS',
    ])
      assert.ok(notices.includes(one), one);
    // Each package's text once.
    assert.ok(notices.length < 45_000, `${notices.length} characters`);
  });

  it('stays within its size', () => {
    const host = Object.values(built.extension.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    const own = sum(
      host.filter(([path]) => packageOf(path) !== 'undici').map(([, { bytesInOutput }]) => bytesInOutput),
    );
    // A quarter of it are what people attach, complete and prompt with, the terminal, others' tools and the look for secrets; a tenth are the
    // list of conversations with its search, their tabs and files, and what guards them.
    assert.ok(own <= 720 * 1024, `the host's bundle has ${own} bytes, undici apart`);
    // What is loaded later is loaded when the first code, or the first formula, is shown.
    const panel: Record<string, number> = { page: 0, highlight: 0, typeset: 0 };
    for (const [path, { bytes }] of Object.entries(built.webview.outputs)) {
      const later = /(?:^|\/)(highlight|typeset)-\w+\.js$/.exec(path)?.[1] ?? 'page';
      panel[later] = (panel[later] ?? 0) + bytes;
    }
    // In the page, the questions of tools, completion and what is found of secrets stand beside the conversation. Typesetting is of a
    // library that reads all of TeX: its tables of symbols and macros are most of it.
    const most: Readonly<Record<string, number>> = { page: 320, highlight: 150, typeset: 220 };
    for (const [part, limit] of Object.entries(most)) {
      const bytes = panel[part] ?? 0;
      assert.ok(bytes > 0 && bytes <= limit * 1024, `the panel's ${part} has ${bytes} bytes`);
    }
  });
});

function probe(bundle: string, ...flags: string[]): Probed {
  // Without the coverage of the parent: the bundle's source map would count its lines as those of the sources.
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  const script = join(root, 'test', 'support', 'bundleProbe.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, bundle, ...flags], {
    encoding: 'utf8',
    env,
  });
  assert.equal(status, 0, stderr.slice(-2000));
  return JSON.parse(stdout) as Probed;
}

function packageOf(path: string): string | undefined {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path)?.[1];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
