/** What people opened and folded is kept by its place, and told to whoever shows it. */
import assert from 'node:assert/strict';
import { Kept, placeIn } from '../../src/webview/kept.ts';

describe('what is kept of the places of a conversation', () => {
  it('is found again by the place and tells whoever watches that place', () => {
    const kept = new Kept();
    const place = placeIn('', 't1', '0.1', 'open');
    let told = 0;
    let toldElsewhere = 0;
    const stop = kept.watch(place, () => (told += 1));
    kept.watch(placeIn('', 't2', '0.1', 'open'), () => (toldElsewhere += 1));
    assert.equal(kept.get(place), undefined);
    kept.set(place, true);
    kept.set(place, true);
    assert.equal(kept.get(place), true);
    assert.deepEqual([told, toldElsewhere], [1, 0]);
    stop();
    kept.set(place, false);
    assert.deepEqual([kept.get(place), told], [false, 1]);
  });

  it('is forgotten where nothing was touched for the longest time, so that it does not grow for ever', () => {
    const kept = new Kept();
    for (let index = 0; index < 20_000; index++) kept.set(String(index), index);
    kept.set('0', 'again');
    kept.set('new', true);
    assert.deepEqual(
      [kept.get('0'), kept.get('1'), kept.get('2'), kept.get('new')],
      ['again', undefined, 2, true],
    );
  });
});
