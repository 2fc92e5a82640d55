import assert from 'node:assert/strict';

import type { HistoryEntry } from '../../../src/host/history/historyEntries.ts';
import {
  listedRows,
  matchingRows,
  mostListed,
  mostOfOthers,
  wordsOf,
  type HistoryRow,
} from '../../../src/host/history/historyRows.ts';

const entry = (id: string, changedAt: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ id, root: id, members: [id], pinned: [], title: id, changedAt, questions: 1 },
  ...{ isForked: false, isShown: false },
  ...more,
});
const shop = { folder: '/shop/conversations', name: 'shop' };
const site = { folder: '/site/conversations', name: 'site' };

/** `# today`, `a`, `+3` */
const short = (rows: readonly HistoryRow[]): readonly string[] =>
  rows.map((row) => {
    switch (row.kind) {
      case 'group':
        return `# ${row.group.kind === 'workspace' ? row.group.name : row.group.kind}`;
      case 'entry':
        return row.found === undefined ? row.entry.id : `${row.entry.id}: ${row.found.line}`;
      case 'more':
        return `+${row.count}`;
    }
  });

describe('the list of conversations', () => {
  it('has pinned ones first, then a heading for each day by the calendar, then other workspaces', () => {
    const at = (day: number, hour = 12): number => new Date(2026, 2, day, hour).getTime();
    // In much of Europe the clocks are changed on the 29th.
    const entries = [
      entry('future', at(31, 9)),
      entry('midnight', at(30, 0)),
      entry('evening', at(29, 23)),
      entry('pin', at(28), { pinned: ['pin'] }),
      entry('weekAgo', at(23, 0)),
      entry('before', at(22, 23)),
      entry('cart', at(20), { place: shop }),
      entry('page', at(19), { place: site }),
      entry('shelf', at(18), { place: shop, pinned: ['shelf'] }),
    ];
    assert.deepEqual(short(listedRows(entries, at(30, 8))), [
      ...['# pinned', 'pin'],
      ...['# today', 'future', 'midnight'],
      ...['# yesterday', 'evening'],
      ...['# week', 'weekAgo'],
      ...['# older', 'before'],
      ...['# shop', 'cart', 'shelf'],
      ...['# site', 'page'],
    ]);
  });

  it('says how many it does not show', () => {
    const own = Array.from({ length: mostListed + 5 }, (_, at) => entry(`own${at}`, 1));
    const pinned = entry('pin', 1, { pinned: ['pin'] });
    const others = Array.from({ length: mostOfOthers + 2 }, (_, at) => entry(`o${at}`, 1, { place: shop }));
    const rows = short(listedRows([...own, pinned, ...others], 10));
    assert.deepEqual(rows.slice(0, 3), ['# pinned', 'pin', '# today']);
    assert.equal(rows.filter((row) => row.startsWith('own')).length, mostListed - 1);
    assert.equal(rows.filter((row) => /^o\d/.test(row)).length, mostOfOthers);
    assert.deepEqual(
      rows.filter((row) => row.startsWith('+')),
      ['+6', '+2'],
    );
    assert.deepEqual(listedRows([], 10), []);
  });

  it('shows what has all typed words in its title before that in whose text they were found', () => {
    const entries = [
      entry('Sums in the Cart', 4),
      entry('Totals', 3, { members: ['root', 'Totals'] }),
      entry('The cart, and its sum', 2),
      entry('Other', 1),
    ];
    const found = new Map([
      ['Sums in the Cart', { line: 'not needed' }],
      ['root', { line: '…the sum of the cart…' }],
    ]);
    assert.deepEqual(short(matchingRows(entries, ' sum  CART', found)), [
      'Sums in the Cart',
      'The cart, and its sum',
      'Totals: …the sum of the cart…',
    ]);
    assert.deepEqual(short(matchingRows(entries, 'nothing', new Map())), []);
    const many = Array.from({ length: mostListed + 3 }, (_, at) => entry(`same ${at}`, 1));
    assert.equal(short(matchingRows(many, 'same', new Map())).at(-1), '+3');
  });

  it('takes what is typed apart at blanks, each word once', () => {
    assert.deepEqual(wordsOf('  Sum\t of\u00a0THE sum '), ['sum', 'of', 'the']);
    assert.deepEqual(wordsOf(' \n'), []);
  });
});
