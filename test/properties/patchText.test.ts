/** Whatever the text of a patch is, reading, planning and watching it end in a value. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { grammar } from '../../src/core/patch/grammar.ts';
import { parsePatch } from '../../src/core/patch/parse.ts';
import type { ToolProgress } from '../../src/core/conversation/conversation.ts';
import { withNews } from '../../src/core/conversation/reduce.ts';
import { PatchProgressReader } from '../../src/core/patch/progress.ts';
import { reportFailure } from '../../src/core/patch/reportFailure.ts';
import { applyReplacements } from '../../src/core/patch/replacements.ts';
import { plan } from '../core/patch/texts.ts';
import { anyLine, check, seed } from './patchTexts.ts';

const path = fc.constantFrom(
  'a.txt',
  './a.txt',
  'b.txt',
  'c/d.txt',
  '../x',
  '',
  '"a.txt"',
  'CON',
  '.git/config',
);
const marker = fc.oneof(
  fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** End of File',
    '@@',
    '@@ a',
    '@@ -1,2 +3,4 @@ a',
    '*** Odd',
  ),
  path.map((name) => `*** Add File: ${name}`),
  path.map((name) => `*** Update File: ${name}`),
  path.map((name) => `*** Delete File: ${name}`),
  path.map((name) => `*** Move to: ${name}`),
  fc.constantFrom(
    '\\ No newline at end of file',
    ' *** End Patch',
    '  *** Update File: a.txt',
    '```',
    'EOF',
    '{',
  ),
);
const bodyLine = fc.tuple(fc.constantFrom(' ', '+', '-', ''), anyLine).map(([sign, line]) => sign + line);
const soup = fc.array(fc.oneof(marker, bodyLine), { maxLength: 25 });
const wrapped = soup.map((lines) => ['*** Begin Patch', '*** Update File: a.txt', ...lines, '*** End Patch']);
const patchText = fc
  .tuple(fc.oneof(soup, wrapped), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([lines, end]) => lines.join(end));

const files = { 'a.txt': 'a\nb\n\n}\n  x\na\n', 'b.txt': '' };

describe(`patch text (seed ${seed})`, () => {
  it('of any kind ends in a plan that holds together or in a failure that says so', () => {
    check(
      patchText,
      (text) => {
        const planned = plan(files, text);
        if (!planned.ok) {
          assert.ok(planned.error.problems.length > 0);
          assert.ok(reportFailure(planned.error).startsWith('Nothing was changed.'));
          assert.ok(reportFailure(planned.error).length <= 4_000);
          return;
        }
        for (const edit of planned.value.files) {
          if (edit.kind !== 'update') continue;
          assert.equal(applyReplacements(edit.before, edit.replacements), edit.after);
          assert.equal(edit.before, files[edit.path.relative as keyof typeof files]);
        }
      },
      3_000,
    );
  });

  it('cut off anywhere before its end marker is no patch', () => {
    const whole = fc
      .array(bodyLine, { minLength: 1, maxLength: 10 })
      .map((lines) =>
        ['*** Begin Patch', '*** Add File: a.txt', ...lines.map((line) => `+${line}`), '*** End Patch'].join(
          '\n',
        ),
      );
    check(fc.tuple(whole, fc.nat()), ([text, cut]) => {
      assert.equal(parsePatch(text).ok, true);
      assert.equal(parsePatch(text.slice(0, cut % text.length)).ok, false);
    });
  });

  it('is watched to the same figures however it is cut', () => {
    check(fc.tuple(patchText, fc.array(fc.nat(), { maxLength: 12 })), ([text, cuts]) => {
      const whole = watch([text]);
      const places = [
        0,
        ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other),
        text.length,
      ];
      const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
      assert.deepEqual(watch(pieces).at(-1), whole.at(-1));
      // Figures only grow: what was shown once stays true.
      for (const [at, progress] of watch([...text]).entries())
        assertGrown(watch([...text])[at - 1], progress);
    });
  });

  it('that can be planned was watched with its own figures', () => {
    const body = fc.array(fc.tuple(fc.constantFrom('+', '-'), anyLine), { minLength: 1, maxLength: 12 });
    check(body, (lines) => {
      const text = [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '@@',
        ...lines.map((line) => line.join('')),
        '*** End Patch',
        '',
      ];
      const added = lines.filter(([sign]) => sign === '+').length;
      assert.deepEqual(watch([text.join('\n')]).at(-1)?.files, [
        { path: 'a.txt', change: 'update', added, removed: lines.length - added },
      ]);
    });
  });

  it('names in its grammar just the markers that the reader looks for', () => {
    const quoted = [...grammar.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
    assert.deepEqual(
      quoted.filter((text) => text?.startsWith('***')),
      [
        '*** Begin Patch',
        '*** End Patch',
        '*** Add File: ',
        '*** Delete File: ',
        '*** Update File: ',
        '*** Move to: ',
        '*** End of File',
      ],
    );
  });
});

function watch(pieces: readonly string[]): readonly ToolProgress[] {
  const reader = new PatchProgressReader();
  let files: ToolProgress['files'] = [];
  return pieces.flatMap((piece) => {
    const news = reader.feed(piece);
    if (news === undefined) return [];
    files = withNews(files, news);
    return { files };
  });
}

function assertGrown(before: ToolProgress | undefined, after: ToolProgress): void {
  for (const [at, file] of (before?.files ?? []).entries()) {
    const later = after.files[at];
    assert.ok(
      later && later.path === file.path && later.added >= file.added && later.removed >= file.removed,
    );
  }
}
