/** A tree of 100,000 files in which it is searched, and ripgrep beside it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fetchRipgrep } from '../run/fetchRipgrep.ts';

const folders = 1_000;
const filesInFolder = 100;
/** Without the `.gitignore`. */
export const countOfFiles = folders * filesInFolder;
/** Lines with `findTheNeedle` in all of them. */
export const needles = 101;

export const tree: { folder: string; program: string } = { folder: '', program: '' };

/** Shared by the contests: making it takes longer than searching it. */
export async function makeTree(): Promise<void> {
  tree.program = await fetchRipgrep();
  tree.folder = mkdtempSync(join(tmpdir(), 'tree-'));
  const words =
    'const let function return import export value item total price count index result error'.split(' ');
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const lines = Array.from(
    { length: 2_000 },
    () => `  ${Array.from({ length: 3 + random(8) }, () => words[random(words.length)]).join(' ')};\n`,
  );
  let made = 0;
  for (let number = 0; number < folders; number += 1) {
    const folder = join(tree.folder, `package${number % 20}`, 'src', `module${number}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < filesInFolder; file += 1) {
      let text = Array.from({ length: 10 + random(60) }, () => lines[random(lines.length)]).join('');
      if (made % 997 === 0) text += 'findTheNeedle(42);\n';
      writeFileSync(join(folder, `file${file}.${file % 10 === 0 ? 'css' : 'ts'}`), text);
      made += 1;
    }
  }
  writeFileSync(join(tree.folder, '.gitignore'), 'node_modules\n*.log\ndist/\n');
}

export function removeTree(): Promise<void> {
  rmSync(tree.folder, { recursive: true, force: true });
  return Promise.resolve();
}
