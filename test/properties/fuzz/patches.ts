/** Whatever text a patch is and whatever the files are, there is a plan for them that changes nothing outside, or a failure that says so. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

import { invertPlan } from '../../../src/core/patch/invert.ts';
import type { EditPlan } from '../../../src/core/patch/editPlan.ts';
import { PatchProgressReader } from '../../../src/core/patch/progress.ts';
import { reportFailure } from '../../../src/core/patch/reportFailure.ts';
import { reportOutcome } from '../../../src/core/patch/reportOutcome.ts';
import { applyReplacements } from '../../../src/core/patch/replacements.ts';
import type { Root } from '../../../src/core/workspacePath.ts';
import { applied, plan, viewOf, type Texts } from '../../core/patch/texts.ts';
import type { Chance } from './chance.ts';
import { anyPath } from './paths.ts';
import { cut, spoiledText, strangeText } from './spoil.ts';

const folder = join(import.meta.dirname, '../../fixtures/patches');

interface Sample {
  readonly texts: Texts;
  readonly patch: string;
}

const samples: readonly Sample[] = readdirSync(folder).map((name) => ({
  texts: textsIn(join(folder, name, 'before')),
  patch: readFileSync(join(folder, name, 'patch.txt'), 'utf8'),
}));

function textsIn(path: string): Texts {
  if (!existsSync(path)) return {};
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((file) => {
      const full = join(file.parentPath, file.name);
      return [full.slice(path.length + 1).replaceAll('\\', '/'), readFileSync(full, 'utf8')];
    }),
  );
}

const workspaces: readonly (readonly Root[])[] = [
  [{ name: 'work', path: '/work', caseInsensitive: false }],
  [{ name: 'work', path: 'C:\\work', caseInsensitive: true }],
  [{ name: 'work', path: '\\\\server\\share\\work', caseInsensitive: true }],
  [
    { name: 'a', path: '/work/a', caseInsensitive: true },
    { name: 'b', path: '/work/a/b', caseInsensitive: true },
  ],
];

function spoiled(chance: Chance, { texts, patch }: Sample): Sample {
  const made = chance.once(3) ? spoiledText(chance, patch) : patch;
  const renamed = made.replaceAll(
    /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.*)$/gm,
    (line, head: string) => (chance.once(3) ? head + anyPath(chance) : line),
  );
  const lines = renamed.split('\n');
  for (let left = chance.few(3); left > 0; left--) {
    const at = chance.below(lines.length);
    const other = chance.pick(samples).patch.split('\n');
    const what = chance.below(4);
    if (what === 0) lines.splice(at, 1 + chance.few(5));
    else if (what === 1)
      lines.splice(at, 0, ...other.slice(chance.below(other.length)).slice(0, 1 + chance.few(6)));
    else if (what === 2)
      lines.splice(at, 0, chance.pick([' ', '+', '-', '@@ ', '*** ']) + strangeText(chance));
    else lines.splice(at, 0, lines[chance.below(lines.length)] ?? '');
  }
  const others = chance.once(4)
    ? Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, spoiledText(chance, text)]))
    : texts;
  return { texts: others, patch: lines.join('\n') };
}

export function tryPatch(chance: Chance): void {
  const { texts, patch } = spoiled(chance, chance.pick(samples));
  const roots = chance.pick(workspaces);
  watchInPieces(chance, patch);
  const planned = plan(texts, patch, viewOf(texts, roots));
  if (!planned.ok) {
    const report = reportFailure(planned.error);
    assert.ok(planned.error.problems.length > 0);
    assert.ok(report.startsWith('Nothing was changed.') && report.length <= 4_000, report.slice(0, 200));
    return;
  }
  for (const edit of planned.value.files) {
    checkInside(edit.path, roots);
    if (edit.kind !== 'update') continue;
    if (edit.to !== undefined) checkInside(edit.to, roots);
    assert.equal(applyReplacements(edit.before, edit.replacements), edit.after);
    assert.ok(edit.places.length >= 0);
  }
  // Of several folders, texts have no names of their own here.
  if (roots.length === 1 && roots[0]?.caseInsensitive === false) {
    const after = applied(texts, planned.value);
    assert.deepEqual(applied(after, invertPlan(planned.value)), texts);
  }
  checkReport(planned.value);
}

/** By the platforms' own reading of paths, which knows nothing of ours. */
function checkInside({ root, relative }: EditPlan['files'][number]['path'], roots: readonly Root[]): void {
  const base = roots[root]?.path;
  assert.ok(base !== undefined);
  const windows = base.includes('\\');
  const { resolve, sep } = windows ? win32 : posix;
  const real = resolve(base, relative);
  assert.ok(real.startsWith(base + sep), `${JSON.stringify(relative)} is outside`);
  const names = relative.split(/[\\/]/);
  for (const name of names) {
    assert.ok(
      !/^\.git$/i.test(name) && name !== '..' && name !== '',
      `${JSON.stringify(relative)} is protected`,
    );
    assert.doesNotMatch(name, /[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/);
    if (windows) assert.doesNotMatch(name, /[:<>"|?*]|[. ]$|^(?:con|nul)(?:$|\.)/i);
  }
}

function checkReport(made: EditPlan): void {
  if (made.files.length === 0) return;
  const text = reportOutcome(made, { files: made.files.map(() => ({ kind: 'rejected', reason: 'no' })) });
  assert.ok(text.length > 0);
}

const encoder = new TextEncoder();

function watchInPieces(chance: Chance, patch: string): void {
  const reader = new PatchProgressReader();
  const decoder = new TextDecoder();
  for (const piece of cut(chance, encoder.encode(patch))) {
    for (const file of reader.feed(decoder.decode(piece, { stream: true })) ?? []) {
      assert.ok(file.index >= 0 && (file.added ?? 0) >= 0 && (file.removed ?? 0) >= 0);
    }
  }
}
