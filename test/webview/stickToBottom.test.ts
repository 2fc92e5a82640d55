/** Whoever reads is never moved; whoever is at the end stays there. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atStart, offersJump, resized, scrolled, type Follow } from '../../src/webview/stickToBottom.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

/** A scrolled element with a frame of 100 px that reports its events as a browser does. */
class Scroller {
  scrollTop = 0;
  scrollHeight = 0;
  clientHeight = 100;
  follow: Follow = atStart;

  grow(by: number): void {
    this.scrollHeight = Math.max(0, this.scrollHeight + by);
    this.#clamp();
    const next = resized(this.follow, this);
    this.follow = next.follow;
    if (next.scrollTo !== undefined) {
      this.scrollTop = next.scrollTo;
      this.follow = scrolled(this.follow, this, false);
    }
  }

  /** By the person. */
  scroll(by: number): void {
    this.scrollTop += by;
    this.#clamp();
    this.follow = scrolled(this.follow, this, true);
  }

  get below(): number {
    return this.scrollHeight - this.clientHeight - this.scrollTop;
  }

  #clamp(): void {
    this.scrollTop = Math.min(
      Math.max(0, this.scrollTop),
      Math.max(0, this.scrollHeight - this.clientHeight),
    );
  }
}

describe('following the end', () => {
  it('follows while the reader is at the end', () => {
    const scroller = new Scroller();
    for (let step = 0; step < 20; step++) scroller.grow(37);
    assert.equal(scroller.below, 0);
    assert.equal(offersJump(scroller.follow, scroller), false);
  });

  it('stays where the reader is after a single pixel upwards', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.scroll(-1);
    const at = scroller.scrollTop;
    for (let step = 0; step < 20; step++) scroller.grow(37);
    assert.equal(scroller.scrollTop, at);
    assert.equal(offersJump(scroller.follow, scroller), true);
  });

  it('follows again once the reader came back to the end', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.scroll(-200);
    scroller.grow(100);
    scroller.scroll(299);
    scroller.scroll(10);
    scroller.grow(100);
    assert.equal(scroller.below, 0);
  });

  it('keeps following when content shrinks', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.grow(-200);
    scroller.follow = scrolled(scroller.follow, scroller, false);
    scroller.grow(300);
    assert.equal(scroller.below, 0);
  });

  it('lets go of whoever scrolls up in the frame in which the content shrinks', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.scrollHeight -= 30;
    scroller.scroll(-200);
    const at = scroller.scrollTop;
    scroller.grow(100);
    assert.equal(scroller.scrollTop, at);
    assert.equal(scroller.follow.following, false);
  });

  it('keeps following when the position is read back as a fraction less', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.scrollTop -= 0.4;
    scroller.follow = scrolled(scroller.follow, scroller, false);
    scroller.grow(50);
    assert.equal(scroller.below, 0);
  });

  it('does not offer to jump when hardly anything is below', () => {
    const scroller = new Scroller();
    scroller.grow(500);
    scroller.scroll(-20);
    assert.equal(offersJump(scroller.follow, scroller), false);
    scroller.grow(100);
    assert.equal(offersJump(scroller.follow, scroller), true);
  });

  it('never moves a reader who has left the end', () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 200 }) }),
        fc.record({ kind: fc.constant('scroll' as const), by: fc.integer({ min: -150, max: 150 }) }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(moves, (list) => {
        const scroller = new Scroller();
        for (const move of list) {
          const before = { top: scroller.scrollTop, following: scroller.follow.following };
          if (move.kind === 'scroll') scroller.scroll(move.by);
          else scroller.grow(move.by);
          if (move.kind === 'grow' && !before.following) assert.equal(scroller.scrollTop, before.top);
          if (move.kind === 'grow' && before.following) assert.ok(scroller.below <= 0);
          if (move.kind === 'scroll' && scroller.scrollTop < before.top) {
            assert.equal(scroller.follow.following, false);
          }
        }
      }),
      { seed },
    );
  });
});
