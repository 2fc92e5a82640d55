/** What a panel is fed: how often, how much, in which order. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { emptyConversation, reduce } from '../../../src/core/conversation/reduce.ts';
import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import { batchInterval, Feed } from '../../../src/host/chat/feed.ts';
import { PatchProgressReader } from '../../../src/core/patch/progress.ts';
import type { PanelState, ToWebview } from '../../../src/protocol/toWebview.ts';

const panel: PanelState = {
  key: 'present',
  model: 'kimi-k3',
  effort: 'max',
  patchMode: 'ask',
  attachments: [],
  suggestions: [],
};
const choice = { model: 'kimi-k3', effort: 'max' } as const;
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

  for (const count of [2, 10, 40]) {
    it(`spends no more on a patch to ${count} files, with names as they are`, () => {
      const { feed, posts, advance } = feedOnClock();
      feed.restart(truth);
      const call = { turn: randomUUID(), part: '0.1' };
      const reader = new PatchProgressReader();
      const paths = Array.from({ length: count }, (_, at) => `packages/server/src/features/file${at}.ts`);
      const lines = paths.flatMap((path) => [
        `*** Update File: ${path}`,
        '@@',
        ...Array.from({ length: 80 }, (_, at) => `${at % 2 === 0 ? '-' : '+'}line ${at}`),
      ]);
      const patch = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
      const opened: ShownEvent[] = [
        { kind: 'turnStarted', ...call, question: { text: '', attachments: [] }, ...choice, at: 0 },
        { kind: 'toolOpened', ...call, name: 'apply_patch', at: 0 },
      ];
      let host = opened.reduce(reduce, emptyConversation('c'));
      let mirror = host;
      const before = posts.length;
      for (let at = 0; at < patch.length; at += 4) {
        const text = patch.slice(at, at + 4);
        const files = reader.feed(text);
        const events: ShownEvent[] = [
          { kind: 'toolInputAdded', ...call, text },
          ...(files === undefined ? [] : [{ kind: 'toolProgressed' as const, ...call, files }]),
        ];
        for (const event of events) {
          host = reduce(host, event);
          feed.push(event);
        }
        advance(5);
      }
      advance(batchInterval);
      const sent = posts.slice(before);
      for (const post of sent) if (post.kind === 'events') mirror = post.events.reduce(reduce, mirror);
      assert.deepEqual(mirror, host);
      const [part] = host.turns[0]?.parts ?? [];
      assert.deepEqual(
        part?.kind === 'tool' && part.progress?.files,
        paths.map((path) => ({ path, change: 'update', added: 40, removed: 40 })),
      );
      const total = sent.reduce((sum, post) => sum + Buffer.byteLength(JSON.stringify(post)), 0);
      const most = 1.2 * Buffer.byteLength(patch) + 300 * sent.length;
      assert.ok(total <= most, `${total} bytes in ${sent.length} posts; ${most} are allowed`);
    });
  }

  describe('through a channel that is slow', () => {
    /** Milliseconds that a post takes to arrive, as over SSH. */
    const latency = 50;

    /** 20,000 pieces of reasoning in five seconds; `during` may push something else at each millisecond. */
    function reason(during: (feed: Feed, ms: number) => void = () => undefined) {
      let now = 1000;
      let timer: { at: number; then: () => void } | undefined;
      const arrived: { at: number; message: ToWebview }[] = [];
      const feed = new Feed({
        post: (message) => arrived.push({ at: now + latency, message: structuredClone(message) }),
        now: () => now,
        wait: (milliseconds, then) => {
          timer = { at: now + milliseconds, then };
          return () => {
            timer = undefined;
          };
        },
      });
      feed.restart(truth);
      let text = '';
      const start = now;
      for (let ms = 0; ms < 5_000; ms += 1) {
        for (let piece = 0; piece < 4; piece += 1) {
          const said = `thought ${ms}.${piece} `;
          text += said;
          feed.push(textAdded(said));
        }
        during(feed, ms);
        now += 1;
        if (timer !== undefined && timer.at <= now) {
          const { then } = timer;
          timer = undefined;
          then();
        }
      }
      const end = now;
      if (timer !== undefined) {
        now = Math.max(now, timer.at);
        timer.then();
      }
      return { start, end, text, arrived };
    }

    const textOf = (messages: readonly { message: ToWebview }[]): string =>
      messages
        .flatMap(({ message }) => (message.kind === 'events' ? message.events : []))
        .map((event) => (event.kind === 'textAdded' ? event.text : ''))
        .join('');

    it('shows the last character of 20,000 pieces of reasoning at once, with at most 30 posts a second', () => {
      const { end, text, arrived } = reason();
      assert.equal(textOf(arrived), text);
      assert.ok((arrived.at(-1)?.at ?? Infinity) - end < 250);
      const batches = arrived.filter(({ message }) => message.kind === 'events');
      assert.ok(batches.length <= 5 * 30, `${batches.length} posts in 5 s`);
      for (const [index, { at }] of batches.entries()) {
        const within = batches.slice(index).filter((other) => other.at < at + 1000);
        assert.ok(within.length <= 30, `${within.length} posts in a second`);
      }
      const bytes = batches.reduce((sum, { message }) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
      assert.ok(bytes <= 1.2 * Buffer.byteLength(text) + 300 * batches.length, `${bytes} bytes`);
    });

    it('shows what is to be decided, and what it costs, without waiting behind the text', () => {
      const review: ShownEvent = {
        kind: 'toolReviewed',
        turn: 't',
        part: 'q',
        proposal: { id: 'p', files: [] },
      };
      const { start, arrived } = reason((feed, ms) => {
        if (ms === 2_500) feed.push(review);
        if (ms === 3_000) feed.post({ kind: 'notice', text: 'Look.' });
      });
      const reviewAt = arrived.find(
        ({ message }) =>
          message.kind === 'events' && message.events.some(({ kind }) => kind === 'toolReviewed'),
      )?.at;
      assert.equal(reviewAt, start + 2_500 + latency);
      const noticeAt = arrived.find(({ message }) => message.kind === 'notice')?.at;
      assert.equal(noticeAt, start + 3_000 + latency);
    });
  });

  it('posts as many bytes for a piece after 2,000 turns as after none', () => {
    const { feed, posts, advance } = feedOnClock();
    const sizes = [0, 2_000].map((count) => {
      const turns = Array.from({ length: count }, (_, index): Turn => {
        const id = `t${index}`;
        const question = { text: 'Why?', attachments: [] };
        return { id, question, model: 'kimi-k3', effort: 'max', startedAt: 0, parts: [], requests: [] };
      });
      feed.restart({ ...truth, conversation: { id: 'c', turns } });
      feed.push(textAdded('a piece'));
      advance(100);
      return Buffer.byteLength(JSON.stringify(posts.findLast(({ kind }) => kind === 'events')));
    });
    assert.equal(sizes[0], sizes[1]);
    assert.ok((sizes[0] ?? Infinity) <= 1.2 * 7 + 300);
  });

  it('tells the end of a long conversation first, and what stands before it piece by piece, as it is by then', () => {
    const { feed, posts, advance, waiting } = feedOnClock();
    let conversation: Conversation = { id: 'c', turns: [] };
    for (let n = 0; n < 50; n++) {
      const question = { text: '?'.repeat(30_000), attachments: [] };
      const id = `t${n}`;
      const started = {
        kind: 'turnStarted',
        turn: id,
        question,
        model: 'kimi-k3',
        effort: 'max',
        at: n,
      } as const;
      conversation = [
        started,
        { kind: 'turnEnded', turn: id, end: { kind: 'completed' }, at: n } as const,
      ].reduce(reduce, conversation);
    }
    feed.restart({ ...truth, conversation }, { now: () => conversation });
    const [first] = posts;
    assert.ok(first?.kind === 'snapshot' && first.earlier === true);
    assert.deepEqual(first.conversation.turns, conversation.turns.slice(37));
    // What happens in a turn that was not told yet is told with it.
    const removed: ShownEvent = { kind: 'turnRemoved', turn: 't36' };
    conversation = reduce(conversation, removed);
    feed.push(removed);
    let told = first.conversation.turns;
    for (let at = 1; waiting(); at++) {
      advance(batchInterval);
      assert.equal(posts.length, at + 2);
      const post = posts.at(-1);
      assert.ok(post?.kind === 'earlier' && post.conversation === 'c');
      assert.ok(post.turns.length > 0 && post.turns.length <= 14);
      told = [...post.turns, ...told];
      assert.equal(post.more, waiting() ? true : undefined);
    }
    assert.deepEqual(told, conversation.turns);
    // One long turn is told, too, and nothing more of a conversation that is not shown any more.
    feed.replace(conversation);
    assert.equal(waiting(), true);
    feed.replace(emptyConversation('d'), { isPart: true });
    assert.equal(waiting(), false);
    assert.deepEqual(posts.at(-1), {
      kind: 'conversation',
      seq: 1,
      conversation: { id: 'd', turns: [] },
      earlier: true,
    });
  });
});
