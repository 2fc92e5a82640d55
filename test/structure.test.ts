/**
 * The architecture holds: who may import whom, what may stand nowhere, what lies at the top. And the machines that say so work:
 * each rule is broken once in `fixtures/violations/planted`, where a file's first line names who must report it, and nobody
 * reports anything else there or in `fixtures/violations/clean`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { problemsIn } from './support/houseRules.ts';
import { readSources } from './support/sourceTree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const violations = join(root, 'test', 'fixtures', 'violations');

describe('the source tree', () => {
  const sources = readSources(root, 'src');

  it('is read, imports included', () => {
    assert.ok(sources.length > 30, `only ${sources.length} files`);
    const withImports = sources.filter(({ imports }) => imports.length > 0);
    assert.ok(withImports.length > sources.length / 2, `imports found in only ${withImports.length} files`);
    for (const { path, text, imports } of sources) {
      const statements = text.match(/^(?:import|\} from|export .* from)\b.*'.*';$/gm)?.length ?? 0;
      assert.ok(
        imports.length >= statements,
        `${path}: ${imports.length} imports read, ${statements} lines look like one`,
      );
    }
  });

  it('keeps the rules of the house', () => {
    assert.deepEqual(problemsIn(sources), []);
  });

  it('has a core and a protocol of which every module loads by itself on plain Node', async () => {
    // A module that no test imports would be missing from the coverage; loaded here, it counts as uncovered.
    for (const { path } of sources) {
      if (/^src\/(?:core|protocol)\//.test(path)) await import(new URL(`../${path}`, import.meta.url).href);
    }
  });

  it('has nothing at the top but what belongs there', () => {
    const belongs = [
      ...['src', 'media', 'test'],
      ...[
        'package.json',
        'package-lock.json',
        'tsconfig.json',
        'esbuild.mjs',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'SECURITY.md',
      ],
    ];
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          new RegExp(
            `^${line
              .replace(/^\/|\/$/g, '')
              .replaceAll('.', '\\.')
              .replaceAll('*', '.*')}$`,
          ),
      );
    const visible = readdirSync(root)
      .filter((name) => !name.startsWith('.') && !ignored.some((pattern) => pattern.test(name)))
      .toSorted();
    assert.deepEqual(visible, belongs.toSorted());
  });
});

describe('planted violations', function () {
  this.timeout(120_000);

  const planted = readSources(join(violations, 'planted'), 'src');
  const expected = new Map(planted.map(({ path, text }) => [path, expectedReports(path, text)]));
  const clean = readSources(join(violations, 'clean'), 'src').map(({ path }) => path);
  const reported = new Map<string, Set<string>>();

  before(() => {
    const tree = mkdtempSync(join(tmpdir(), 'violations-'));
    try {
      cpSync(join(violations, 'clean'), tree, { recursive: true });
      cpSync(join(violations, 'planted'), tree, { recursive: true });
      // The very configuration that the project is checked with.
      for (const name of ['package.json', 'tsconfig.json', '.tsconfig.base.json', '.oxlintrc.json']) {
        cpSync(join(root, name), join(tree, name));
      }
      for (const folder of ['src/core', 'src/protocol', 'src/host', 'src/webview']) {
        cpSync(join(root, folder, 'tsconfig.json'), join(tree, folder, 'tsconfig.json'));
      }
      symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
      const keep = ([path, code]: Report): void => {
        if (!reported.has(path)) reported.set(path, new Set());
        reported.get(path)?.add(code);
      };
      text(tree).forEach(keep);
      oxlint(tree).forEach(keep);
      // The types of a package that may not be imported bring the names of Node and of the page with them, and would hide that
      // the compiler knows neither in the core.
      for (const [path, by] of expected)
        if (!by.some((report) => report.startsWith('tsc'))) rmSync(join(tree, path));
      tsc(tree).forEach(keep);
    } finally {
      rmSync(tree, { recursive: true, force: true });
    }
  });

  for (const path of expected.keys()) {
    it(`reports ${path}`, () => {
      assert.deepEqual([...(reported.get(path) ?? [])].toSorted(), expected.get(path));
    });
  }

  for (const path of clean) {
    it(`finds nothing in ${path}`, () => {
      assert.deepEqual([...(reported.get(path) ?? [])], []);
    });
  }

  it('reports nothing else', () => {
    const others = [...reported.keys()].filter((path) => !expected.has(path) && !clean.includes(path));
    assert.deepEqual(others, []);
  });
});

/** Reads `Reported by oxlint a, b; tsc TS1; text c.` as `oxlint a`, `oxlint b`, … */
function expectedReports(path: string, text: string): string[] {
  const sentence = /Reported by ([^.]+)\./.exec(text.split('\n', 1)[0] ?? '')?.[1];
  assert.ok(sentence, `${path} does not say who must report it`);
  return sentence
    .split('; ')
    .flatMap((part) => {
      const [by = '', codes = ''] = part.split(/ (.*)/);
      return codes.split(', ').map((code) => `${by} ${code}`);
    })
    .toSorted();
}

type Report = readonly [path: string, code: string];

function run(tree: string, tool: string, ...args: string[]): string {
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  const script = join(root, 'node_modules', tool);
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [script, ...args], {
    cwd: tree,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 26,
  });
  if (error) throw error;
  assert.notEqual(status, 0, `${tool} found nothing: ${stdout}${stderr}`);
  return stdout;
}

function oxlint(tree: string): Report[] {
  const output = run(tree, 'oxlint/bin/oxlint', '--type-aware', '--format', 'unix', 'src');
  return [...output.matchAll(/^(\S+?):\d+:\d+: .* \[\w+\/[\w-]+\((.+?)\)\]$/gm)].map(
    ([, path = '', rule = '']): Report => [path.replaceAll('\\', '/'), `oxlint ${rule}`],
  );
}

function tsc(tree: string): Report[] {
  const output = run(tree, 'typescript/bin/tsc', '-b', '--pretty', 'false');
  return [...output.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+):/gm)].map(
    ([, path = '', code = '']): Report => [path.replaceAll('\\', '/'), `tsc ${code}`],
  );
}

function text(tree: string): Report[] {
  return problemsIn(readSources(tree, 'src')).map(({ file, rule }): Report => [file, `text ${rule}`]);
}
