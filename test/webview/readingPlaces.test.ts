/** Where a person was reading is remembered for each conversation, and only for so many. */
import assert from 'node:assert/strict';

import { ReadingPlaces, readPlaces } from '../../src/webview/readingPlaces.ts';

const place = (turn: string): { turn: string; above: number; height: number } => ({
  turn,
  above: 5,
  height: 90,
});

describe('the place where a conversation is being read', () => {
  it('is that of each conversation, and none for whoever is at the end', () => {
    let changes = 0;
    const places = new ReadingPlaces(undefined, () => {
      changes += 1;
    });
    places.note('a', place('one'));
    places.note('b', place('two'));
    assert.deepEqual([places.get('a'), places.get('b')], [place('one'), place('two')]);
    places.note('a', undefined);
    assert.equal(places.get('a'), undefined);
    assert.equal(changes, 3);
    places.note('a', undefined);
    assert.equal(changes, 3, 'nothing is to be kept that is kept already');
    assert.deepEqual(new ReadingPlaces(readPlaces(JSON.parse(JSON.stringify(places.all)))).all, places.all);
  });

  it('is forgotten of those that were looked at longest ago', () => {
    const places = new ReadingPlaces();
    for (let index = 0; index < 60; index++) places.note(`${index}`, place('turn'));
    places.note('10', place('again'));
    places.note('new', place('turn'));
    assert.equal(Object.keys(places.all).length, 50);
    assert.equal(places.get('10')?.turn, 'again');
    assert.deepEqual([places.get('9'), places.get('11')], [undefined, undefined]);
  });

  it('is read as far as it is sound', () => {
    for (const value of [undefined, null, 'text', 7]) assert.equal(readPlaces(value), undefined);
    const damaged = [
      null,
      'text',
      { turn: 'one' },
      { ...place('one'), above: null },
      { ...place('one'), turn: 7 },
    ];
    const kept = Object.fromEntries([...damaged, place('one')].map((value, index) => [`c${index}`, value]));
    assert.deepEqual(readPlaces(kept), { c5: place('one') });
  });
});
