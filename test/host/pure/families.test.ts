/** Which conversations belong together, and what is told of the versions of their turns. */
import assert from 'node:assert/strict';

import type { RequestRecord, Turn } from '../../../src/core/conversation/conversation.ts';
import { familiesOf, relativesOf } from '../../../src/core/conversation/families.ts';
import { sumOf } from '../../../src/core/cost/bill.ts';
import { defaultPrices, type PriceTable } from '../../../src/core/cost/prices.ts';
import {
  paidRequests,
  versionsIn,
  type Member,
  type PaidMember,
} from '../../../src/host/sessions/families.ts';
import { record, usage } from '../../core/cost/records.ts';

const turn = (id: string, startedAt: number, more: Partial<Turn> = {}): Turn => ({
  id,
  question: { text: id, attachments: [] },
  model: 'kimi-k3',
  effort: 'max',
  startedAt,
  endedAt: startedAt + 5,
  parts: [],
  requests: [],
  end: { kind: 'completed' },
  ...more,
});
const member = (id: string, turns: readonly Turn[], parent?: Member['parent']): Member => ({
  conversation: { id, turns },
  parent,
});
const version = (conversation: string, of: string): Member['parent'] => ({
  conversation,
  turn: of,
  kind: 'version',
});

const [t1, t2, t3] = [turn('t1', 10), turn('t2', 20), turn('t3', 30)];
const root = member('root', [t1, t2, t3]);
const second = member('second', [t1, turn('t2b', 40)], version('root', 't2'));
const third = member('third', [t1, turn('t2c', 50), turn('t4', 60)], version('second', 't2b'));
const first = member('first', [turn('t1b', 70)], version('third', 't1'));
const fork = member('fork', [t1, t2], { conversation: 'root', turn: 't2', kind: 'fork' });
const forked = member('forked', [t1, turn('t2d', 80)], version('fork', 't2'));
const all = [root, second, third, first, fork, forked];

describe('families of conversations', () => {
  it('hold branches of branches; a fork begins another one', () => {
    assert.deepEqual(
      familiesOf(all).map((family) => family.map(({ conversation }) => conversation.id)),
      [
        ['root', 'second', 'third', 'first'],
        ['fork', 'forked'],
      ],
    );
    assert.deepEqual(familiesOf([second]), [[second]]);
  });

  it('tell of each which others there are', () => {
    const listed = all.map(({ conversation, parent }) => ({ id: conversation.id, parent }));
    assert.deepEqual(relativesOf('third', listed), ['root', 'second', 'first']);
    assert.deepEqual(relativesOf('forked', listed), ['fork']);
    assert.deepEqual(relativesOf('gone', listed), []);
    assert.deepEqual(relativesOf('root', [{ id: 'root' }]), []);
  });

  it('go round no circle, which a file that somebody renamed may make', () => {
    const own = member('own', [turn('t2', 20)], version('own', 't2'));
    const one = member('one', [t1], version('other', 't2'));
    const other = member('other', [turn('t2', 20)], version('one', 't1'));
    assert.deepEqual(familiesOf([own, root]), [[own], [root]]);
    assert.equal(familiesOf([one, other]).flat().length, 2);
    assert.deepEqual(
      versionsIn(own, [own, root], () => 0),
      [],
    );
    assert.equal(versionsIn(one, [one, other], () => 0).length, 0);
  });

  const family = [root, second, third, first];
  const ids = (shown: Member, lastShown: (one: Member) => number = () => 0, of = family): unknown =>
    versionsIn(shown, of, lastShown).map(({ turn: own, versions }) => [
      own,
      ...versions.map((one) => `${one.turn} in ${one.conversation}`),
    ]);

  it('know all versions of a turn wherever it is asked from', () => {
    assert.deepEqual(ids(root), [
      ['t1', 't1 in root', 't1b in first'],
      ['t2', 't2 in root', 't2b in second', 't2c in third'],
    ]);
    assert.deepEqual(ids(second), [
      ['t1', 't1 in second', 't1b in first'],
      ['t2b', 't2 in root', 't2b in second', 't2c in third'],
    ]);
    assert.deepEqual(ids(first), [['t1b', 't1 in root', 't1b in first']]);
    assert.deepEqual(ids(fork, undefined, [fork, forked]), [['t2', 't2 in fork', 't2d in forked']]);
  });

  it('show a version where it was shown last', () => {
    assert.deepEqual(
      ids(first, (one) => (one === third ? 2 : one === second ? 1 : 0)),
      [['t1b', 't1 in third', 't1b in first']],
    );
  });

  it('tell what each took, running and deleted ones too', () => {
    const { endedAt: _endedAt, end: _end, ...running } = turn('t2b', 40, { effort: 'low' });
    const requests = [
      { round: 0, model: 'kimi-k3', effort: 'low', sentAt: 40, beginning: { kind: 'first' } },
    ] as const;
    const removed = {
      conversation: { id: 'root', turns: [t1, { ...t2, removed: true as const }] },
      parent: undefined,
    };
    const other = member('second', [t1, { ...running, requests }], version('root', 't2'));
    assert.deepEqual(versionsIn(other, [removed, other], () => 0)[0]?.versions, [
      {
        turn: 't2',
        conversation: 'root',
        model: 'kimi-k3',
        effort: 'max',
        startedAt: 20,
        endedAt: 25,
        end: 'completed',
        removed: true,
        requests: [],
      },
      { turn: 't2b', conversation: 'second', model: 'kimi-k3', effort: 'low', startedAt: 40, requests },
    ]);
  });

  it('have no versions before there is a second one', () => {
    assert.deepEqual(
      versionsIn(root, [root], () => 0),
      [],
    );
    // Its first question is on its way.
    const empty = member('empty', [t1], version('root', 't2'));
    assert.deepEqual(ids(root, undefined, [root, empty]), []);
    assert.deepEqual(ids(empty, undefined, [root, empty]), []);
  });
});

/** Dollars to a request: its output. */
const dollar: PriceTable = {
  ...defaultPrices,
  'kimi-k3.1-pro': { ...defaultPrices['kimi-k3.1-pro'], output: 1e6 },
};
const paid = (dollars: number): RequestRecord => record({ usage: usage(0, { output: dollars }) });

describe('what a conversation is paid for', () => {
  const asked = (id: string, ...dollars: readonly number[]): Turn =>
    turn(id, 0, { requests: dollars.map(paid) });
  const begun = (of: Member, ...turns: readonly Turn[]): PaidMember => ({
    ...of,
    begunWith: new Map(turns.map(({ id, requests }) => [id, requests.length])),
  });
  const sums = (shown: PaidMember, family: readonly PaidMember[]): readonly number[] => {
    const { all, otherVersions, beforeFork } = paidRequests(shown, family);
    return [all, otherVersions, beforeFork].map((requests) => sumOf(requests, dollar).money);
  };
  const [one, two, three] = [asked('1', 1, 2), asked('2', 4), asked('3', 8)];
  const old = begun(member('old', [one, two, three]));
  const edited = begun(member('edited', [one, asked('2b', 16, 32)], version('old', '2')), one);
  const anew = begun(member('anew', [asked('1b', 64)], version('edited', '1')));

  it('is every request of every version once, whichever is shown', () => {
    const family = [old, edited, anew];
    assert.deepEqual(sums(old, [old]), [15, 0, 0]);
    assert.deepEqual(sums(old, family), [127, 112, 0]);
    assert.deepEqual(sums(edited, family), [127, 76, 0]);
    assert.deepEqual(sums(anew, family), [127, 63, 0]);
  });

  it('is the same when a turn is deleted, in one version or in all', () => {
    const stub: Turn = { ...one, question: { text: '', attachments: [] }, removed: true };
    const without = { ...old, conversation: { id: 'old', turns: [stub, two, three] } };
    assert.deepEqual(sums(without, [without, edited, anew]), [127, 112, 0]);
    assert.deepEqual(sums(edited, [without, edited, anew]), [127, 76, 0]);
    const also = { ...edited, conversation: { id: 'edited', turns: [stub, asked('2b', 16, 32)] } };
    assert.deepEqual(sums(also, [without, also, anew]), [127, 76, 0]);
  });

  it('is what a title took, too: before the fork where it was asked for there', () => {
    const named: Turn = { ...one, naming: paid(1024) };
    const root = begun(member('root', [named, two]));
    assert.deepEqual(sums(root, [root]), [1031, 0, 0]);
    const parent = { conversation: 'root', turn: '1', kind: 'fork' } as const;
    const fork = begun(member('fork', [named, { ...asked('9', 16), naming: paid(2048) }], parent), named);
    assert.deepEqual(sums(fork, [fork]), [2064, 0, 1027]);
  });

  it('is what was asked since the fork, of a turn that was gone on with there, too', () => {
    const at = member('fork', [one, asked('2', 4, 128)], { conversation: 'old', turn: '2', kind: 'fork' });
    const forked = begun(at, one, two);
    assert.deepEqual(sums(forked, [forked]), [128, 0, 7]);
    const changed = begun(member('changed', [one, asked('2c', 256)], version('fork', '2')), one);
    assert.deepEqual(sums(forked, [forked, changed]), [384, 256, 7]);
    assert.deepEqual(sums(changed, [forked, changed]), [384, 128, 7]);
  });
});
