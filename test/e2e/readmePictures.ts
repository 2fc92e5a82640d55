/**
 * Takes the two pictures in the README: `npm run pictures`. Not a test, but run like one: it waits for all that it shows, at the pace
 * of a model, and fails when something does not come.
 */
import path from 'node:path';
import { answer, vary } from '../simulator/main.ts';
import { repository } from '../run/places.ts';
import { explanation, patch, question, selected, thoughts } from './support/scene.ts';
import { useStage } from './support/stage.ts';

const folder = path.join(repository, 'media/readme');

describe('the pictures of the README', () => {
  const stage = useStage({
    open: { file: selected.file, line: 22 },
    scale: 1.5,
    // So high that the question stands in it whole.
    size: { width: 1280, height: 850 },
    settings: {
      'diffEditor.renderSideBySide': true,
      'diffEditor.useInlineViewWhenSpaceIsLimited': false,
      'editor.fontSize': 12,
      'editor.stickyScroll.enabled': false,
      'remote.autoForwardPorts': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
    },
  });

  it('show the chat and the review', async () => {
    const { bench, chat, simulator } = stage;
    await bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
    await bench.setPanelWidth(520);
    simulator.reply(
      vary(answer(thoughts(), explanation(), patch()), { pace: { tokensPerSecond: 12 } }),
      answer(),
    );
    await bench.selectLines(selected.file, selected.from, selected.to);
    await bench.page.keyboard.press('ControlOrMeta+K');
    await bench.page.keyboard.press('k');
    await chat.says(chat.chips, 'src/cart.ts:21-28');
    await chat.hasCursor();
    await chat.ask(question);
    await chat.patch.filter({ hasText: 'Patch for 2 files' }).waitFor({ timeout: 90_000 });
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);

    await chat.reasoning.getByRole('button').click();
    await bench.page
      .locator('.tab')
      .filter({ hasText: /^cart\.ts$/ })
      .click();
    await bench.waitFor('the file to show', async () => (await bench.activeFile()) === selected.file);
    await chat.question.click();
    await bench.screenshot('chat', undefined, folder);

    // Room for both sides of the diff.
    await bench.setWindowSize(1520, 900);
    await bench.setPanelWidth(330);
    await chat.reasoning.getByRole('button').click();
    await chat.patch.locator('.patch-open').first().click();
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    await bench.screenshot('review', undefined, folder);
    await chat.stop.click();
    await chat.notice.waitFor();
    simulator.dropReplies();
  });
});
