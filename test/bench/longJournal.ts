/** Long conversations as they are kept, with all that is in one that was had: written event by event, without a model. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { isShown, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { EventKeeper } from '../../src/core/journal/keepEvents.ts';
import { encodeRecord } from '../../src/core/journal/record.ts';
import { JournalStore } from '../../src/host/journal/journalStore.ts';

export function storeIn(folder: string): JournalStore {
  return new JournalStore({
    folder,
    clock: Date.now,
    onDidFail: (_id, failure) => {
      throw new Error(JSON.stringify(failure));
    },
    onDidRecover: () => undefined,
  });
}

/** A question with a file attached, reasoning, an answer of some pages, and two files that were read. */
function turnEvents(id: string, n: number): readonly TurnEvent[] {
  const turn = `turn ${n}`;
  const at = 1_000_000 + n;
  const code = `const line${n} = sum(${n}, 'of these');\n`.repeat(120);
  const prose = `The sum of ${n} is wrong, for the loop ends one too early. `.repeat(10);
  const part = (id: string, what: 'reasoning' | 'answer'): readonly TurnEvent[] => [
    { kind: 'partOpened', turn, part: id, what, at },
    ...Array.from(
      { length: 6 },
      () => ({ kind: 'textAdded', turn, part: id, section: 0, text: prose }) as const,
    ),
    { kind: 'partClosed', turn, part: id, at },
  ];
  const call = (id: string): TurnEvent => ({ kind: 'toolOpened', turn, part: id, name: 'read_file', at });
  return [
    {
      ...{ kind: 'turnStarted', turn, question: { text: `Why ${n} in ${id}?`, attachments: [] } },
      ...{ model: 'kimi-k3', effort: 'max', at },
    },
    {
      kind: 'itemsKept',
      turn,
      items: [
        {
          ...{ type: 'message', role: 'user' },
          content: [
            { type: 'input_text', text: code },
            { type: 'input_text', text: `Why ${n} in ${id}?` },
          ],
        },
      ],
    },
    {
      kind: 'requestMade',
      turn,
      body: { model: 'kimi-k3', stream: true, instructions: 'Be brief.', input: [] },
    },
    {
      ...{
        kind: 'requestSent',
        turn,
        round: 0,
        model: 'kimi-k3',
        effort: 'max',
        beginning: { kind: 'first' },
      },
      at,
    },
    ...part('0.0', 'reasoning'),
    call('0.1'),
    { kind: 'toolInputAdded', turn, part: '0.1', text: '{"path":"src/sum.ts"}' },
    { kind: 'requestEnded', turn, usage: null, at },
    {
      kind: 'itemsKept',
      turn,
      items: [{ type: 'function_call', call_id: 'x', name: 'read_file', arguments: '{"path":"src/sum.ts"}' }],
    },
    { kind: 'toolAsked', turn, part: '0.1', at },
    { kind: 'toolSettled', turn, part: '0.1', outcome: { kind: 'done', text: code }, at },
    { kind: 'itemsKept', turn, items: [{ type: 'function_call_output', call_id: 'x', output: code }] },
    ...part('1.0', 'answer'),
    {
      kind: 'itemsKept',
      turn,
      items: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: prose.repeat(6) }] },
      ],
    },
    { kind: 'turnEnded', turn, end: { kind: 'completed' }, at },
  ];
}

/** Writes a conversation of at least this many bytes, a turn after the other, as it would have been written. */
export async function writeConversation(folder: string, id: string, bytes: number): Promise<void> {
  const store = storeIn(folder);
  let conversation = emptyConversation(id);
  const journal = store.begin({ id, createdAt: 1 }, () => conversation);
  await journal.flush();
  const path = join(folder, 'journals', `${id}.jsonl`);
  const keeper = new EventKeeper();
  let text = '';
  let written = 0;
  for (let n = 0; written + text.length < bytes; n++) {
    const events = turnEvents(id, n);
    for (const event of events) text += `${keeper.records([event]).map(encodeRecord).join('\n')}\n`;
    if (n === 0) conversation = events.filter(isShown).reduce(reduce, conversation);
    if (text.length < 2 ** 22) continue;
    await appendFile(path, text);
    written += text.length;
    text = '';
  }
  await appendFile(path, text);
  await store.close(id);
}
