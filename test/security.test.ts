/** What `SECURITY.md` says is shown: each claim names tests, and each test that it names is there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly vscode: string };
};

interface Claim {
  readonly text: string;
  /** Without a title it is all of the file. */
  readonly tests: readonly { readonly file: string; readonly title?: string }[];
}

/** The part under a heading, up to the next one of the same level or above. */
function part(title: string): string {
  const found = page.split(/^(?=#{2,3} )/m).filter((each) => each.startsWith(`### ${title}\n`));
  assert.equal(found.length, 1, title);
  return found[0] ?? '';
}

/** The points of its lists below which tests are named, line by line. */
function claimsOf(text: string): readonly Claim[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!line.startsWith('- ')) return [];
    const below = lines.slice(index + 1);
    const end = below.findIndex((each) => !each.startsWith('  - '));
    const tests = below.slice(0, end < 0 ? undefined : end).flatMap((shown) => {
      const [, file = '', titles = ''] = /^ {2}- `(test\/[\w./-]+)`((?: “[^”]+”,?)*)$/.exec(shown) ?? [];
      assert.notEqual(file, '', `no test: ${shown}`);
      const named = [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title }));
      return named.length === 0 ? [{ file }] : named;
    });
    return tests.length === 0 ? [] : [{ text: line, tests }];
  });
}

/** The titles of tests and of groups of tests in a file. */
function titlesIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\b(?:it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g)].map(
    ([, single, double, back]) => single ?? double ?? back ?? '',
  );
}

describe('SECURITY.md', () => {
  const threats = [
    'A hostile repository',
    'A hostile file or web page that the model reads',
    'A hostile or broken server',
    'Another extension',
    'A person looking over your shoulder',
  ];

  it('tells of each of five what it can do and what it can’t, and what shows that', () => {
    for (const threat of threats) {
      const text = part(threat);
      const [, cannot = ''] =
        /^\*\*(?:It|They) can’t\*\*\n\n(.*?)\n\n\*\*(?:It|They) can\*\*/ms.exec(text) ?? [];
      const points = cannot.split('\n').filter((line) => line.startsWith('- '));
      assert.ok(points.length >= 3, threat);
      const shown = claimsOf(cannot).map((claim) => claim.text);
      assert.deepEqual(shown, points, 'what no test shows');
    }
  });

  it('names tests that there are', () => {
    const tests = claimsOf(page).flatMap((claim) => claim.tests);
    assert.ok(tests.length > 40, `only ${tests.length}`);
    for (const { file, title } of tests) {
      assert.ok(existsSync(join(root, file)), file);
      if (title !== undefined) assert.ok(titlesIn(file).includes(title), `${file}: ${title}`);
    }
    // And all that are named at all are named in a claim.
    const named = new Set([...page.matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file));
    assert.deepEqual([...named].toSorted(), [...new Set(tests.map(({ file }) => file))].toSorted());
  });

  it('would notice a test that is not there', () => {
    const [claim] = claimsOf(
      '- nothing at all.\n  - `test/security.test.ts` “was never written”, “names tests that there are”',
    );
    assert.deepEqual(
      claim?.tests.map(({ file, title = '' }) => titlesIn(file).includes(title)),
      [false, true],
    );
  });

  it('names the versions that there are', () => {
    const [major = '', minor = ''] = manifest.version.split('.');
    assert.ok(page.includes(`\`${major}.${minor}\``), manifest.version);
    assert.ok(page.includes(`VS Code ${manifest.engines.vscode.replace(/^\^|\.0$/g, '')}`));
  });

  it('leads to parts of the README that there are, and is led to from there', () => {
    const anchors = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(/[^\w]+/g, '-'),
    );
    const targets = [...page.matchAll(/\]\(README\.md#([^)]+)\)/g)].map(([, target = '']) => target);
    assert.ok(targets.length > 0);
    for (const target of targets) assert.ok(anchors.includes(target), target);
    assert.match(readme, /\]\(SECURITY\.md\)/);
  });
});
