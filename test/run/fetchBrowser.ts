/**
 * Finds a browser to show the workbench in: the one named by KIMI_CHAT_BROWSER, an installed Chrome, Chromium or Edge, or else a
 * headless Chromium from npm with the libraries and fonts it needs. Must not know how it is driven.
 */
import { execFile } from 'node:child_process';
import { access, chmod, constants, cp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { ProblemForPerson } from './problem.ts';
import { browserPins } from './versions.ts';

export interface Browser {
  /** For people: where it came from and its version. */
  readonly title: string;
  readonly executable: string;
  /** To be added to the environment it runs in. */
  readonly env: Readonly<Record<string, string>>;
}

/** Older ones miss features the workbench uses. */
const oldestMajor = 120;

/** Resolves at once when there is one. Rejects with a `ProblemForPerson` when none can be had. */
export async function fetchBrowser(): Promise<Browser> {
  const named = process.env['KIMI_CHAT_BROWSER'];
  if (named !== undefined && named !== '') {
    const browser = await tried(named);
    if (browser) return browser;
    throw new ProblemForPerson(
      `KIMI_CHAT_BROWSER is ${named}, which is no Chrome, Chromium or Edge ${oldestMajor} or newer that can be run.`,
    );
  }
  return (await installedBrowser()) ?? (await browserFromNpm());
}

async function installedBrowser(): Promise<Browser | undefined> {
  for (const candidate of candidates()) {
    const browser = await tried(candidate);
    if (browser) return browser;
  }
  return undefined;
}

function candidates(): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      );
    case 'win32':
      return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
        .map((name) => process.env[name])
        .filter((base) => base !== undefined)
        .flatMap((base) => [
          path.join(base, 'Google/Chrome/Application/chrome.exe'),
          path.join(base, 'Microsoft/Edge/Application/msedge.exe'),
          path.join(base, 'Chromium/Application/chrome.exe'),
        ]);
    default:
      return [
        'google-chrome',
        'google-chrome-stable',
        'chromium',
        'chromium-browser',
        'microsoft-edge',
      ].flatMap((name) =>
        (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name)),
      );
  }
}

async function tried(executable: string): Promise<Browser | undefined> {
  if (!(await canRun(executable))) return undefined;
  // On Windows asking for the version opens a window instead of answering.
  if (process.platform === 'win32') return { title: executable, executable, env: {} };
  // A browser in a snap can't see the profile that is made for it in the folder for temporary files.
  if ((await realpath(executable)).includes('/snap')) return undefined;
  const answer = await promisify(execFile)(executable, ['--version'], { timeout: 20_000 }).catch(
    () => undefined,
  );
  const match = /^(.*?) ?(\d+)\.\d+/.exec(answer?.stdout.trim() ?? '');
  if (!match || Number(match[2]) < oldestMajor) return undefined;
  return { title: `${match[1]} ${match[2]} (${executable})`, executable, env: {} };
}

function canRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function browserFromNpm(): Promise<Browser> {
  const { chromium, fonts, megabytes } = browserPins;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new ProblemForPerson(
      `A Chrome, Chromium or Edge is needed and none was found. Install one, or name it in KIMI_CHAT_BROWSER. ` +
        `(npm has one for Linux on x64 only; this is ${process.platform} on ${process.arch}.)`,
    );
  }
  const title = `Chromium ${chromium.version}`;
  const folder = await fetchOnce({ name: `chromium-${chromium.version}`, recipe: 2, title }, async (part) => {
    console.log(`${title}: no browser is installed, fetching one from npm (once, some ${megabytes} MB)`);
    await npmInstall({
      folder: part,
      packages: [chromium, ...fonts].map(({ name, version }) => `${name}@${version}`),
      title,
    });
    console.log(`${title}: unpacking`);
    await unpackBrowser(part);
    await collectFonts(part);
    await rm(path.join(part, 'node_modules'), { recursive: true });
  });
  const executable = path.join(folder, 'chromium');
  const env = {
    LD_LIBRARY_PATH: [path.join(folder, 'lib'), process.env['LD_LIBRARY_PATH']]
      .filter((entry) => entry !== undefined && entry !== '')
      .join(':'),
    FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
  };
  await promisify(execFile)(executable, ['--version'], { env: { ...process.env, ...env } }).catch(
    (error: Error & { stderr?: string }) => {
      throw new ProblemForPerson(
        `${title} from npm can't run on this machine:\n  ${(error.stderr ?? error.message).trim()}\n` +
          'Install a Chrome, Chromium or Edge, or name one in KIMI_CHAT_BROWSER.',
      );
    },
  );
  return { title: `${title} (from npm)`, executable, env };
}

/** The package keeps everything compressed, and its own unpacking shares one folder for temporary files with everybody. */
async function unpackBrowser(part: string): Promise<void> {
  const bin = path.join(part, 'node_modules', browserPins.chromium.name, 'bin');
  const { extract } = createRequire(path.join(part, 'package.json'))('tar-fs') as {
    extract(folder: string): Writable;
  };
  const unpack = (name: string, into: Writable): Promise<void> =>
    pipeline(createReadStream(path.join(bin, name)), createBrotliDecompress(), into);
  await unpack('chromium.br', createWriteStream(path.join(part, 'chromium')));
  await chmod(path.join(part, 'chromium'), 0o755);
  // Next to the binary, where it looks for them.
  await unpack('swiftshader.tar.br', extract(part));
  // `lib/` with the security and font libraries that a small system lacks.
  await unpack('al2023.tar.br', extract(part));
  await unpack('fonts.tar.br', extract(path.join(part, 'fonts')));
}

/** Only these fonts are used, so that pictures are the same on each machine. */
async function collectFonts(part: string): Promise<void> {
  const modules = path.join(part, 'node_modules');
  const folder = path.join(part, 'fonts');
  await mkdir(folder, { recursive: true });
  const files = [
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSansMono-Oblique.ttf',
    '@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf',
    '@embedpdf/fonts-sc/fonts/NotoSansHans-Bold.otf',
    '@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf',
    '@embedpdf/fonts-kr/fonts/NotoSansKR-Bold.otf',
  ];
  for (const file of files) await cp(path.join(modules, file), path.join(folder, path.basename(file)));
  await writeFile(
    path.join(part, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
${alias(['sans-serif', 'system-ui', 'Arial', 'Helvetica'], ['Open Sans', 'Noto Sans Hans', 'Noto Sans KR', 'DejaVu Sans'])}
${alias(['monospace', 'Courier New', 'Liberation Mono', 'Droid Sans Mono'], ['DejaVu Sans Mono', 'Noto Sans Hans', 'Noto Sans KR'])}
</fontconfig>
`,
  );
}

/** What is asked for under these names is answered with these fonts. */
function alias(families: readonly string[], fonts: readonly string[]): string {
  const names = fonts.map((font) => `<family>${font}</family>`).join('');
  return families
    .map((family) => `  <alias binding="same"><family>${family}</family><prefer>${names}</prefer></alias>`)
    .join('\n');
}
