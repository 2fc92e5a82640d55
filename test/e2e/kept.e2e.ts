/** A conversation survives its window and the process that had it: a reload before the answer, and a kill in the middle of one. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { answer, gate, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a conversation', () => {
  const stage = useStage();

  it('is there after the extension host was killed, its answer marked as far as it came, and goes on', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('Quite right.')), answer(text('The sum ', gate('half'), 'is four.')));
    await chat.ask('Is the total right?');
    await chat.says(chat.answer, 'Quite right.');
    await chat.footer.waitFor();
    await chat.ask('Two and two?');
    await simulator.reached('half');
    await chat.says(chat.answer, 'The sum');
    await bench.waitFor('the text to be on the disk', async () => {
      for await (const file of glob(join(bench.server.dataFolder, '**/conversations/journals/*.jsonl'))) {
        if ((await readFile(file, 'utf8')).includes('The sum')) return true;
      }
      return false;
    });
    const host = await bench.inside(() => Promise.resolve(process.pid));
    const isAlive = async (): Promise<boolean> => {
      try {
        return process.kill(host, 0);
      } catch {
        return await Promise.resolve(false);
      }
    };
    process.kill(host, 'SIGKILL');
    await bench.waitFor('the extension host to be gone', async () => !(await isAlive()));
    simulator.open('half');

    await bench.reload();
    // What was to be: VS Code has complained of nothing else.
    const crashes = bench.hostCrashes.splice(0);
    assert.deepEqual([crashes.length, crashes[0]?.includes('SIGKILL')], [1, true]);
    for (const complaint of bench.consoleErrors.splice(0))
      assert.match(complaint, /CloseEvent|ExtensionHost|Connection error/);
    await bench.openKimi();
    await chat.says(chat.notice, 'Cut off, because the window was closed.');
    await chat.says(chat.turn, 'Two and two?');
    assert.equal(await chat.turns.count(), 2);
    await chat.says(chat.turns.first(), 'Quite right.');
    await bench.screenshot('story-killed');
    simulator.reply(answer(text('Four.')));
    await chat.press(chat.notice.getByRole('button', { name: /Try again|Continue/ }));
    await chat.says(chat.answer, 'Four.');
    await chat.footer.waitFor();
    assert.equal(await chat.notice.count(), 0);
    const sent = (await simulator.request(simulator.requests.length - 1)).bodyText;
    assert.match(sent, /Is the total right\?.*Quite right\..*Two and two\?/);
    await bench.takeNotifications();
  });

  it('has the question that was sent a moment before a reload, marked, and it can be asked again', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(gate('never'), text('Too late.')));
    const before = simulator.requests.length;
    await chat.ask('Is anybody there?');
    await simulator.request(before);
    await bench.reload();
    simulator.open('never');
    await bench.openKimi();
    await chat.says(chat.turn, 'Is anybody there?');
    await chat.says(chat.notice, 'Not answered: the window was closed before.');
    await bench.screenshot('story-unanswered');
    simulator.reply(answer(text('Now.')));
    await chat.press(
      chat.notice.getByRole('button', { name: 'Continue' }),
      async () => simulator.requests.length > before + 1,
    );
    await chat.says(chat.answer, 'Now.');
    await chat.footer.waitFor();
    assert.equal(await chat.turns.count(), 1);
  });
});
