/** The list that opens while a name is typed, without a page. */
import assert from 'node:assert/strict';

import type { CompletionItem } from '../../src/protocol/completion.ts';
import type { ToHost } from '../../src/protocol/toHost.ts';
import { CompletionState, type ShownList } from '../../src/webview/completionState.ts';
import type { KeyPress } from '../../src/webview/keys.ts';

const item = (id: string, label: string, more: Partial<CompletionItem> = {}): CompletionItem => ({
  ...{ id, kind: 'file', label, insert: `@${label}` },
  ...more,
});

/** A field with a host behind it that answers when the test says so. */
class Desk {
  text = '';
  cursor: number | undefined = 0;
  time = 0;
  entered = 0;
  readonly posts: ToHost[] = [];
  readonly said: string[] = [];
  readonly state = new CompletionState({
    read: () => ({ text: this.text, ...(this.cursor !== undefined && { cursor: this.cursor }) }),
    write: (text, cursor) => {
      this.text = text;
      this.cursor = cursor;
    },
    post: (intent) => this.posts.push(intent),
    announce: (sentence) => this.said.push(sentence),
    changed: () => undefined,
    enter: () => {
      this.entered += 1;
    },
    now: () => this.time,
  });

  type(text: string): void {
    for (const letter of text) {
      const at = this.cursor ?? this.text.length;
      this.text = this.text.slice(0, at) + letter + this.text.slice(at);
      this.cursor = at + letter.length;
      this.state.typed();
    }
  }

  press(key: string, more: Partial<KeyPress> = {}): boolean {
    return this.state.takesKey(
      {
        ...{
          key,
          keyCode: 0,
          isComposing: false,
          shift: false,
          alt: false,
          ctrl: false,
          meta: false,
          repeat: false,
        },
        ...more,
      },
      { composing: false, sinceComposition: Infinity },
    );
  }

  shown(): ShownList | undefined {
    return this.state.shown;
  }

  /** The list that was asked for last is told. */
  answer(items: readonly CompletionItem[], looking = false): void {
    this.state.told({ list: this.list, items, looking });
  }

  get list(): number {
    const asked = this.posts.findLast((post) => post.kind === 'complete');
    assert.ok(asked, 'nothing was asked');
    return asked.list;
  }

  get taken(): readonly string[] {
    return this.posts.flatMap((post) =>
      post.kind === 'takeCompletion' ? [`${post.list} ${post.item}`] : [],
    );
  }
}

describe('the list while a name is typed', () => {
  it('is asked for at each key, and shows nothing before the first answer', () => {
    const desk = new Desk();
    desk.type('Why @ca');
    assert.deepEqual(
      desk.posts.map((post) => post.kind === 'complete' && `${post.list} ${post.trigger}${post.query}`),
      ['1 @', '2 @c', '3 @ca'],
    );
    assert.equal(desk.shown(), undefined);
    desk.answer([item('0', 'cart.ts')]);
    assert.deepEqual(desk.shown(), {
      ...{ trigger: '@', query: 'ca', items: [item('0', 'cart.ts')] },
      ...{ active: 0, looking: false },
    });
  });

  it('shows what fitted before until the next answer, and nothing of an earlier list', () => {
    const desk = new Desk();
    desk.type('@c');
    desk.answer([item('0', 'cart.ts')]);
    desk.type('a');
    assert.deepEqual(desk.shown()?.items, [item('0', 'cart.ts')]);
    assert.equal(desk.shown()?.looking, true);
    desk.type(' @');
    assert.equal(desk.shown(), undefined);
  });

  it('leaves what it names in the text and has the host attach it', () => {
    const desk = new Desk();
    desk.type('Why @ca');
    desk.answer([item('0', 'cart.ts'), item('1', 'card.ts')]);
    assert.ok(desk.press('ArrowDown'));
    assert.equal(desk.shown()?.active, 1);
    assert.ok(desk.press('Enter'));
    assert.equal(desk.text, 'Why @card.ts ');
    assert.deepEqual(desk.taken, ['3 1']);
    assert.deepEqual(desk.posts.at(-1), { kind: 'endCompletion' });
    assert.equal(desk.shown(), undefined);
    assert.deepEqual(desk.said, ['card.ts taken.']);
    assert.ok(!desk.press('Enter'), 'the next one sends');
  });

  it('keeps the chosen row when more is found', () => {
    const desk = new Desk();
    desk.type('@c');
    desk.answer([item('0', 'a'), item('1', 'b')], true);
    desk.press('ArrowUp');
    desk.answer([item('0', 'new'), item('1', 'a'), item('2', 'b'), item('3', 'c')]);
    assert.equal(desk.shown()?.active, 2);
    desk.type('d');
    desk.answer([item('0', 'c')]);
    assert.equal(desk.shown()?.active, 0);
  });

  it('waits with what was confirmed before its list was there: another may come first', () => {
    const desk = new Desk();
    desk.type('@c');
    desk.answer([item('0', 'checkout.ts')]);
    desk.type('art');
    assert.ok(desk.press('Enter'));
    assert.deepEqual(desk.taken, []);
    desk.answer([], true);
    assert.deepEqual(desk.taken, []);
    desk.answer([item('0', 'cart.ts')], true);
    assert.equal(desk.text, '@cart.ts ');
    assert.deepEqual(desk.taken, ['5 0']);
  });

  it('hands on the Enter when nothing fits, and forgets it when it took too long or more was typed', () => {
    const desk = new Desk();
    desk.type('@xyz');
    assert.ok(desk.press('Enter'));
    desk.answer([]);
    assert.equal(desk.entered, 1);
    assert.deepEqual(desk.said, ['Nothing is named “xyz”.']);
    assert.ok(!desk.press('Enter'), 'now it is known');
    desk.type('a');
    assert.ok(desk.press('Enter'));
    desk.time = 2_000;
    desk.answer([]);
    assert.equal(desk.entered, 1);
    desk.type('b');
    assert.ok(desk.press('Tab'));
    desk.type('c');
    desk.answer([item('0', 'abc')]);
    assert.deepEqual(desk.taken, []);
  });

  it('says that nothing fits, but not of nothing', () => {
    const desk = new Desk();
    desk.type('@');
    desk.answer([]);
    assert.equal(desk.shown(), undefined);
    desk.type('x');
    desk.answer([], true);
    assert.deepEqual(desk.shown()?.items, []);
    assert.deepEqual(desk.said, []);
    desk.answer([]);
    assert.equal(desk.shown()?.looking, false);
    assert.deepEqual(desk.said, ['Nothing is named “x”.']);
    const other = new Desk();
    other.type('/x');
    other.answer([]);
    assert.deepEqual(other.said, ['There is no command “x”.']);
  });

  it('looks inside a folder with Tab, and takes anything else with it', () => {
    const desk = new Desk();
    desk.type('@s, now');
    desk.cursor = 2;
    desk.text = '@s, now';
    desk.state.typed();
    desk.answer([item('0', 'src/', { kind: 'folder', into: '@src/' })]);
    assert.ok(desk.press('Tab'));
    assert.deepEqual([desk.text, desk.cursor], ['@src/, now', 5]);
    assert.deepEqual(desk.posts.at(-1), { kind: 'complete', list: desk.list, trigger: '@', query: 'src/' });
    desk.answer([item('0', 'cart.ts')]);
    assert.ok(desk.press('Tab'));
    assert.equal(desk.text, '@cart.ts , now');
  });

  it('stays away where it was put away, until another name is begun', () => {
    const desk = new Desk();
    desk.type('@c');
    desk.answer([item('0', 'cart.ts')]);
    assert.ok(desk.press('Escape'));
    assert.equal(desk.shown(), undefined);
    assert.ok(!desk.press('Escape'), 'the next one stops');
    const asked = desk.posts.length;
    desk.type('art');
    assert.equal(desk.posts.length, asked);
    desk.type(' @');
    assert.equal(desk.posts.at(-1)?.kind, 'complete');
    assert.ok(desk.press('Escape'));
    assert.ok(desk.press(' ', { ctrl: true }));
    assert.equal(desk.posts.at(-1)?.kind, 'complete');
  });

  it('closes when the cursor leaves the name, or something is selected, and opens by typing alone', () => {
    const desk = new Desk();
    desk.type('Why @c');
    desk.answer([item('0', 'cart.ts')]);
    desk.cursor = 1;
    desk.state.cursorMoved();
    assert.equal(desk.shown(), undefined);
    desk.cursor = 6;
    desk.state.cursorMoved();
    assert.equal(desk.shown(), undefined);
    desk.state.typed();
    desk.answer([item('0', 'cart.ts')]);
    desk.cursor = undefined;
    desk.state.cursorMoved();
    assert.equal(desk.shown(), undefined);
  });

  it('leaves keys to the text that are not for it', () => {
    const desk = new Desk();
    for (const key of ['ArrowUp', 'Enter', 'Tab', 'Escape']) assert.ok(!desk.press(key));
    desk.type('@c');
    assert.ok(!desk.press('ArrowDown'), 'nothing is shown');
    desk.answer([item('0', 'cart.ts')]);
    assert.ok(!desk.press('Enter', { ctrl: true }));
    assert.ok(!desk.press('ArrowLeft'));
  });
});
