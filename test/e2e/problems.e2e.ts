/** Problems after a patch, in a TypeScript workspace: counted on the card, opened, one change taken back, the rest fed back to the model. */
import assert from 'node:assert/strict';
import { answer, applyPatch, text } from '../simulator/main.ts';
import { lookAt } from './support/look.ts';
import { useStage } from './support/stage.ts';

const shop = [
  'export interface Item {',
  '  readonly price: number;',
  '}',
  '',
  'export function total(items: readonly Item[]): number {',
  '  let sum = 0;',
  '  for (const item of items) sum += item.prize;',
  '  return sum;',
  '}',
  '',
  'export function label(item: Item): string {',
  '  return `${item.price} cents`;',
  '}',
  '',
].join('\n');

/** Mends the first function and breaks the second. */
const patch = [
  '*** Begin Patch',
  '*** Update File: src/shop.ts',
  '@@ export function total(items: readonly Item[]): number {',
  '   let sum = 0;',
  '-  for (const item of items) sum += item.prize;',
  '+  for (const item of items) sum += item.price;',
  '   return sum;',
  '@@ export function label(item: Item): string {',
  '-  return `${item.price} cents`;',
  '+  return item.price / 100;',
  ' }',
  '*** End Patch',
  '',
].join('\n');

const mended = patch
  .split('\n')
  .filter((line) => !/prize|sum/.test(line) && !line.startsWith('@@ export function total'))
  .join('\n')
  .replace('-  return `${item.price} cents`;', '-  return item.price / 100;')
  .replace('+  return item.price / 100;', '+  return `${item.price / 100} euros`;');

describe('problems after a patch', () => {
  const stage = useStage({
    builtIn: 'all',
    files: {
      'src/shop.ts': shop,
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "target": "es2022" }, "include": ["src"] }\n',
    },
    open: { file: 'src/shop.ts' },
  });

  /** Waits until TypeScript has told of the file what it has to tell. */
  async function problemsInEditor(count: number): Promise<void> {
    const { bench } = stage;
    await bench.waitFor(`${count} problems in the editor`, async () => {
      const found = await bench.inside((vscode) =>
        vscode.languages
          .getDiagnostics()
          .filter(([uri]) => uri.path.endsWith('/src/shop.ts'))
          .flatMap(([, diagnostics]) => diagnostics.map(({ message }) => message)),
      );
      return found.length === count;
    });
  }

  async function accepted(): Promise<void> {
    const { bench, chat } = stage;
    await chat.press(chat.patch.getByRole('button', { name: 'Accept', exact: true }));
    await bench.waitFor('the patch to be written', async () => (await bench.text('src/shop.ts')) !== shop);
  }

  it('are counted on its card, can be opened, and the change that brought one is taken back', async () => {
    const { bench, chat, simulator } = stage;
    await bench.openFile('src/shop.ts');
    await problemsInEditor(1);
    simulator.reply(answer(applyPatch(patch)));
    simulator.reply(answer(text('Done.')));
    await chat.ask('Fix the sum');
    await chat.patch.waitFor();
    await accepted();
    const problems = chat.turn.getByRole('group', { name: 'Problems after the patch' });
    await chat.says(problems, 'Problems: fixed 1, introduced 1');
    await problems.getByRole('button', { name: /^Problems:/ }).click();
    await chat.says(problems, /Type 'number' is not assignable to type 'string'/);
    await chat.says(problems, /Property 'prize' does not exist/);
    await bench.screenshot('story-problems');
    await lookAt(stage, 'problems', [[300, ['dark', 'light', 'highContrastDark']]]);
    await bench.setPanelWidth(420);
    await bench.setTheme('dark');

    await problems.getByRole('button', { name: /shop\.ts:12 Type/ }).click();
    await bench.waitFor('the problem in its file', async () => {
      const line = await bench.inside((vscode) => vscode.window.activeTextEditor?.selection.active.line);
      return line === 11;
    });
    const written = await bench.text('src/shop.ts');
    await chat.press(
      problems.getByRole('button', { name: 'Take back this change: shop.ts:12' }),
      async () => (await bench.text('src/shop.ts')) !== written,
    );
    await bench.waitFor('the change to be taken back', async () => {
      return (await bench.text('src/shop.ts')) === shop.replace('prize', 'price');
    });
    await chat.says(chat.patch, 'One of the changes was taken back.');
    await problems.getByRole('button', { name: 'Problems: fixed 1', exact: true }).waitFor();
    assert.equal(await chat.panel.locator('.composer .notice').count(), 0);
    await chat.press(chat.patch.getByRole('button', { name: 'Take back', exact: true }));
    await bench.waitFor('all to be taken back', async () => (await bench.text('src/shop.ts')) === shop);
    await problems.waitFor({ state: 'detached' });
  });

  it('go back to the model by themselves when the person wants that', async () => {
    const { bench, chat, simulator } = stage;
    await bench.inside((vscode) =>
      vscode.workspace
        .getConfiguration('kimiChat')
        .update('sendProblems', true, vscode.ConfigurationTarget.Global),
    );
    await bench.openFile('src/shop.ts');
    await problemsInEditor(1);
    simulator.reply(answer(applyPatch(patch)));
    simulator.reply(answer(text('Done.')));
    simulator.reply(answer(applyPatch(mended)));
    simulator.reply(answer(text('Mended.')));
    await chat.ask('Fix the sum');
    await chat.patch.waitFor();
    await accepted();
    await chat.says(chat.turn, 'The patch brought these problems. Please fix them.');
    assert.match(
      (await stage.request(2)).bodyText,
      /src\/shop\.ts:12:3 error \(ts 2322\): Type 'number' is not assignable to type 'string'/,
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Accept', exact: true }));
    await chat.says(chat.answer, 'Mended.');
    await chat.says(chat.turn.getByRole('group', { name: 'Problems after the patch' }), 'Problems: fixed 1');
    await problemsInEditor(0);
    await chat.says(chat.turns.first(), 'Kimi was asked to fix them.');
    await bench.screenshot('story-problems-mended');
  });

  it('go to the model when the person presses for that', async () => {
    const { bench, chat, simulator } = stage;
    await bench.inside((vscode) =>
      vscode.workspace
        .getConfiguration('kimiChat')
        .update('sendProblems', undefined, vscode.ConfigurationTarget.Global),
    );
    await bench.openFile('src/shop.ts');
    await problemsInEditor(0);
    const before = await bench.text('src/shop.ts');
    simulator.reply(
      answer(
        applyPatch(
          '*** Begin Patch\n*** Update File: src/shop.ts\n@@\n-  return `${item.price / 100} euros`;\n+  return item.price;\n*** End Patch\n',
        ),
      ),
      answer(text('Done.')),
    );
    await chat.ask('Shorten the label');
    await chat.patch.waitFor();
    await chat.press(chat.patch.getByRole('button', { name: 'Accept', exact: true }));
    await bench.waitFor('the patch to be written', async () => (await bench.text('src/shop.ts')) !== before);
    const problems = chat.turn.getByRole('group', { name: 'Problems after the patch' });
    await chat.says(problems, 'Problems: introduced 1');
    const requests = simulator.requests.length;
    const fix = problems.getByRole('button', { name: 'Have Kimi fix them', exact: true });
    if (!(await fix.isVisible())) await problems.getByRole('button', { name: /^Problems:/ }).click();
    simulator.reply(answer(text('I see.')));
    await chat.press(fix);
    await chat.says(chat.answer.last(), 'I see.');
    assert.equal(simulator.requests.length, requests + 1);
    assert.match(
      (await stage.request(2)).bodyText,
      /src\/shop\.ts:12:3 error \(ts 2322\): Type 'number' is not assignable to type 'string'/,
    );
    await chat.says(chat.turns.first(), 'Kimi was asked to fix them.');
  });
});
