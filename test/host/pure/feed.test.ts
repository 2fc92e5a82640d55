import assert from 'node:assert/strict';

import { emptyConversation } from '../../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import { batchInterval, Feed } from '../../../src/host/chat/feed.ts';
import type { PanelState, ToWebview } from '../../../src/protocol/toWebview.ts';

const panel: PanelState = {
  key: 'present',
  model: 'kimi-k3',
  effort: 'max',
  patchMode: 'ask',
  attachments: [],
  suggestions: [],
};
const truth = { conversation: emptyConversation('c'), panel, draft: '' };

function textAdded(text: string): ShownEvent {
  return { kind: 'textAdded', turn: 't', part: 'p', section: 0, text };
}

/** A feed on a clock that the test moves. */
function feedOnClock() {
  const posts: ToWebview[] = [];
  let now = 1000;
  let timer: { at: number; then: () => void } | undefined;
  const feed = new Feed({
    post: (message) => posts.push(message),
    now: () => now,
    wait: (milliseconds, then) => {
      timer = { at: now + milliseconds, then };
      return () => {
        timer = undefined;
      };
    },
  });
  const advance = (milliseconds: number): void => {
    now += milliseconds;
    if (timer === undefined || timer.at > now) return;
    const { then } = timer;
    timer = undefined;
    then();
  };
  return { feed, posts, advance, waiting: () => timer !== undefined };
}

describe('Feed', () => {
  it('posts nothing before the panel is ready', () => {
    const { feed, posts } = feedOnClock();
    feed.push(textAdded('a'));
    assert.equal(feed.post({ kind: 'focusComposer' }), false);
    assert.deepEqual(posts, []);
    feed.restart(truth);
    assert.equal(feed.post({ kind: 'focusComposer' }), true);
    feed.close();
    assert.equal(feed.post({ kind: 'focusComposer' }), false);
    assert.equal(posts.length, 2);
  });

  it('posts the first event after a pause at once and joins those that follow within the interval', () => {
    const { feed, posts, advance } = feedOnClock();
    feed.restart(truth);
    feed.push(textAdded('a'));
    assert.deepEqual(posts.at(-1), { kind: 'events', seq: 1, events: [textAdded('a')] });
    feed.push(textAdded('b'));
    feed.push(textAdded('c'));
    assert.equal(posts.length, 2);
    advance(batchInterval - 1);
    assert.equal(posts.length, 2);
    advance(1);
    assert.deepEqual(posts.at(-1), { kind: 'events', seq: 2, events: [textAdded('bc')] });
  });

  it('posts at most one batch an interval, whatever comes', () => {
    const { feed, posts, advance } = feedOnClock();
    feed.restart(truth);
    for (let ms = 0; ms < 3300; ms += 1) {
      feed.push(textAdded('x'));
      advance(1);
    }
    const batches = posts.filter((post) => post.kind === 'events');
    assert.ok(batches.length <= 101, `${batches.length} batches`);
    advance(batchInterval);
    const text = posts
      .flatMap((post) => (post.kind === 'events' ? post.events : []))
      .map((event) => (event.kind === 'textAdded' ? event.text : ''))
      .join('');
    assert.equal(text.length, 3300);
  });

  it('keeps the order of events and other facts', () => {
    const { feed, posts } = feedOnClock();
    feed.restart(truth);
    feed.push(textAdded('a'));
    feed.push(textAdded('b'));
    feed.post({ kind: 'panel', panel });
    assert.deepEqual(
      posts.map((post) => post.kind),
      ['snapshot', 'events', 'events', 'panel'],
    );
  });

  it('numbers batches without a gap, and a snapshot with the last one', () => {
    const { feed, posts, advance } = feedOnClock();
    feed.restart(truth);
    feed.push(textAdded('a'));
    advance(100);
    feed.restart(truth);
    feed.push(textAdded('b'));
    assert.deepEqual(
      posts.map((post) => ('seq' in post ? post.seq : undefined)),
      [0, 1, 1, 2],
    );
  });

  it('drops what waits when the panel goes, and the timer with it', () => {
    const { feed, posts, advance, waiting } = feedOnClock();
    feed.restart(truth);
    feed.push(textAdded('a'));
    feed.push(textAdded('b'));
    feed.close();
    assert.equal(waiting(), false);
    advance(1000);
    assert.equal(posts.length, 2);
  });

  it('tells of another conversation and does not mix in events of the old one', () => {
    const { feed, posts, advance } = feedOnClock();
    feed.restart(truth);
    feed.push(textAdded('a'));
    feed.push(textAdded('b'));
    feed.replace(emptyConversation('d'));
    advance(1000);
    assert.deepEqual(
      posts.map((post) => post.kind),
      ['snapshot', 'events', 'conversation'],
    );
  });

  it('spends at most 1.2 bytes for each byte of text, and 300 a post', () => {
    const { feed, posts, advance } = feedOnClock();
    feed.restart(truth);
    const before = posts.length;
    let bytes = 0;
    for (let index = 0; index < 20_000; index += 1) {
      const text = index % 7 === 0 ? '思考 ' : 'word ';
      bytes += Buffer.byteLength(text);
      feed.push(textAdded(text));
      if (index % 4 === 0) advance(1);
    }
    advance(batchInterval);
    const sent = posts.slice(before);
    const total = sent.reduce((sum, post) => sum + Buffer.byteLength(JSON.stringify(post)), 0);
    assert.ok(
      total <= 1.2 * bytes + 300 * sent.length,
      `${total} bytes for ${bytes} in ${sent.length} posts`,
    );
  });
});
