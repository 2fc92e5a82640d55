/**
 * The grammar that the model is given and the parser that reads what it writes say the same: whatever the grammar allows is read,
 * without a remark, and what only the parser takes is known by name. Which patches the grammar allows was found the same with
 * Lark itself (1.3.1, both its parsers).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { grammar as definition } from '../../../src/core/patch/grammar.ts';
import { parsePatch } from '../../../src/core/patch/parse.ts';
import { matches, readGrammar } from '../../simulator/lark.ts';

const folder = join(import.meta.dirname, '../../fixtures/patches');

/** Patches beside the format: most are taken all the same, as nothing promises that a model is held to the grammar. */
const beside = [
  'add-file-blank-line-without-plus',
  'bare-hunk-header-without-lines',
  'blank-context-line-without-space',
  'change-of-directory',
  'context-lines-without-leading-space',
  'crlf-patch-on-lf-file',
  'cut-off-at-a-quoted-end-marker',
  'delete-with-body',
  'empty-added-line-lost-its-sign',
  'empty-patch',
  'environment-id-line-is-ignored',
  'fenced-with-language-tag',
  'header-without-space-before-anchor',
  'heredoc-bare',
  'layout-between-hunks',
  'lines-behind-the-mark-need-a-header',
  'missing-begin-marker',
  'no-newline-marker-of-unified-diff',
  'padded-begin-and-end-markers',
  'padded-begin-and-padded-end',
  'padded-file-header',
  'prose-around-the-envelope',
  'two-envelopes-in-one-call',
  'unknown-verb',
  'update-with-zero-hunks',
  'wrapped-in-json',
];

describe('the grammar of a patch', () => {
  const { grammar, complaints } = readGrammar(definition);

  function allows(patch: string): boolean {
    assert.ok(grammar);
    return matches(grammar, patch);
  }

  it('is one', () => {
    assert.deepEqual(complaints, []);
  });

  for (const name of readdirSync(folder).toSorted()) {
    const patch = readFileSync(join(folder, name, 'patch.txt'), 'utf8');
    if (beside.includes(name)) {
      it(`does not allow ${name}`, () => assert.equal(allows(patch), false));
      continue;
    }
    it(`allows ${name}, which is read without a remark`, () => {
      assert.equal(allows(patch), true);
      const parsed = parsePatch(patch);
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.value.notes, []);
    });
  }

  it('allows nothing that is cut off', () => {
    const patch = readFileSync(join(folder, 'several-operations', 'patch.txt'), 'utf8').trimEnd();
    assert.equal(allows(patch), true);
    for (let length = 0; length < patch.length; length++) assert.equal(allows(patch.slice(0, length)), false);
  });

  it('allows a move alone and an empty new file, and no other section without lines', () => {
    const section = (...lines: string[]): string =>
      ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
    assert.equal(allows(section('*** Update File: a', '*** Move to: b')), true);
    assert.equal(allows(section('*** Add File: a')), true);
    assert.equal(allows(section('*** Update File: a')), false);
    assert.equal(allows(section('*** Update File: a', '@@')), false);
    assert.equal(allows(section('*** Delete File: a', '-x')), false);
    assert.equal(allows(section()), false);
  });
});
