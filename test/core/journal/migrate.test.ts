/** Journals that earlier versions wrote: each version has one among the fixtures, which was written once and stays as it is. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { journalVersion, migrated, type Migration } from '../../../src/core/journal/migrate.ts';
import { readJournal } from '../../../src/core/journal/readJournal.ts';
import { repository } from '../../run/places.ts';

const folder = join(repository, 'test', 'fixtures', 'journals');

describe('a journal of an earlier version', () => {
  const versions = Array.from({ length: journalVersion }, (_, index) => index + 1);

  it('is among the fixtures for each version', () => {
    const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    assert.deepEqual(new Set(journals), new Set(versions.map((version) => `version${version}.jsonl`)));
  });

  for (const version of versions) {
    it(`of version ${version} is read as it was meant`, () => {
      const text = readFileSync(join(folder, `version${version}.jsonl`), 'utf8');
      const versionsIn = text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { v: unknown }).v);
      assert.deepEqual(new Set(versionsIn), new Set([version]));
      const { state, ...read } = readJournal(text);
      assert.deepEqual(read, { damaged: 0, isNewer: false, isTorn: false });
      assert.ok(state !== undefined);
      const meant: unknown = JSON.parse(readFileSync(join(folder, `version${version}.state.json`), 'utf8'));
      assert.deepEqual({ ...state, begunWith: [...state.begunWith] }, meant);
    });
  }

  it('goes through each version behind its own, in their order', () => {
    const named =
      (name: string): Migration =>
      (record) => ({ ...record, through: [record['through'] ?? [], name].flat() });
    const all = [named('a'), named('b'), named('c')];
    assert.deepEqual(migrated({ v: 1 }, 1, all), { v: 1, through: ['a', 'b', 'c'] });
    assert.deepEqual(migrated({ v: 3 }, 3, all), { v: 3, through: ['c'] });
    assert.deepEqual(migrated({ v: 4 }, 4, all), { v: 4 });
  });
});
