/** What waits for a pause: announcements and drafts. Time is a number here. */
import assert from 'node:assert/strict';
import { Announcer } from '../../src/webview/announcer.ts';
import { DraftKeeper } from '../../src/webview/draftKeeper.ts';

class Clock {
  now = 0;
  #timers: { at: number; act: () => void }[] = [];

  later = (act: () => void, milliseconds: number): (() => void) => {
    const timer = { at: this.now + milliseconds, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = next.at;
      next.act();
    }
    this.now = end;
  }
}

describe('announcements', () => {
  const setUp = (): { clock: Clock; said: string[][]; announcer: Announcer } => {
    const clock = new Clock();
    const said: string[][] = [];
    const announcer = new Announcer({
      say: (sentences) => said.push([...sentences]),
      now: () => clock.now,
      later: clock.later,
    });
    return { clock, said, announcer };
  };

  it('come together, in order, after a short while', () => {
    const { clock, said, announcer } = setUp();
    announcer.announce('One.');
    clock.pass(100);
    announcer.announce(' Two. ');
    announcer.announce('   ');
    assert.deepEqual(said, []);
    clock.pass(200);
    assert.deepEqual(said, [['One.', 'Two.']]);
    clock.pass(10_000);
    assert.equal(said.length, 1);
  });

  it('are silent while the person types, and lose nothing', () => {
    const { clock, said, announcer } = setUp();
    for (let key = 0; key < 20; key++) {
      announcer.typed();
      announcer.announce(`Sentence ${key}.`);
      clock.pass(300);
    }
    assert.deepEqual(said, []);
    clock.pass(1500);
    assert.equal(said.flat().length, 20);
  });

  it('are put off again when typing goes on', () => {
    const { clock, said, announcer } = setUp();
    announcer.announce('One.');
    clock.pass(200);
    announcer.typed();
    clock.pass(1400);
    assert.deepEqual(said, []);
    clock.pass(100);
    assert.deepEqual(said, [['One.']]);
  });

  it('are forgotten when another conversation comes', () => {
    const { clock, said, announcer } = setUp();
    announcer.announce('One.');
    announcer.clear();
    clock.pass(5000);
    assert.deepEqual(said, []);
  });
});

describe('telling the host about the draft', () => {
  const setUp = (): { clock: Clock; told: string[]; keeper: DraftKeeper } => {
    const clock = new Clock();
    const told: string[] = [];
    return { clock, told, keeper: new DraftKeeper({ tell: (text) => told.push(text), later: clock.later }) };
  };

  it('waits for a pause of typing', () => {
    const { clock, told, keeper } = setUp();
    for (const text of ['a', 'ab', 'abc']) {
      keeper.changed(text);
      clock.pass(150);
    }
    assert.deepEqual(told, []);
    clock.pass(50);
    assert.deepEqual(told, ['abc']);
  });

  it('happens at once when the page may be about to go, and not twice', () => {
    const { clock, told, keeper } = setUp();
    keeper.changed('a');
    keeper.flush();
    keeper.flush();
    clock.pass(1000);
    assert.deepEqual(told, ['a']);
    keeper.changed('b');
    keeper.changed('a');
    clock.pass(1000);
    assert.deepEqual(told, ['a']);
  });

  it('happens again when the host made it another meanwhile', () => {
    const { clock, told, keeper } = setUp();
    keeper.changed('a');
    keeper.flush();
    // It was asked, and recalled at once.
    keeper.replaced('');
    keeper.changed('a');
    clock.pass(1000);
    assert.deepEqual(told, ['a', 'a']);
  });

  it('happens at once when the host has another than stands there, and not when it has the same', () => {
    const { clock, told, keeper } = setUp();
    keeper.compared('from before', 'from before');
    clock.pass(1000);
    assert.deepEqual(told, []);
    keeper.compared('from before', 'fro');
    assert.deepEqual(told, ['from before']);
    keeper.compared('', 'long gone');
    clock.pass(1000);
    assert.deepEqual(told, ['from before', '']);
  });

  it('says nothing when nothing was typed', () => {
    const { told, keeper } = setUp();
    keeper.flush();
    assert.deepEqual(told, []);
  });
});
