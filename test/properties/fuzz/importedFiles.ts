/** Whatever file somebody imports, it is refused with a reason, or becomes conversations of which nothing reaches what is here. */
import assert from 'node:assert/strict';

import { canBeDecided } from '../../../src/core/conversation/waiting.ts';
import { endingsOf } from '../../../src/core/journal/endings.ts';
import { factsOf } from '../../../src/core/journal/facts.ts';
import { readJournal } from '../../../src/core/journal/readJournal.ts';
import { encodeRecord } from '../../../src/core/journal/record.ts';
import { readIn, written } from '../../support/exporting.ts';
import type { Chance } from './chance.ts';
import { samples as journals } from './journals.ts';
import { anyJson, deepJson, spoiledText, spoiledValue } from './spoil.ts';

/** Without the last line, which deletes their only turn. */
const samples: readonly string[] = journals.flatMap((lines) => {
  const { state } = readJournal(`${lines.slice(0, -1).join('\n')}\n`);
  return state === undefined ? [] : [written(state)];
});

function anyFile(chance: Chance): string {
  const text = chance.pick(samples);
  if (chance.once(5)) return spoiledText(chance, text);
  if (chance.once(100)) return text.replace(/(?<=: )"[^"]*"(?=[,\n])/, () => deepJson(chance));
  let value: unknown = JSON.parse(text);
  for (let left = 1 + chance.below(3); left > 0; left--) value = spoiledValue(chance, value);
  return JSON.stringify(chance.once(50) ? anyJson(chance) : value);
}

export function tryFile(chance: Chance): void {
  const read = readIn(anyFile(chance));
  if (!read.ok) {
    if (read.error.kind === 'damaged') assert.notEqual(read.error.where ?? '', '');
    return;
  }
  const ids = read.value.conversations.map(({ id }) => id);
  assert.ok(ids.includes(read.value.shown));
  for (const { id, createdAt, seed, parent } of read.value.conversations) {
    assert.match(id, /^new-\d+$/);
    assert.ok(parent === undefined || ids.includes(parent.conversation));
    const { conversation, history } = seed;
    for (const turn of conversation.turns) {
      assert.match(turn.id, /^new-\d+$/);
      assert.ok(turn.question.attachments.every(({ uri }) => uri === ''));
      for (const part of turn.parts) {
        if (part.kind !== 'tool') continue;
        assert.ok(part.proposal === undefined || !canBeDecided(part.proposal), 'a patch can be accepted');
      }
    }
    assert.doesNotMatch(JSON.stringify(history), /"image_url":"(?!data:image\/)/);
    // As it is written down, shown in a list and gone on with.
    const journal = readJournal(`${encodeRecord({ kind: 'conversation', id, at: createdAt, seed })}\n`);
    assert.ok(journal.state !== undefined && journal.damaged === 0, 'it can’t be written down');
    factsOf(journal.state);
    endingsOf(journal.state, 2);
  }
}
