/** Runs the Codex binary as `apply_patch` on files in a folder of their own. Must not know what it is compared with. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchCodex } from '../run/fetchCodex.ts';

export interface CodexResult {
  readonly ok: boolean;
  /** What it wrote to its error stream. */
  readonly complaint: string;
  /** Every file there afterwards. */
  readonly after: Readonly<Record<string, string>>;
}

export class CodexPatch {
  readonly #folder: string;
  #runs = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<CodexPatch> {
    const binary = await fetchCodex();
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'codex-patch-')));
    await mkdir(path.join(folder, 'home'));
    await symlink(binary, path.join(folder, 'apply_patch'));
    return new CodexPatch(folder);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async apply(before: Readonly<Record<string, string>>, patch: string): Promise<CodexResult> {
    this.#runs += 1;
    const work = path.join(this.#folder, `work${this.#runs}`);
    await mkdir(work);
    try {
      for (const [name, text] of Object.entries(before)) {
        const file = path.join(work, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
      }
      const { code, complaint } = await this.run(patch, work);
      return { ok: code === 0, complaint, after: await readFiles(work) };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** One process; the patch goes in by its input, which has no bound on its length. `code` is null where it took longer than allowed. */
  run(
    patch: string,
    folder: string,
    maxMilliseconds = 60_000,
  ): Promise<{ readonly code: number | null; readonly complaint: string }> {
    const home = path.join(this.#folder, 'home');
    const child = spawn(path.join(this.#folder, 'apply_patch'), [], {
      cwd: folder,
      env: { HOME: home, USERPROFILE: home, CODEX_HOME: home, PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: maxMilliseconds,
      killSignal: 'SIGKILL',
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint += chunk));
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(patch);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, complaint }));
    });
  }
}

async function readFiles(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    found[path.relative(root, file).replaceAll('\\', '/')] = await readFile(file, 'utf8');
  }
  return found;
}
