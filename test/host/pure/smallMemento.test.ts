/** What VS Code is given to keep is small, whatever is given to it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import type * as vscode from 'vscode';

import { mostBytes, smallMemento } from '../../../src/host/smallMemento.ts';
import { repository } from '../../run/places.ts';
import { seed } from '../../simulator/arbitraries.ts';

function stateWith(values = new Map<string, unknown>()): {
  readonly memento: vscode.Memento;
  readonly values: Map<string, unknown>;
} {
  return {
    values,
    memento: {
      keys: () => [...values.keys()],
      get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
      update: (key, value: unknown) => {
        values.set(key, value);
        return Promise.resolve();
      },
    },
  };
}

describe('what VS Code keeps for the workspace', () => {
  it('is what it is given, and as it is given', async () => {
    const { memento, values } = stateWith(new Map([['a', 1]]));
    const small = smallMemento(memento);
    assert.deepEqual([small.keys(), small.get('a'), small.get('b', 2)], [['a'], 1, 2]);
    const list = ['one', { two: 3 }];
    await small.update('list', list);
    assert.equal(values.get('list'), list);
    await small.update('a', undefined);
    assert.equal(values.get('a'), undefined);
  });

  it('has the newest of a list that is too long, and not what is too long by itself', async () => {
    const { memento, values } = stateWith();
    const small = smallMemento(memento);
    const tenth = 'x'.repeat(mostBytes / 10);
    await small.update('list', [...Array.from({ length: 20 }, (_, n) => `${n} ${tenth}`), 'last']);
    assert.deepEqual(
      (values.get('list') as readonly string[]).map((text) => text.slice(0, 4).trim().split(' ')[0]),
      ['11', '12', '13', '14', '15', '16', '17', '18', '19', 'last'],
    );
    await small.update('list', ['fits', 'x'.repeat(mostBytes), 'too']);
    assert.deepEqual(values.get('list'), ['fits', 'too']);
    for (const value of ['x'.repeat(mostBytes), { text: 'ü'.repeat(mostBytes / 2) }]) {
      await small.update('long', value);
      assert.equal(values.get('long'), undefined);
    }
  });

  it('is never more than that', async () => {
    console.log(`      seed ${seed}`);
    const anyList = fc.array(
      fc.jsonValue({ maxDepth: 1 }).map((value) => [value, 'ü'.repeat(3_000)]),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(anyList, async (list) => {
        const { memento, values } = stateWith();
        await smallMemento(memento).update('list', list);
        const kept = values.get('list');
        const bytes = Buffer.byteLength(JSON.stringify(kept));
        assert.ok(bytes <= mostBytes);
        assert.deepEqual(kept, list.slice(list.length - (kept as unknown[]).length));
        // One more would not fit.
        const more = list.slice(list.length - (kept as unknown[]).length - 1);
        if (more.length > (kept as unknown[]).length)
          assert.ok(Buffer.byteLength(JSON.stringify(more)) > mostBytes);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('is given to it in no other way', () => {
    const folder = join(repository, 'src');
    const uses = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap(
        (name) =>
          readFileSync(join(folder, name), 'utf8').match(/.*\b(?:workspaceState|globalState)\b.*/g) ?? [],
      );
    assert.ok(uses.length > 0);
    for (const use of uses) assert.match(use, /smallMemento\(context\.(?:workspaceState|globalState)\)/);
  });
});
