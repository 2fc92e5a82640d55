import assert from 'node:assert/strict';
import fc from 'fast-check';

import type { TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import { keyFreeText } from '../../../src/host/chat/keyFreeText.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());
const keys = ['sk-sk-0123', 'other-key'];

const added = (text: string, section = 0, part = '0.0'): TurnEvent => ({
  ...{ kind: 'textAdded', turn: 't', part, section, text },
});
const closed = (part = '0.0'): TurnEvent => ({ kind: 'partClosed', turn: 't', part, at: 1 });

async function free(events: readonly TurnEvent[]): Promise<readonly TurnEvent[]> {
  const source = (async function* each() {
    yield* events;
  })();
  const given: TurnEvent[] = [];
  for await (const event of keyFreeText(source, () => keys)) given.push(event);
  return given;
}

const textOf = (events: readonly TurnEvent[], part: string): string =>
  events.map((event) => (event.kind === 'textAdded' && event.part === part ? event.text : '')).join('');

describe(`text without keys (seed ${seed})`, () => {
  it('has none, however the pieces are cut and whatever comes between them, and is the same else', async () => {
    const word = fc.constantFrom(...keys, 's', 'sk-', 'sk-sk-', 'other', ' ', '0123');
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 10 }),
        fc.infiniteStream(fc.nat(4)),
        async (words, sizes) => {
          const text = words.join('');
          const events: TurnEvent[] = [];
          for (let at = 0; at < text.length;) {
            const size = 1 + (sizes.next().value ?? 0);
            events.push(added(text.slice(at, at + size)), added('-', 0, '0.1'));
            at += size;
          }
          const given = await free([...events, closed(), closed('0.1')]);
          const masked = textOf(given, '0.0');
          for (const key of keys) assert.ok(!masked.includes(key));
          assert.equal(
            masked,
            keys.reduce((rest, key) => rest.replaceAll(key, '••••••••'), text),
          );
          assert.equal(textOf(given, '0.1'), '-'.repeat(events.length / 2));
        },
      ),
      { seed, numRuns: 300 },
    );
  });

  it('is all there before what is told next of its part, or of the turn', async () => {
    assert.deepEqual(await free([added('as'), closed()]), [added('a'), added('s'), closed()]);
    const ended: TurnEvent = { kind: 'turnEnded', turn: 't', end: { kind: 'completed' }, at: 1 };
    assert.deepEqual(await free([added('as'), ended]), [added('a'), added('s'), ended]);
    assert.deepEqual(await free([added('as'), closed('0.1')]), [added('a'), closed('0.1'), added('s')]);
  });

  it('is none either in what takes its place', async () => {
    const replaced = (text: string): TurnEvent => ({
      ...{ kind: 'textReplaced', turn: 't', part: '0.0', section: 0, text },
    });
    assert.deepEqual(await free([replaced('a sk-sk-0123')]), [replaced('a ••••••••')]);
  });
});
