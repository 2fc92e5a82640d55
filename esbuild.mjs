/**
 * Builds what ships (`dist/extension.cjs`, `dist/searchWorker.cjs`, `dist/webview/`, with `--production` `dist/readme.md` too) and what the host tests load (`dist/test/host.cjs`).
 *
 *   node esbuild.mjs [--watch] [--production]
 *
 * Tests call `build` from here, so that what they check is what ships. Knows nothing of any module's content.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { watch as watchFolder } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * Importing undici writes its dispatcher into two slots of `globalThis` which the `fetch` of Node itself reads. All
 * extensions share one process, so that would send everybody's requests through our Agent. The file that does it is replaced
 * by one with the same exports and a variable of its own.
 */
const undiciKeepsToItself = {
  name: 'undici-keeps-to-itself',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]global\.js$/ }, async ({ path }) => {
      const original = await readFile(path, 'utf8');
      const exported = /module\.exports = \{([^}]*)\}/.exec(original)?.[1]?.match(/\w+/g)?.join();
      const installed = /\bconst installedExports = [^[]*(\[[^\]]*\])/.exec(original)?.[1];
      if (
        exported !== 'setGlobalDispatcher,getGlobalDispatcher,installedExports' ||
        installed === undefined
      ) {
        return {
          errors: [
            { text: `undici's lib/global.js has changed: bring the replacement in esbuild.mjs up to date` },
          ],
        };
      }
      return {
        loader: 'js',
        resolveDir: dirname(path),
        contents: `'use strict'
          const Agent = require('./dispatcher/agent')
          let dispatcher
          module.exports = {
            setGlobalDispatcher (agent) { dispatcher = agent },
            getGlobalDispatcher () { return dispatcher ??= new Agent() },
            installedExports: ${installed}
          }`,
      };
    });
  },
};

/** Each target by name. */
const targets = {
  extension: {
    entry: 'src/extension.ts',
    options: {
      outfile: 'extension.cjs',
      platform: 'node',
      format: 'cjs',
      // The Node of the oldest VS Code in `engines`.
      target: 'node22',
      external: ['vscode'],
      plugins: [undiciKeepsToItself],
    },
  },
  searchWorker: {
    // A thread of its own, so a file of its own.
    entry: 'src/host/tools/searchWorker.ts',
    options: {
      outfile: 'searchWorker.cjs',
      platform: 'node',
      format: 'cjs',
      target: 'node22',
    },
  },
  webview: {
    entry: 'src/webview/main.tsx',
    options: {
      outdir: 'webview',
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      // What is imported with `import()` becomes a chunk of its own, loaded when first needed.
      splitting: true,
      entryNames: '[name]',
      chunkNames: '[name]-[hash]',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    },
  },
  hostTests: {
    entry: 'test/host/index.ts',
    options: {
      outfile: 'test/host.cjs',
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      external: ['vscode', 'mocha'],
      plugins: [undiciKeepsToItself],
      // The simulator's demo reads the sample beside its own source, which no host test asks it to.
      logOverride: { 'empty-import-meta': 'silent' },
    },
    test: true,
  },
};

/**
 * @param {{ production: boolean, outdir: string }} how
 * @returns {{ name: string, options: import('esbuild').BuildOptions }[]} what ships, and beside it what tests load
 */
function plan({ production, outdir }) {
  const planned = [];
  for (const [name, { entry, options, test }] of Object.entries(targets)) {
    if (test && production) continue;
    const { outfile, outdir: folder, ...rest } = options;
    planned.push({
      name,
      options: {
        ...rest,
        ...(outfile ? { outfile: join(outdir, outfile) } : { outdir: join(outdir, folder) }),
        absWorkingDir: root,
        entryPoints: [entry],
        bundle: true,
        charset: 'utf8',
        metafile: true,
        minify: production,
        sourcemap: production ? false : 'linked',
        legalComments: production ? 'none' : 'inline',
        define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
        logLevel: 'warning',
      },
    });
  }
  return planned;
}

/**
 * Builds every target once. Rejects with esbuild's own error (already printed) when one does not build.
 * @param {{ production?: boolean, outdir?: string }} [how] `outdir` defaults to `dist`
 * @returns {Promise<Record<string, import('esbuild').Metafile>>} by target name; also written to `<outdir>/meta/`
 */
export async function build({ production = false, outdir = join(root, 'dist') } = {}) {
  const planned = plan({ production, outdir });
  // Chunk names carry a hash: without this, chunks of earlier builds would pile up and be packaged.
  await rm(join(outdir, 'webview'), { recursive: true, force: true });
  await mkdir(join(outdir, 'meta'), { recursive: true });
  const metafiles = {};
  await Promise.all(
    planned.map(async ({ name, options }) => {
      const { metafile } = await esbuild.build(options);
      await writeFile(join(outdir, 'meta', `${name}.json`), JSON.stringify(metafile, null, 1));
      metafiles[name] = metafile;
    }),
  );
  if (production) {
    await writeNotices(metafiles, join(outdir, 'third-party-notices.txt'));
    await writeFile(
      join(outdir, 'readme.md'),
      readmeOfPackage(await readFile(join(root, 'README.md'), 'utf8')),
    );
  }
  return metafiles;
}

/** What only somebody with the sources needs. */
const forDevelopers = ['Try it', 'How it works', 'Work on it'];

/**
 * What VS Code shows of an installed extension: it takes pictures from https alone and knows no file that a link may lead to, so
 * both are left out, and with them what only developers need. Throws where the README has changed its parts.
 * @param {string} text
 */
function readmeOfPackage(text) {
  const parts = text.split(/^(?=## )/m);
  for (const title of forDevelopers) {
    const at = parts.findIndex((part) => part.startsWith(`## ${title}\n`));
    if (at < 0) throw new Error(`README.md has no part "${title}"`);
    parts.splice(at, 1);
  }
  return parts
    .join('')
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '')
    .replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, '$1');
}

/**
 * The licences of the packages that went into the bundles have to go with them, and so have the notices that stand in their files,
 * which bundling takes out. Rejects where a package has none.
 */
async function writeNotices(metafiles, file) {
  /** @type {Map<string, Set<string>>} The files that went in, by the folder of their package. */
  const packages = new Map();
  for (const { inputs } of Object.values(metafiles)) {
    for (const path of Object.keys(inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      if (folder) packages.set(folder, (packages.get(folder) ?? new Set()).add(path));
    }
  }
  const notices = [];
  for (const [folder, files] of [...packages].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const texts = new Set();
    for (const place of new Set([folder, ...[...files].map(dirname)])) {
      const entries = (await readdir(join(root, place))).filter((entry) =>
        /^(?:licen[cs]e|notice|copying)/i.test(entry),
      );
      for (const entry of entries) texts.add((await readFile(join(root, place, entry), 'utf8')).trim());
    }
    if (texts.size === 0) throw new Error(`${name} comes without the text of its licence (${license})`);
    for (const path of files) {
      for (const notice of noticesIn(await readFile(join(root, path), 'utf8'))) texts.add(notice);
    }
    notices.push(`${name} ${version} (${license})\n\n${[...texts].join('\n\n')}\n`);
  }
  // What a package holds of others whose text it does not bring.
  const licence = (name) => readFile(join(root, 'media', 'licences', name), 'utf8');
  if ([...packages.values()].some((files) => [...files].some((path) => /\/llhttp\/.*wasm/.test(path))))
    notices.push(`llhttp, in undici (MIT)\n\n${await licence('llhttp.txt')}`);
  if (notices.some((text) => /Apache License, Version 2|Apache 2 license/.test(text)))
    notices.push(await licence('Apache-2.0.txt'));
  await writeFile(file, notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Comments that begin a line and speak of rights. */
function noticesIn(source) {
  const comments = source.match(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
  return comments
    .filter((text) =>
      /(?:©|\(c\)|copyright) \d|licen[cs]ed under|under .{1,30}licen[cs]e|@licen[cs]e/i.test(text),
    )
    .map((text) => text.trim().replaceAll(/^[ \t]+/gm, ' '));
}

const translations = join(root, 'media', 'l10n');

/** VS Code wants the manifest's translations beside `package.json`; they are kept with all the others. */
async function copyManifestTranslations() {
  for (const name of await readdir(translations)) {
    if (/^package\.nls(\.[\w-]+)?\.json$/.test(name))
      await copyFile(join(translations, name), join(root, name));
  }
}

/** Rebuilds on each change; the lines it prints are what the problem matcher in `.vscode/tasks.json` looks for. */
async function watch() {
  const planned = plan({ production: false, outdir: join(root, 'dist') });
  // All of them count as building from the start, or the first to finish would report the whole build finished.
  const building = new Set(planned.map(({ name }) => name));
  console.log('[watch] build started');
  for (const { name, options } of planned) {
    const announce = {
      name: 'announce',
      setup({ onStart, onEnd }) {
        onStart(() => {
          if (building.size === 0) console.log('[watch] build started');
          building.add(name);
        });
        onEnd(() => {
          building.delete(name);
          if (building.size === 0) console.log('[watch] build finished');
        });
      },
    };
    const context = await esbuild.context({ ...options, plugins: [announce, ...(options.plugins ?? [])] });
    await context.watch();
  }
  watchFolder(translations, () => void copyManifestTranslations());
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const flags = process.argv.slice(2);
  const unknown = flags.filter((flag) => !['--watch', '--production'].includes(flag));
  if (unknown.length > 0) {
    console.error(`unknown option ${unknown.join(' ')}; known are --watch and --production`);
    process.exit(2);
  }
  try {
    await copyManifestTranslations();
    await (flags.includes('--watch') ? watch() : build({ production: flags.includes('--production') }));
  } catch (error) {
    // esbuild has printed its own errors already.
    if (!Array.isArray(error?.errors)) console.error(error);
    process.exit(1);
  }
}
