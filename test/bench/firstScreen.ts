/**
 * How soon the end of a long conversation is on the screen of the real workbench, from its choice in the list: prints a line for each length.
 * Run by the benchmarks with mocha, because the workbench is driven as in an end-to-end test.
 */
import assert from 'node:assert/strict';
import { glob, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { answer, text } from '../simulator/main.ts';
import { useStage } from '../e2e/support/stage.ts';
import { writeConversation } from './longJournal.ts';

const lengths = [
  ['1 MB', 2 ** 20],
  ['100 MB', 100 * 2 ** 20],
] as const;
const times = 5;

describe('the first screen of a conversation', () => {
  const stage = useStage({ settings: { 'kimiChat.titles': 'firstWords' } });

  for (const [name, bytes] of lengths) {
    it(`with ${name}`, async () => {
      const { bench, chat, simulator } = stage;
      simulator.reply(answer(text('Yes.')));
      await chat.ask(`Before ${name}?`);
      await chat.footer.waitFor();
      let folder = '';
      for await (const found of glob(path.join(bench.server.dataFolder, '**/conversations/journals')))
        folder = path.dirname(found);
      assert.notEqual(folder, '');
      const list = bench.page.locator('.quick-input-widget');
      const took: number[] = [];
      for (let time = 0; time < times; time++) {
        await chat.startNew();
        const id = `long-${bytes}-${time}`;
        const made = await mkdtemp(path.join(tmpdir(), 'kimi-chat-bench-'));
        await writeConversation(made, id, bytes);
        await rename(path.join(made, `journals/${id}.jsonl`), path.join(folder, `journals/${id}.jsonl`));
        await rm(made, { recursive: true });
        const row = list.locator('.monaco-list-row', { hasText: `Why 0 in ${id}?` });
        // The list reads what it meets for the first time.
        await bench.waitFor(
          'the conversation to be listed',
          async () => {
            // The composer may take the focus when it is ready, which closes the list.
            if (await list.isHidden())
              await bench.page.getByRole('button', { name: 'Conversations…' }).click();
            return await row.isVisible();
          },
          60_000,
        );
        const shown = chat.panel.locator('.transcript').evaluate(
          async (transcript) =>
            await new Promise<number>((resolve) => {
              const look = (): void => {
                if (transcript.querySelector('.footer') === null) requestAnimationFrame(look);
                // What was drawn in this frame is on the screen when the next one begins.
                else requestAnimationFrame(() => resolve(Date.now()));
              };
              look();
            }),
        );
        await row.click({ trial: true });
        const start = Date.now();
        await row.click();
        took.push((await shown) - start);
        await chat.says(chat.turn, 'Why');
      }
      took.sort((a, b) => a - b);
      console.log(`figure: ${name}: ${took.join(', ')} ms from the click to the screen`);
    });
  }
});
