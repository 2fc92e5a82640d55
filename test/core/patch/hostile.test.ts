/**
 * Patches and files made to be slow. Each must end, in a plan or in a failure that is true, long before the time limit of a test: the
 * plain ways to do these take minutes or all memory.
 */
import assert from 'node:assert/strict';
import { indexLines } from '../../../src/core/lines.ts';
import { Budget } from '../../../src/core/patch/budget.ts';
import { KeyTable } from '../../../src/core/patch/keyTable.ts';
import { diffLines } from '../../../src/core/patch/lineDiff.ts';
import { occurrences } from '../../../src/core/patch/occurrences.ts';
import { rebase } from '../../../src/core/patch/rebase.ts';
import { scan } from '../../../src/core/patch/scan.ts';
import { Scopes } from '../../../src/core/patch/scopes.ts';
import { enveloped, onlyUpdate, plan, updating, type Texts } from './texts.ts';

const same = 'x\n'.repeat(40_000);

function kinds(texts: Texts, patch: string): readonly string[] {
  const planned = plan(texts, patch);
  return planned.ok ? ['ok'] : [...new Set(planned.error.problems.map(({ kind }) => kind))];
}

/** Lines over and over, joined: too many to be arguments of a call. */
function repeat(count: number, ...lines: readonly string[]): string {
  return Array.from({ length: count }, () => lines.join('\n')).join('\n');
}

describe('hostile patches', function () {
  this.timeout(60_000);

  it('of ten million characters are refused unread', () => {
    assert.deepEqual(kinds({}, enveloped('*** Add File: a', '+x\n'.repeat(3_400_000))), ['too-large']);
  });

  it('meet a line of ten million characters', () => {
    const text = 'abcdefghi—'.repeat(1_000_000);
    assert.deepEqual(kinds({ 'a.txt': text }, updating('-abc', '+b')), ['context-not-found']);
    assert.equal(
      onlyUpdate(plan({ 'a.txt': `${text}\nabc\n` }, updating('-abc', '+b'))).after.length,
      text.length + 3,
    );
  });

  it('meet a million empty lines', () => {
    assert.deepEqual(kinds({ 'a.txt': '\n'.repeat(1_000_000) }, updating('-abc', '+b')), [
      'context-not-found',
    ]);
  });

  it('hold a block that nearly fits everywhere', () => {
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(20_000, '-x'), '+y')), ['ambiguous']);
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(39_999, ' x'), '-y')), ['context-not-found']);
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(39_999, ' x'), '-x', '+y')), ['ok']);
  });

  it('hold a hunk for every line', () => {
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(40_000, '@@', '-x', '+y'))), ['ok']);
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(40_001, '@@', '-x', '+y'))), [
      'context-not-found',
    ]);
  });

  it('hold many blocks that each stand everywhere', () => {
    const blocks = Array.from({ length: 900 }, (_, length) => ['@@', repeat(length + 2, '-x'), '+y']).flat();
    assert.deepEqual(kinds({ 'a.txt': same }, updating(blocks.join('\n'))), ['too-large']);
  });

  it('hold anchors that each stand everywhere', () => {
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(100_000, '@@ x', '+y'))), ['too-large']);
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(300_000, '@@ x'), '-x', '+y')), ['too-large']);
    assert.deepEqual(kinds({ 'a.txt': same }, updating(repeat(50_000, '@@ x', '-x', '+y'))), ['too-large']);
  });

  it('hold many anchors that are nowhere', () => {
    const hunks = Array.from({ length: 100_000 }, (_, index) => [`@@ anchor ${index}`, '-x']).flat();
    assert.deepEqual(kinds({ 'a.txt': same }, updating(hunks.join('\n'))), ['too-large']);
    assert.deepEqual(
      kinds({ 'a.txt': `${'a'.repeat(2_000_000)}\n` }, updating(`@@ ${'a'.repeat(900_000)}`, '-x')),
      ['context-not-found'],
    );
  });

  it('meet scopes inside of scopes', () => {
    const text = Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}x\n`).join('');
    assert.deepEqual(kinds({ 'a.txt': text }, updating(repeat(20_000, '@@ x', '@@ x', '-x', '+y'))), [
      'too-large',
    ]);
  });

  it('hold thousands of hunks that are not there, of which few are explained', () => {
    const hunks = Array.from({ length: 5_000 }, (_, index) => ['@@', `-none ${index}`]).flat();
    const planned = plan({ 'a.txt': same }, updating(hunks.join('\n')));
    assert.ok(!planned.ok);
    assert.equal(planned.error.problems.length, 5_000);
    assert.equal(planned.error.problems.filter((each) => 'nearest' in each).length, 5);
  });

  it('come back to one file again and again', () => {
    const text = 'y\n'.repeat(40_000);
    const sections = repeat(20_000, '*** Update File: a.txt', '+z');
    assert.deepEqual(kinds({ 'a.txt': text }, enveloped(sections)), ['too-large']);
  });

  it('change one line of a long file in each of many sections', () => {
    const text = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join('');
    const sections = Array.from({ length: 20_000 }, (_, line) =>
      ['*** Update File: a.txt', `-line ${line}`, `+new ${line}`].join('\n'),
    );
    assert.deepEqual(kinds({ 'a.txt': text }, enveloped(...sections.slice(0, 150))), ['ok']);
    assert.deepEqual(kinds({ 'a.txt': text }, enveloped(...sections)), ['too-large']);
  });

  it('move a thousand files', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `f${index}`);
    const texts = Object.fromEntries(names.map((name) => [name, 'x\n']));
    const moves = names.flatMap((name) => [`*** Update File: ${name}`, `*** Move to: g/${name}`]);
    assert.deepEqual(kinds(texts, enveloped(moves.join('\n'))), ['ok']);
  });

  it('replace a long run by another', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `l${index % 7}\n`).join('');
    const removed = Array.from({ length: 50_000 }, (_, index) => `-l${index % 7}`);
    const added = Array.from({ length: 50_000 }, (_, index) => `+l${(index * 5) % 7}`);
    assert.deepEqual(kinds({ 'a.txt': text }, updating(removed.join('\n'), added.join('\n'))), ['ok']);
  });
});

describe('long texts', function () {
  this.timeout(60_000);

  it('are compared in time, when each search finds one more common line only', () => {
    const levels = Array.from({ length: 20_000 }, (_, index) => 20_000 - index);
    const text = (own: string) => levels.flatMap((level) => [`a${level}`, own, `a${level + 1}`, own]);
    const [before, after] = [text('x'), text('y')];
    const changes = diffLines(before, after);
    const built: string[] = [];
    let line = 0;
    for (const { from, to, newFrom, newTo } of changes) {
      for (; line < from; line += 1) built.push(before[line] as string);
      for (let at = newFrom; at < newTo; at += 1) built.push(after[at] as string);
      line = to;
    }
    assert.ok(changes.length > 30);
    assert.deepEqual([...built, ...before.slice(line)], after);
  });

  it('are merged, with more changed lines than a call takes arguments', () => {
    const made = (name: string) => Array.from({ length: 200_000 }, (_, at) => `${name}${at}\n`).join('');
    const base = `first\n${made('a')}last\n`;
    assert.deepEqual(rebase(base, `x\n${base}`, `first\n${made('b')}last\n`), {
      kind: 'merged',
      text: `x\nfirst\n${made('b')}last\n`,
    });
    assert.equal(rebase(base, `first\n${made('c')}last\n`, `first\n${made('b')}last\n`).kind, 'conflict');
  });
});

describe('bounds', () => {
  it('of the work are typed ends', () => {
    const lines = indexLines('a\na\nb\n');
    const found = scan(lines, 'exact', ['a', 'b']);
    const block = Int32Array.from(['a', 'b'], found.idOf);
    assert.deepEqual([...occurrences(found, block, new Budget(100))], [1]);
    const budget = new Budget(1);
    assert.deepEqual([...occurrences(found, block, budget)], []);
    assert.equal(budget.isSpent, true);
    budget.allow(1_000);
    assert.equal(budget.isSpent, false);
  });

  it('keep a key table quick when keys are made to collide', () => {
    // They differ only in places at which the table does not look.
    const key = (index: number) => `${'p'.repeat(60)}${String(index).padStart(6, '0')}${'q'.repeat(60)}`;
    const keys = Array.from({ length: 5_000 }, (_, index) => key(index));
    const table = new KeyTable(keys);
    for (const index of [0, 1, 17, 4_999])
      assert.equal(table.find(`_${key(index)}_`, 1, key(index).length + 1), index + 1);
    assert.equal(table.find(key(5_000), 0, key(5_000).length), 0);
  });

  it('end the search for the head of a place', () => {
    const far = `head\n${'  x\n'.repeat(6_000)}`;
    const scopes = new Scopes(indexLines(far));
    assert.equal(scopes.head(4_000), 0);
    assert.equal(scopes.head(6_000), undefined);
  });

  it('find the head across braces, parameters and finished blocks', () => {
    const head = (...lines: readonly string[]) =>
      new Scopes(indexLines(lines.join('\n'))).head(lines.length - 1);
    assert.equal(head('void f()', '{', '  x'), 0);
    assert.equal(head('void f(', '  int a', ') {', '', '  x'), 0);
    assert.equal(head('f() {', '  a', '}', '{', '  x'), undefined);
    assert.equal(head('f() {', '  if (a) {', '  } else {', '    x'), 0);
    assert.equal(head('x'), undefined);
  });
});
