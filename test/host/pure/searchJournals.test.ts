/** Searching conversations that are kept: real files, read as they are found. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeRecord } from '../../../src/core/journal/record.ts';
import { JournalStore } from '../../../src/host/journal/journalStore.ts';
import {
  searchConversations,
  type ConversationHit,
  type SearchEnd,
} from '../../../src/host/journal/searchJournals.ts';

describe('the search in conversations', () => {
  let folder: string;
  let store: JournalStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-search-'));
    await mkdir(join(folder, 'journals'));
    const unexpected = (): never => assert.fail();
    store = new JournalStore({ folder, clock: Date.now, onDidFail: unexpected, onDidRecover: unexpected });
  });
  afterEach(async () => {
    store.closeNow();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function had(id: string, text: string): Promise<void> {
    const question = { text, attachments: [] };
    const event = {
      kind: 'turnStarted',
      turn: 't',
      question,
      model: 'kimi-k3',
      effort: 'max',
      at: 1,
    } as const;
    const lines = [encodeRecord({ kind: 'conversation', id, at: 1 }), encodeRecord({ kind: 'event', event })];
    await writeFile(join(folder, 'journals', `${id}.jsonl`), `${lines.join('\n')}\n`);
  }

  async function search(
    query: string,
    ids: readonly string[],
    more: { readonly most?: number; readonly signal?: AbortSignal; readonly onHit?: () => void } = {},
  ): Promise<SearchEnd & { readonly hits: readonly ConversationHit[] }> {
    const hits: ConversationHit[] = [];
    const { most = 100, signal = new AbortController().signal } = more;
    const end = await searchConversations(store, query, {
      conversations: ids,
      ...{ signal, most },
      onHit: (hit) => {
        hits.push(hit);
        more.onHit?.();
      },
    });
    return { ...end, hits };
  }

  it('finds each once, and only those that have the words', async () => {
    for (const id of ['a', 'b', 'c']) await had(id, id === 'c' ? 'Nothing of it' : `About the cart of ${id}`);
    const { hits, ...end } = await search('cart', ['a', 'b', 'c']);
    assert.deepEqual(end, { kind: 'whole', searched: 3, unread: 0 });
    assert.deepEqual(
      new Map(hits.map(({ id, line }) => [id, line])),
      new Map([
        ['a', 'About the cart of a'],
        ['b', 'About the cart of b'],
      ]),
    );
  });

  it('says what could not be read, and goes on', async () => {
    await had('a', 'A cart');
    const { hits, ...end } = await search('cart', ['gone', 'a']);
    assert.deepEqual(end, { kind: 'whole', searched: 2, unread: 1 });
    assert.equal(hits.length, 1);
  });

  it('finds nothing without a word', async () => {
    await had('a', 'A cart');
    assert.deepEqual(await search(' \n', ['a']), { kind: 'whole', searched: 0, unread: 0, hits: [] });
  });

  it('ends with as many as are wanted, and tells that there may be more', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
    for (const id of ids) await had(id, 'A cart');
    const { hits, kind, searched } = await search('cart', ids, { most: 5 });
    assert.deepEqual([hits.length, kind], [5, 'full']);
    assert.ok(searched < ids.length);
  });

  it('ends when it is called off, and tells nothing more', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
    for (const id of ids) await had(id, 'A cart');
    const stop = new AbortController();
    const { hits, kind, searched } = await search('cart', ids, {
      signal: stop.signal,
      onHit: () => stop.abort(),
    });
    assert.deepEqual([hits.length, kind], [1, 'cancelled']);
    assert.ok(searched < ids.length);
  });
});
