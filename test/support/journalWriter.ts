/**
 * A process that writes a conversation as the extension does, until it is killed. `node journalWriter.ts <folder> <id>`. On its output it
 * says when which piece of text was noted: what it said more than half a second before its end must be on the disk.
 */
import { writeSync } from 'node:fs';

import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { isShown, type TurnEvent } from '../../src/core/conversation/turnEvent.ts';
import { JournalStore } from '../../src/host/journal/journalStore.ts';
import type { Journal } from '../../src/host/journal/journal.ts';

const [folder = '', id = ''] = process.argv.slice(2);

const store = new JournalStore({
  folder,
  clock: Date.now,
  onDidFail: (_id, failure) => {
    throw new Error(JSON.stringify(failure));
  },
  onDidRecover: () => undefined,
});
const opened = await store.open(id);
let conversation = opened.kind === 'open' ? opened.state.conversation : emptyConversation(id);
if (opened.kind === 'readOnly') throw new Error(opened.why);
const journal: Journal =
  opened.kind === 'open' ? opened.journal : store.begin({ id, createdAt: Date.now() }, () => conversation);
store.follow(id, () => conversation);

function happen(event: TurnEvent): void {
  journal.note({ kind: 'event', event });
  if (isShown(event)) conversation = reduce(conversation, event);
}

const first = conversation.turns.length;
for (let n = first; ; n++) {
  const turn = `t${n}`;
  const at = Date.now();
  happen({
    ...{ kind: 'turnStarted', turn, question: { text: `Question ${n}`, attachments: [] } },
    ...{ model: 'kimi-k3', effort: 'max', at },
  });
  happen({ kind: 'partOpened', turn, part: '0.0', what: 'answer', at });
  const pieces = 1 + Math.floor(Math.random() * 60);
  for (let piece = 0; piece < pieces; piece++) {
    // Long enough that a line is written in several pieces now and then, and not of plain letters alone.
    const text = `${n}.${piece} ${'é🛒\n'.repeat(Math.floor(Math.random() ** 8 * 8_000))};`;
    happen({ kind: 'textAdded', turn, part: '0.0', section: 0, text });
    writeSync(1, `${Date.now()} ${n} ${piece}\n`);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
  }
  happen({ kind: 'partClosed', turn, part: '0.0', at });
  happen({ kind: 'turnEnded', turn, end: { kind: 'completed' }, at: Date.now() });
}
