/** What the README names is there: files, scripts, options, settings, commands, packages. And what is there to be named is named. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly keybindings: readonly { readonly key: string; readonly when: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly order: number; readonly default: unknown }>>;
    };
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Each first group of the pattern, once. */
function all(pattern: RegExp, text = readme): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))];
}

/** The names under which a page's headings can be linked to. */
function anchorsOf(page: string): string[] {
  return all(/^#+ (.*)$/gm, page).map((title) => title.toLowerCase().replaceAll(/[^\w]+/g, '-'));
}

/** The part under a heading, up to the next one of any level. */
function part(title: string): string {
  const at = readme.search(new RegExp(`^#+ ${title}$`, 'm'));
  assert.ok(at >= 0, title);
  const [, ...lines] = readme.slice(at).split('\n');
  const end = lines.findIndex((line) => line.startsWith('#'));
  return lines.slice(0, end < 0 ? undefined : end).join('\n');
}

describe('the README', () => {
  it('names files and folders that there are', () => {
    const paths = [
      ...all(/`((?:src|test|media|\.ci)\/[\w./-]*)`/g),
      ...all(/\]\(((?!https:|#)[^)]+)\)/g),
      ...all(/^ *→ ((?:core|host|protocol|webview)\/\S+)/gm).map((path) => `src/${path}`),
    ];
    assert.ok(paths.length > 30, `only ${paths.length}`);
    for (const path of paths) {
      const [file = '', heading] = path.split('#');
      const found = ['', '.ts', '.tsx'].map((end) => join(root, file + end)).find((each) => existsSync(each));
      assert.ok(found !== undefined, path);
      if (heading === undefined) continue;
      assert.ok(anchorsOf(readFileSync(found, 'utf8')).includes(heading), path);
    }
  });

  it('leads to its own parts', () => {
    const anchors = anchorsOf(readme);
    for (const target of all(/\]\(#([^)]+)\)/g)) assert.ok(anchors.includes(target), target);
  });

  it('names every script that people run, and no other', () => {
    const named = [...all(/`npm run ([\w:]+)`/g), ...all(/`(test:[\w:]+)`/g)];
    for (const script of named) assert.ok(script in manifest.scripts, script);
    const parts = ['build', 'watch', 'format', 'vscode:prepublish', 'start', 'test'];
    for (const script of Object.keys(manifest.scripts)) {
      const known = named.includes(script) || parts.includes(script) || script.startsWith('check:');
      assert.ok(known, script);
    }
  });

  it('names the options of npm start, as its help does', () => {
    const help = readFileSync(join(root, 'test/run/start.ts'), 'utf8');
    const options = all(/^ {2}(--[\w-]+)/gm, help);
    assert.ok(options.includes('--help'));
    assert.deepEqual(all(/^\| `npm start -- (--[\w-]+)/gm).toSorted(), options.toSorted());
  });

  it('tells where what is kept lies: each folder that the extension has in its storage', () => {
    const sources = [
      'extension.ts',
      'host/edits/review/registerReview.ts',
      'host/composer/composerStore.ts',
    ].map((path) => readFileSync(join(root, 'src', path), 'utf8'));
    const folders = all(
      /(?:join\(storage, |ownFolder\(context, |const \w+Folder = )'(\w+)'/g,
      sources.join('\n'),
    );
    assert.deepEqual(folders.toSorted(), ['accepted', 'composer', 'conversations', 'waiting', 'window']);
    assert.deepEqual(all(/^\| `(\w+)`/gm, part('What is kept')).toSorted(), folders.toSorted());
  });

  it('names every setting with its default, in the order in which VS Code shows them', () => {
    const settings = Object.entries(manifest.contributes.configuration.properties).toSorted(
      ([, one], [, other]) => one.order - other.order,
    );
    assert.equal(new Set(settings.map(([, { order }]) => order)).size, settings.length);
    assert.deepEqual(
      all(/^\| `(kimiChat\.\w+)`/gm),
      settings.map(([name]) => name),
    );
    const told = new Map(
      [...readme.matchAll(/^\| `(kimiChat\.\w+)` +\| ([^|]+?) +\|/gm)].map(([, name, text]) => [name, text]),
    );
    for (const [name, { default: value }] of settings) {
      // What is empty is told in words.
      const isEmpty = value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
      if (!isEmpty) assert.equal(told.get(name), `\`${String(value)}\``, name);
    }
  });

  it('calls commands and buttons by their names', () => {
    const read = (file: string): Record<string, string> =>
      JSON.parse(readFileSync(join(root, 'media/l10n', file), 'utf8')) as Record<string, string>;
    const titles = Object.entries(read('package.nls.json')).flatMap(([key, title]) =>
      key.startsWith('command.') ? [title] : [],
    );
    // The English texts are the keys.
    const texts = new Set([
      ...titles,
      ...titles.map((title) => `Kimi Chat: ${title}`),
      ...['panel.l10n.ko.json', 'bundle.l10n.ko.json'].flatMap((file) => Object.keys(read(file))),
    ]);
    const named = all(/(?<!\w)_([A-Z][^_\n]*)_(?!\w)/g);
    assert.ok(named.length > 20, `only ${named.length}`);
    const ofOthers = [
      'MCP: List Servers',
      'Configure Display Language',
      'Extension with your settings and key',
    ];
    assert.deepEqual(named.filter((name) => !texts.has(name)).toSorted(), ofOthers.toSorted());
  });

  it('tells the keys of the diff editor', () => {
    const told = all(/`([^`]+)`/g, all(/^\| (`Ctrl\+K [^|]*)\|/gm, part('Review')).join('\n'));
    const { keybindings } = manifest.contributes;
    const own = keybindings.filter(({ when }) => when.includes('kimi-proposal')).map(({ key }) => key);
    assert.deepEqual(told.map((key) => key.toLowerCase()).toSorted(), own.toSorted());
  });

  it('says of every package what it is for', () => {
    const named = all(/`([^`]+)`/g, all(/^\| ([^|]+)\|/gm, part('Dependencies')).join('\n'));
    const used = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const isNamed = (name: string): boolean =>
      named.includes(name) || (name.startsWith('@types/') && named.includes('@types/*'));
    assert.deepEqual(
      used.filter((name) => !isNamed(name)),
      [],
    );
    assert.deepEqual(
      named.filter((name) => name !== '@types/*' && !used.includes(name)),
      [],
    );
  });
});
