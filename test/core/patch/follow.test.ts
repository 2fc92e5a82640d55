/** A proposal that waits while its file changes: every hunk follows, nobody's line is lost, and what overlaps is told apart. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import {
  amendProposal,
  dropHunk,
  followLive,
  hunksOf,
  droppedHunks,
  isPart,
  startFollowing,
  takeHunk,
  type Followed,
} from '../../../src/core/patch/follow.ts';
import { mergeLines } from '../../../src/core/patch/merge.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const after = before.replace('2', 'two').replace('5', 'five').replace('8', 'eight');
const live = (text: string): Followed => followLive(startFollowing(before, after), text);
const states = (followed: Followed): string[] => hunksOf(followed, before).map(({ state }) => state);
const only = (followed: Followed, index = 0) => {
  const hunk = hunksOf(followed, before)[index];
  assert.ok(hunk);
  return hunk;
};

describe('a merge of three texts', () => {
  it('has the proposal where the sides overlap, and a base from which the same overlaps are found again', () => {
    const current = `0\n${before.replace('5', 'mine')}`;
    const merged = mergeLines(before, current, after);
    assert.equal(merged.text, `0\n${after}`);
    assert.equal(merged.base, `0\n${before}`);
    assert.deepEqual(merged.overlaps, [
      { inCurrent: { from: 5, to: 6 }, inBase: { from: 5, to: 6 }, inText: { from: 5, to: 6 } },
    ]);
    assert.deepEqual(mergeLines(merged.base, current, merged.text), merged);
  });

  it('counts what both sides did alike', () => {
    assert.equal(mergeLines(before, before.replace('2', 'two'), after).agreed, 1);
  });

  it('is found again whatever the texts', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n'), { maxLength: 12 })
      .map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, text, (base, current, proposed) => {
        const merged = mergeLines(base, current, proposed);
        if (merged.overlaps.length === 0) assert.equal(merged.base, current);
        for (const { inCurrent, inBase, inText } of merged.overlaps) {
          for (const { from, to } of [inCurrent, inBase, inText]) assert.ok(0 <= from && from <= to);
        }
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('a proposal whose file changes', () => {
  it('is fresh at first', () => {
    const followed = startFollowing(before, after);
    assert.deepEqual([followed.text, followed.base, followed.untouched], [after, before, after]);
    assert.deepEqual(states(followed), ['fresh', 'fresh', 'fresh']);
    assert.deepEqual(hunksOf(followed, before)[1], {
      inBase: { from: 4, to: 5 },
      inLive: { from: 4, to: 5 },
      inText: { from: 4, to: 5 },
      state: 'fresh',
      hidden: false,
    });
  });

  it('follows lines that move', () => {
    const followed = live(before.replace('3\n', '3\nmine\n'));
    assert.equal(followed.text, after.replace('3\n', '3\nmine\n'));
    assert.deepEqual(states(followed), ['fresh', 'moved', 'moved']);
    assert.deepEqual(only(followed, 1).inLive, { from: 5, to: 6 });
  });

  it('does not write between lines that touch', () => {
    assert.deepEqual(states(live(before.replace('4\n', '4\nmine\n'))), ['fresh', 'conflicting', 'moved']);
  });

  it('shows a conflict with both sides and is free of it when either side gives way', () => {
    const followed = live(`0\n${before.replace('5', 'mine')}`);
    assert.equal(followed.text, `0\n${after}`);
    assert.deepEqual(states(followed), ['moved', 'conflicting', 'moved']);
    assert.deepEqual(only(followed, 1).inLive, { from: 5, to: 6 });
    assert.deepEqual(only(followed, 2).inLive, { from: 8, to: 9 });
    assert.deepEqual(states(followLive(followed, before)), ['fresh', 'fresh', 'fresh']);
    const reverted = amendProposal(followed, dropHunk(followed, only(followed, 1)));
    assert.deepEqual(states(reverted), ['moved', 'moved']);
    assert.equal(reverted.base, followed.live);
  });

  it('knows where lines stand behind a conflict that changed their number', () => {
    const followed = live(before.replace('5\n', 'mine\nmine\nmine\n'));
    assert.deepEqual(states(followed), ['fresh', 'conflicting', 'moved']);
    assert.deepEqual(only(followed, 1).inLive, { from: 4, to: 7 });
    assert.deepEqual(only(followed, 2).inLive, { from: 9, to: 10 });
  });

  it('takes what the person writes over a conflict for its solution, but not what they write elsewhere', () => {
    const two = live(before.replace('5', 'mine').replace('8', 'mine too'));
    assert.deepEqual(states(two), ['fresh', 'conflicting', 'conflicting']);
    const one = amendProposal(two, two.text.replace('five', 'five and mine'));
    assert.deepEqual(states(one), ['fresh', 'fresh', 'conflicting']);
    assert.equal(one.text, after.replace('five', 'five and mine'));
    assert.deepEqual(states(amendProposal(one, `top\n${one.text}`)).at(-1), 'conflicting');
    // And again when the lines change once more.
    assert.deepEqual(states(followLive(one, one.live.replace('mine\n', 'other\n'))), [
      'fresh',
      'conflicting',
      'conflicting',
    ]);
  });

  it('comes back when the file does', () => {
    const there = live(after);
    assert.deepEqual([there.there, there.text === there.live, states(there)], [3, true, []]);
    assert.deepEqual(states(followLive(there, before)), ['fresh', 'fresh', 'fresh']);
    assert.equal(live(before.replace('2', 'two')).there, 1);
    assert.deepEqual(states(followLive(live('all new\n'), before)), ['fresh', 'fresh', 'fresh']);
  });

  it('knows what it would be untouched', () => {
    const followed = live(`0\n${before}`);
    const amended = amendProposal(followed, followed.text.replace('two', 'TWO'));
    assert.equal(amended.text, `0\n${after.replace('two', 'TWO')}`);
    assert.equal(amended.untouched, `0\n${after}`);
    assert.equal(followLive(amended, before).untouched, after);
    const again = amendProposal(amended, amended.text.replace('TWO', 'two'));
    assert.equal(again.text, again.untouched);
  });
});

describe('a part of a proposal', () => {
  it('is what is left when hunks are taken out', () => {
    const followed = live(`0\n${before}`);
    assert.equal(isPart(followed), false);
    const dropped = amendProposal(followed, dropHunk(followed, only(followed, 1)));
    assert.equal(isPart(dropped), true);
    assert.equal(isPart(takeHunk(dropped, only(dropped))), true);
    assert.equal(isPart(amendProposal(dropped, dropped.text.replace('two', 'TWO'))), false);
  });

  it('knows how many hunks were taken out, whatever else was done with it', () => {
    const followed = startFollowing(before, after);
    const amended = (text: string): number => droppedHunks(amendProposal(followed, text));
    assert.equal(droppedHunks(followed), 0);
    assert.equal(amended(after.replace('five', '5')), 1);
    assert.equal(amended(after.replace('two', '2').replace('eight', '8')), 2);
    assert.equal(amended(before), 3);
    assert.equal(amended(after.replace('five', 'FIVE')), 0);
    assert.equal(amended(after.replace('five', 'FIVE').replace('eight', '8')), 1);
    assert.equal(amended(after.replace('9', 'nine')), 0);
    const dropped = amendProposal(followed, dropHunk(followed, only(followed, 1)));
    assert.equal(droppedHunks(takeHunk(dropped, only(dropped))), 1);
    assert.equal(droppedHunks(followLive(dropped, `0\n${before}`)), 1);
  });
});

describe('one hunk', () => {
  it('can be taken: it is in the file then, and no longer proposed', () => {
    const followed = live(before.replace('3\n', '3\nmine\n'));
    const taken = takeHunk(followed, only(followed, 1));
    assert.equal(taken.live, before.replace('3\n', '3\nmine\n').replace('5', 'five'));
    assert.equal(taken.text, followed.text);
    assert.deepEqual(states(taken), ['fresh', 'moved']);
  });

  it('can be taken while another one conflicts', () => {
    const followed = live(before.replace('2\n', 'mine\nmine\n'));
    const taken = takeHunk(followed, only(followed, 2));
    assert.equal(taken.live, before.replace('2\n', 'mine\nmine\n').replace('8', 'eight'));
    assert.deepEqual(states(taken), ['conflicting', 'moved']);
  });

  it('can be dropped', () => {
    const followed = startFollowing(before, after);
    const dropped = amendProposal(followed, dropHunk(followed, only(followed, 0)));
    assert.equal(dropped.text, after.replace('two', '2'));
    assert.deepEqual(states(dropped), ['fresh', 'fresh']);
    assert.notEqual(dropped.text, dropped.untouched);
  });

  it('is taken where it stands, also among lines that repeat', () => {
    const lines = fc.array(fc.constantFrom('x\n', 'y\n'), { maxLength: 8 }).map((each) => each.join(''));
    fc.assert(
      fc.property(lines, lines, fc.nat(), (from, to, pick) => {
        const followed = startFollowing(from, to);
        const hunks = hunksOf(followed, from);
        const hunk = hunks[pick % Math.max(hunks.length, 1)];
        if (hunk === undefined) return;
        const taken = takeHunk(followed, hunk);
        assert.deepEqual([taken.text, taken.overlaps], [to, []]);
        const dropped = amendProposal(followed, dropHunk(followed, hunk));
        assert.equal(dropped.live, from);
        assert.equal(dropped.overlaps.length, 0);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('is told apart when it hides blanks', () => {
    const hidden = (one: string, other: string): boolean[] =>
      hunksOf(startFollowing(one, other), one).map((hunk) => hunk.hidden);
    assert.deepEqual(hidden('a\nb\nc\n', 'a\n  b\nc\n'), [true]);
    assert.deepEqual(hidden('a\nb\nc\n', 'a\n  b\nC\n'), [true]);
    assert.deepEqual(hidden('a\nb\nc\n', 'a\nB\n c\n'), [true]);
    assert.deepEqual(hidden('a\nb\nc\n', 'a\nb c\nc\n'), [false]);
    assert.deepEqual(hidden('a\nc\n', 'a\n  \nc\n'), [false]);
  });

  it('is told from overlaps that are each looked at a few times only, however many there are', () => {
    const lines = (name: string) =>
      Array.from({ length: 4_000 }, (_, at) => (at % 2 === 0 ? `${at}\n` : `${name} ${at}\n`)).join('');
    const followed = followLive(startFollowing(lines('old'), lines('new')), lines('live'));
    assert.equal(followed.overlaps.length, 2_000);
    let reads = 0;
    const overlaps = new Proxy(followed.overlaps, {
      get: (all, name) => {
        reads += 1;
        return all[Number(name)];
      },
    });
    const hunks = hunksOf({ ...followed, overlaps }, lines('old'));
    assert.deepEqual(new Set(hunks.map(({ state }) => state)), new Set(['conflicting']));
    assert.equal(hunks.length, 2_000);
    assert.ok(reads < 5 * 2_000, `${reads} reads`);
    const amended = amendProposal(followed, lines('mine'));
    assert.deepEqual([amended.base, amended.text, amended.overlaps], [lines('live'), lines('mine'), []]);
  });
});
