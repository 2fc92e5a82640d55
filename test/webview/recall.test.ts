/** Recalling questions with the arrow keys takes nothing that a person wrote. */
import assert from 'node:assert/strict';
import { recall, type Field, type Recalled } from '../../src/webview/recall.ts';

const asked = ['first', 'second\nline'];
const field = (text: string, start = text.length, end = start): Field => ({ text, start, end });

describe('recalling a question', () => {
  const back = (of: Field, last?: Recalled): Recalled | undefined => recall('back', of, asked, last);
  const forth = (of: Field, last?: Recalled): Recalled | undefined => recall('forth', of, asked, last);

  it('goes back from the empty composer, and forth to it again', () => {
    const newest = back(field(''));
    assert.deepEqual(newest, { index: 1, text: 'second\nline', caret: 0 });
    const oldest = back(field(newest.text, 0), newest);
    assert.deepEqual(oldest, { index: 0, text: 'first', caret: 0 });
    assert.equal(back(field('first', 0), oldest), undefined, 'there is none before it');
    // The cursor is where recalling put it.
    const again = forth(field('first', 0), oldest);
    assert.deepEqual(again, { index: 1, text: 'second\nline', caret: 11 });
    assert.deepEqual(forth(field(again.text, 11), again), { index: 2, text: '', caret: 0 });
    assert.equal(forth(field('')), undefined, 'nothing is newer than the empty composer');
  });

  it('leaves what a person wrote alone', () => {
    assert.equal(back(field('mine', 0)), undefined);
    const newest = back(field(''));
    assert.ok(newest);
    assert.equal(back(field('second\nline, changed', 0), newest), undefined);
    assert.equal(forth(field('second\nline, changed', 20), newest), undefined);
  });

  it('moves the cursor first where that can still move', () => {
    const newest = back(field(''));
    assert.ok(newest);
    assert.equal(back(field(newest.text, 8), newest), undefined);
    assert.equal(forth(field(newest.text, 8), newest), undefined);
    assert.equal(back(field(newest.text, 0, 5), newest), undefined, 'something is selected');
    assert.equal(forth(field(newest.text, 11), newest)?.text, '');
  });

  it('starts anew when the list has changed', () => {
    const newest = back(field(''));
    assert.ok(newest);
    assert.equal(recall('back', field(newest.text, 0), ['other'], newest), undefined);
    assert.equal(recall('back', field(''), ['other'], newest)?.text, 'other');
    assert.equal(recall('back', field(''), [], undefined), undefined);
  });
});
