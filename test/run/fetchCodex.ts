/** Brings the Codex command line from npm, a client and a patch engine written by others. Must not know what it is compared with. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { ProblemForPerson } from './problem.ts';
import { codexVersion } from './versions.ts';

/** What Rust calls the platforms the binary is published for. */
const targets: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/** Path of the native binary; run through a link named `apply_patch`, it applies its argument as a patch. */
export async function fetchCodex(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const target = targets[platform];
  if (target === undefined)
    throw new ProblemForPerson(`The Codex command line is not published for ${platform}.`);
  const title = `Codex ${codexVersion}`;
  const folder = await fetchOnce({ name: `codex-${codexVersion}`, recipe: 1, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once)`);
    await npmInstall({ folder: part, packages: [`@openai/codex@${codexVersion}`], title });
    await access(binaryIn(part, platform, target));
  });
  return binaryIn(folder, platform, target);
}

function binaryIn(folder: string, platform: string, target: string): string {
  const name = process.platform === 'win32' ? 'codex.exe' : 'codex';
  return path.join(folder, `node_modules/@openai/codex-${platform}/vendor/${target}/bin`, name);
}
