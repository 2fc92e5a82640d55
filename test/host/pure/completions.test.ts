import assert from 'node:assert/strict';

import type { Candidate } from '../../../src/host/completion/candidate.ts';
import { Completions, type Finder, type Offer } from '../../../src/host/completion/completions.ts';
import { slashFinder } from '../../../src/host/completion/slashFinder.ts';

const candidate = (label: string, attach?: () => Promise<unknown>): Candidate => ({
  ...{ kind: 'file', label, insert: `@${label}` },
  ...(attach !== undefined && { attach }),
});

const nothing: Finder = () => Promise.resolve();

describe('the lists of the composer', () => {
  it('are told as they grow, and once more at the end', async () => {
    const told: Offer[] = [];
    const find: Finder = (_, show) => {
      show([candidate('a')]);
      show([candidate('a'), candidate('b')]);
      return Promise.resolve();
    };
    const completions = new Completions({
      finders: { '@': find, '/': nothing },
      tell: (offer) => told.push(offer),
    });
    await completions.complete(1, '@', 'a');
    assert.deepEqual(
      told.map(({ list, items, looking }) => [list, items.map(({ id, label }) => `${id} ${label}`), looking]),
      [
        [1, ['0 a'], true],
        [1, ['0 a', '1 b'], true],
        [1, ['0 a', '1 b'], false],
      ],
    );
  });

  it('call off the one before, of which nothing is told any more; what it showed can still be taken', async () => {
    const told: Offer[] = [];
    const attached: string[] = [];
    const late = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const find: Finder = async (query, show, signal) => {
      signals.push(signal);
      show([candidate(query, () => Promise.resolve(attached.push(query)))]);
      await late.promise;
      show([candidate('too late')]);
    };
    const completions = new Completions({
      finders: { '@': find, '/': nothing },
      tell: (offer) => told.push(offer),
    });
    const first = completions.complete(1, '@', 'c');
    const second = completions.complete(2, '@', 'ca');
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    await completions.taken(1, '0')?.();
    assert.deepEqual(attached, ['c']);
    completions.end();
    late.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(
      told.map(({ list, items }) => [list, items[0]?.label]),
      [
        [1, 'c'],
        [2, 'ca'],
      ],
    );
    for (const item of ['1', '-1', 'x', '0.5']) assert.equal(completions.taken(2, item), undefined);
    assert.equal(completions.taken(3, '0'), undefined);
  });

  it('are ended when finding fails, and the failure is passed on', async () => {
    const told: Offer[] = [];
    const find: Finder = () => Promise.reject(new Error('broken'));
    const completions = new Completions({
      finders: { '@': find, '/': nothing },
      tell: (offer) => told.push(offer),
    });
    await assert.rejects(completions.complete(1, '@', ''), /broken/);
    assert.deepEqual(told, [{ list: 1, items: [], looking: false }]);
  });

  it('have no more than is shown', async () => {
    const told: Offer[] = [];
    const find: Finder = (_, show) => {
      show(Array.from({ length: 200 }, (_each, at) => candidate(`${at}`)));
      return Promise.resolve();
    };
    const completions = new Completions({
      finders: { '@': find, '/': nothing },
      tell: (offer) => told.push(offer),
    });
    await completions.complete(1, '@', '');
    assert.equal(told[0]?.items.length, 50);
  });
});

describe('the list of commands', () => {
  const all: readonly Candidate[] = [
    { kind: 'command', label: '/fix', detail: 'Fix what is wrong', insert: '/fix' },
    { kind: 'command', label: '/explain', detail: 'Explain the code', insert: '/explain' },
    { kind: 'prompt', label: '/release-notes', detail: 'Notes for people', insert: '/release-notes' },
  ];
  const offered = async (typed: string): Promise<readonly Candidate[]> => {
    let shown: readonly Candidate[] = [];
    await slashFinder({ candidates: () => Promise.resolve(all) })(
      typed,
      (candidates) => {
        shown = candidates;
      },
      new AbortController().signal,
    );
    return shown;
  };

  it('has all in their order, and those that fit in the order of how well they do', async () => {
    assert.deepEqual(await offered(''), all);
    assert.deepEqual(
      (await offered('e')).map(({ label, matches }) => [label, matches]),
      [
        ['/explain', [[1, 2]]],
        ['/release-notes', [[2, 3]]],
      ],
    );
    assert.deepEqual(
      (await offered('RN')).map(({ label, matches }) => [label, matches]),
      [
        [
          '/release-notes',
          [
            [1, 2],
            [9, 10],
          ],
        ],
      ],
    );
    assert.deepEqual(await offered('nothing'), []);
  });

  it('finds by what it does as well', async () => {
    assert.deepEqual(
      (await offered('wrong')).map(({ label, detailMatches }) => [label, detailMatches]),
      [['/fix', [[12, 17]]]],
    );
    assert.deepEqual(
      (await offered('ot')).map(({ label }) => label),
      ['/release-notes'],
    );
  });
});
