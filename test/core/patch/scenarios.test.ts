/**
 * Every folder of `test/fixtures/patches`: the files before, the patch, and the files after or the kind of the error. Text is
 * compared byte for byte, and `why.txt` says what the case is for.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { invertPlan } from '../../../src/core/patch/invert.ts';
import { parsePatch } from '../../../src/core/patch/parse.ts';
import { PatchProgressReader } from '../../../src/core/patch/progress.ts';
import { applyReplacements } from '../../../src/core/patch/replacements.ts';
import { reportFailure } from '../../../src/core/patch/reportFailure.ts';
import { applied, plan, type Texts } from './texts.ts';

const folder = join(import.meta.dirname, '../../fixtures/patches');

describe('patch scenarios', () => {
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name);
    const before = readTexts(join(path, 'before'));
    const patch = readFileSync(join(path, 'patch.txt'), 'utf8');
    it(`${name}: ${readFileSync(join(path, 'why.txt'), 'utf8').trim()}`, () => {
      const planned = plan(before, patch);
      const error = join(path, 'error.txt');
      if (existsSync(error)) {
        assert.ok(!planned.ok, 'a plan was made');
        assert.equal(planned.error.problems[0]?.kind, readFileSync(error, 'utf8').trim());
        assert.match(reportFailure(planned.error), /^Nothing was changed\./);
        return;
      }
      assert.ok(planned.ok, planned.ok ? '' : reportFailure(planned.error));
      const after = applied(before, planned.value);
      assert.deepEqual(after, readTexts(join(path, 'after')));
      assert.deepEqual(applied(after, invertPlan(planned.value)), before);
      for (const edit of planned.value.files) {
        if (edit.kind === 'update')
          assert.equal(applyReplacements(edit.before, edit.replacements), edit.after);
      }
    });
  }
});

describe('patch scenarios, while they arrive,', () => {
  for (const name of readdirSync(folder).toSorted()) {
    const patch = readFileSync(join(folder, name, 'patch.txt'), 'utf8');
    it(`${name} is no patch before its last line`, () => {
      const reader = new PatchProgressReader();
      let seen = '';
      for (const character of patch) {
        seen += character;
        reader.feed(character);
        // A quoted end marker can't be told from the end itself as long as nothing, or next to nothing, follows.
        if (/\*\*\* End Patch\s*\*{0,2}$/.test(seen)) continue;
        if (patch.slice(seen.length).includes('*** End Patch'))
          assert.equal(parsePatch(seen).ok, false, seen);
      }
    });
  }
});

function readTexts(root: string): Texts {
  if (!existsSync(root)) return {};
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
    }),
  );
}
