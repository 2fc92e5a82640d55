/** Questions that are written anew, what is sent of them, and where the cursor goes. */
import assert from 'node:assert/strict';

import type { DearIntent, ToHost } from '../../src/protocol/toHost.ts';
import type { PanelState, ToWebview } from '../../src/protocol/toWebview.ts';
import { BranchActions } from '../../src/webview/branches.ts';
import { apply, firstState, isLongToSave, onlyStill, toSave, type State } from '../../src/webview/store.ts';
import { readEdits, withEdit, withoutEdit } from '../../src/webview/turnEdits.ts';

const question = {
  text: 'Why?',
  attachments: ['a', 'b'].map((id) => ({
    id,
    kind: 'file' as const,
    path: `${id}.ts`,
    uri: 'u',
    languageId: 'ts',
  })),
};

interface Made {
  readonly branches: BranchActions<State>;
  readonly posts: ToHost[];
  readonly state: () => State;
  time: number;
}

function actions(): Made {
  let state = firstState(undefined);
  let ids = 0;
  const posts: ToHost[] = [];
  const made: Made = {
    posts,
    state: () => state,
    time: 0,
    branches: new BranchActions<State>({
      state: () => state,
      change: (next) => {
        state = next;
      },
      post: (intent) => posts.push(intent),
      newId: () => `id ${(ids += 1)}`,
      now: () => made.time,
    }),
  };
  return made;
}

describe('a question that is written anew', () => {
  it('begins as it was asked, is kept with its page, and begins where it was left', () => {
    const { branches, state } = actions();
    branches.startEdit('t', question);
    assert.deepEqual(branches.editOf('t'), { text: 'Why?', dropped: [] });
    branches.changeEdit('t', { text: 'Why not?', dropped: ['a'] });
    branches.startEdit('t', question);
    assert.deepEqual(toSave(state()).edits, { t: { text: 'Why not?', dropped: ['a'] } });
    assert.deepEqual(firstState(toSave(state())).edits, state().edits);
    branches.cancelEdit('t');
    assert.deepEqual(state().edits, {});
    assert.ok(!('edits' in toSave(state())));
  });

  it('is kept with its page as long as there is room, the one that was begun last first, and knows when it is not', () => {
    const { branches, state } = actions();
    for (const turn of ['a', 'b', 'c']) branches.startEdit(turn, question);
    branches.changeEdit('a', { text: 'x'.repeat(9_992), dropped: [] });
    const kept = (): string[] => Object.keys(toSave(state()).edits ?? {});
    const short = isLongToSave(state());
    branches.changeEdit('b', { text: 'x'.repeat(90_000), dropped: [] });
    assert.deepEqual([short, isLongToSave(state()), kept()], [false, true, ['a', 'b', 'c']]);
    branches.changeEdit('a', { text: 'x'.repeat(9_997), dropped: [] });
    const areKept = ['a', 'b', 'c', 'none'].map((turn) => branches.isKept(turn));
    assert.deepEqual(
      [kept(), areKept],
      [
        ['b', 'c'],
        [false, true, true, true],
      ],
    );
    branches.changeEdit('c', { text: 'x'.repeat(100_001), dropped: [] });
    assert.deepEqual([kept(), branches.isKept('a'), branches.isKept('c')], [['a', 'b'], true, false]);
    assert.equal(branches.editOf('c')?.text.length, 100_001, 'it is there as long as the page is');
  });

  it('is sent with the chips that stay, by the same name as long as it is the same', () => {
    const { branches, posts } = actions();
    branches.sendEdit('t', question);
    branches.startEdit('t', question);
    branches.changeEdit('t', { text: ' ', dropped: [] });
    branches.sendEdit('t', question);
    assert.deepEqual(posts, []);
    branches.changeEdit('t', { text: 'So?', dropped: ['a'] });
    branches.sendEdit('t', question);
    branches.sendEdit('t', question);
    const sent = { kind: 'edit', id: 'id 1', turn: 't', text: 'So?', attachments: ['b'] };
    assert.deepEqual(posts, [sent, sent]);
    branches.changeEdit('t', { text: 'So?', dropped: [] });
    branches.sendEdit('t', question);
    assert.deepEqual(posts[2], { ...sent, id: 'id 2', attachments: ['a', 'b'] });
    branches.cancelEdit('t');
    branches.startEdit('t', question);
    branches.changeEdit('t', { text: 'So?', dropped: [] });
    branches.sendEdit('t', question);
    assert.deepEqual(posts[3], { ...sent, id: 'id 3', attachments: ['a', 'b'] });
  });

  it('leaves the state alone where there is none', () => {
    const state = withEdit({ edits: {} }, 't', { text: 'x', dropped: [] });
    assert.equal(withoutEdit(state, 'other'), state);
    assert.deepEqual(withoutEdit(state, 't'), { edits: {} });
  });

  it('is read as VS Code kept it, and whatever else was kept is left out', () => {
    const good = { text: 'x', dropped: ['a'] };
    assert.deepEqual(readEdits({ good, a: 1, b: null, c: { text: 'x' }, d: { text: 1, dropped: [] } }), {
      good,
    });
    assert.deepEqual(readEdits({ e: { text: 'x', dropped: ['a', 1] }, f: { text: 'x', dropped: 'a' } }), {
      e: good,
    });
    assert.equal(readEdits('x'), undefined);
    assert.equal(readEdits(null), undefined);
  });
});

describe('the cursor', () => {
  it('goes to the place that wants it, once, and not after a while', () => {
    const made = actions();
    const { branches } = made;
    assert.equal(branches.takes('a'), false);
    branches.want('a');
    assert.equal(branches.takes('b'), false);
    assert.equal(branches.takes('a'), true);
    assert.equal(branches.takes('a'), false);
    branches.want('a');
    made.time = 5000;
    assert.equal(branches.takes('a'), false);
  });
});

describe('the panel is told', () => {
  const panel: PanelState = {
    key: 'present',
    model: 'kimi-k3.1-pro',
    effort: 'max',
    patchMode: 'ask',
    attachments: [],
    suggestions: [],
  };
  const version = (turn: string) =>
    ({ turn, conversation: 'c', model: 'kimi-k3', effort: 'max', startedAt: 1, requests: [] }) as const;
  const both = [{ turn: 't', versions: [version('s'), version('t')] }];
  const conversation = { id: 'c', turns: [] };
  const after = (...messages: readonly ToWebview[]): State =>
    messages.reduce((state, message) => apply(state, message, 1).state, firstState(undefined));
  const snapshot = { kind: 'snapshot', seq: 0, conversation, panel, draft: '' } as const;
  const told = { kind: 'versions', conversation: 'c', turns: both } as const;

  it('of versions with a snapshot or later, and forgets them with another conversation', () => {
    assert.deepEqual(after(snapshot).mirror?.versions, []);
    assert.deepEqual(after({ ...snapshot, versions: both }).mirror?.versions, both);
    assert.equal(after(told).mirror, undefined);
    const state = after(snapshot, told);
    assert.deepEqual(state.mirror?.versions, both);
    assert.deepEqual(after(snapshot, { ...told, conversation: 'other' }).mirror?.versions, []);
    const more = [...structuredClone(both), { turn: 'u', versions: [] }];
    const kept = apply(state, { ...told, turns: more }, 1).state.mirror?.versions;
    assert.deepEqual(kept, more);
    assert.equal(kept[0], state.mirror.versions[0]);
    const other = { id: 'd', turns: [] };
    assert.deepEqual(
      apply(state, { kind: 'conversation', seq: 1, conversation: other }, 1).state.mirror?.versions,
      [],
    );
  });

  it('what it would cost, and that an edit was taken', () => {
    const next = { input: 1 } as never;
    const weighed = { turn: 't', model: 'kimi-k3', effort: 'max', edited: true, next } as const;
    const other = { ...weighed, edited: false };
    const newer = { ...weighed, effort: 'low' } as const;
    const state = after(
      snapshot,
      { kind: 'weighed', ...weighed },
      { kind: 'weighed', ...other },
      { kind: 'weighed', ...newer },
    );
    assert.deepEqual(state.weighed, [other, newer]);
    const edits = { t: { text: 'x', dropped: [] }, u: { text: 'y', dropped: [] } };
    const take = (text: string): State =>
      apply({ ...after(snapshot), edits }, { kind: 'editTaken', turn: 't', text }, 1).state;
    assert.deepEqual(take(' x').edits, { u: edits.u });
    assert.deepEqual(take('x as it was sent').edits, edits, 'what was typed since it was sent stays');
  });

  it('that something is dear, as long as it is what stands there', () => {
    const next = { input: 1 } as never;
    const asked: DearIntent = { kind: 'edit', id: 'e', turn: 't', text: 'x', attachments: [] };
    const state = { ...after(snapshot), edits: { t: { text: ' x', dropped: [] } } };
    assert.deepEqual(apply(state, { kind: 'confirm', asked, next }, 1).state.confirm, { asked, next });
    assert.equal(
      apply(state, { kind: 'confirm', asked: { ...asked, text: 'z' }, next }, 1).state.confirm,
      undefined,
    );
    const sure = apply(state, { kind: 'confirm', asked: { ...asked, attachments: ['c'] }, next }, 1).state;
    assert.equal(onlyStill(sure), sure);
    assert.equal(onlyStill(withEdit(sure, 't', { text: 'x and y', dropped: [] })).confirm, undefined);
    assert.equal(onlyStill(withEdit(sure, 't', { text: 'x', dropped: ['c'] })).confirm, undefined);
    assert.equal(onlyStill(withoutEdit(sure, 't')).confirm, undefined, 'the edit was called off');
    const again = { kind: 'answerAgain', id: 'a', turn: 't', model: 'kimi-k3', effort: 'max' } as const;
    assert.equal(apply(state, { kind: 'confirm', asked: again, next }, 1).state.confirm, undefined);
  });
});
