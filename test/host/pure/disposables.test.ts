/** What owns things lets go of all of them, once, in reverse. */
import assert from 'node:assert/strict';

import { DisposableStore, MutableDisposable } from '../../../src/host/disposables.ts';

function tracker() {
  const gone: string[] = [];
  return { gone, make: (name: string) => ({ dispose: () => gone.push(name) }) };
}

describe('a store of disposables', () => {
  it('lets go of everything once, the last first', () => {
    const { gone, make } = tracker();
    const store = new DisposableStore();
    store.add(make('one'));
    store.add(make('two'));
    store.dispose();
    store.dispose();
    assert.deepEqual(gone, ['two', 'one']);
    assert.equal(store.size, 0);
  });

  it('disposes at once of what comes too late', () => {
    const { gone, make } = tracker();
    const store = new DisposableStore();
    store.dispose();
    store.add(make('late'));
    assert.deepEqual(gone, ['late']);
  });

  it('lets go of one thing early and stays usable when cleared', () => {
    const { gone, make } = tracker();
    const store = new DisposableStore();
    const one = store.add(make('one'));
    store.delete(one);
    store.delete(one);
    store.add(make('two'));
    store.clear();
    store.add(make('three'));
    assert.deepEqual(gone, ['one', 'two']);
    assert.equal(store.size, 1);
  });

  it('lets go of the rest when one throws, and says so', () => {
    const { gone, make } = tracker();
    const store = new DisposableStore();
    store.add(make('one'));
    store.add({
      dispose: () => {
        throw new Error('stuck');
      },
    });
    store.add(make('three'));
    assert.throws(() => store.dispose(), /stuck/);
    assert.deepEqual(gone, ['three', 'one']);
  });
});

describe('a replaceable disposable', () => {
  it('lets go of what it held when it gets another, and not when it gets the same', () => {
    const { gone, make } = tracker();
    const held = new MutableDisposable();
    const one = make('one');
    held.value = one;
    held.value = one;
    held.value = make('two');
    held.dispose();
    held.value = make('late');
    assert.deepEqual(gone, ['one', 'two', 'late']);
    assert.equal(held.value, undefined);
  });
});
