/** The Kimi view as a person meets it: its parts by the names they carry, and what a person does with them. Knows no host. */
import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

export class Chat {
  readonly #bench: Workbench;
  readonly panel: FrameLocator;
  /** The composer's text field. */
  readonly question: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly model: Locator;
  readonly effort: Locator;
  /** The chips in the composer. */
  readonly chips: Locator;
  readonly turns: Locator;
  /** The last turn, and what is in it. */
  readonly turn: Locator;
  readonly answer: Locator;
  readonly reasoning: Locator;
  readonly patch: Locator;
  /** How the turn ended, when it did not end well. */
  readonly notice: Locator;
  /** A request that is sent again by itself. */
  readonly retry: Locator;
  readonly footer: Locator;

  constructor(bench: Workbench, panel = bench.panel) {
    this.#bench = bench;
    this.panel = panel;
    this.question = panel.getByRole('textbox', { name: 'Question' });
    this.send = panel.getByRole('button', { name: 'Send' });
    this.stop = panel.getByRole('button', { name: 'Stop', exact: true });
    this.model = panel.getByRole('combobox', { name: 'Model' });
    this.effort = panel.getByRole('combobox', { name: 'Effort' });
    this.chips = panel.locator('.composer .chip-open');
    this.turns = panel.locator('article.turn');
    this.turn = this.turns.last();
    this.answer = this.turn.locator('.answer');
    this.reasoning = this.turn.locator('.reasoning');
    this.patch = this.turn.getByRole('group', { name: 'Patch', exact: true });
    this.notice = this.turn.locator('.notice:not(.retry)');
    this.retry = this.turn.locator('.retry');
    this.footer = this.turn.locator('.footer');
  }

  button(name: string): Locator {
    return this.panel.getByRole('button', { name, exact: true });
  }

  /** Shows the view with an empty conversation. What was being written stays. */
  async startNew(): Promise<void> {
    // The composer gets the cursor a moment later, when the test may have gone elsewhere: so it is taken from it, to see it come.
    const field = this.panel.locator('.composer-text');
    if (await field.isVisible()) await field.blur();
    await this.#bench.inside((vscode) => vscode.commands.executeCommand('kimiChat.newChat'));
    await this.turns.first().waitFor({ state: 'detached' });
    await this.#bench.takesKeys(field);
  }

  /** Waits until keys go to the composer. */
  async hasCursor(): Promise<void> {
    await this.#bench.takesKeys(this.question);
  }

  /** Waits until exactly this stands in the composer. */
  async holds(text: string): Promise<void> {
    await this.#bench.waitFor(`${JSON.stringify(text)} to be in the composer`, async () => {
      return (await this.question.inputValue()) === text;
    });
  }

  /** Clicks into the composer. */
  async goToComposer(): Promise<void> {
    await this.question.click();
    await this.hasCursor();
  }

  /** Types into the composer, key by key. */
  async write(text: string): Promise<void> {
    await this.goToComposer();
    await this.question.pressSequentially(text);
  }

  /** Unfolds all that is folded in the last turn, and what was folded in that. */
  async unfoldAll(): Promise<void> {
    const folded = this.turn.locator('.fold-line[aria-expanded="false"]');
    while ((await folded.count()) > 0) {
      const line = await folded.first().elementHandle();
      await line?.press('Enter');
      await this.#bench.waitFor('the fold to open', async () => {
        return (await line?.getAttribute('aria-expanded')) !== 'false';
      });
    }
  }

  /** Types a question and sends it with Enter. */
  async ask(text: string): Promise<void> {
    await this.write(text);
    await this.#bench.page.keyboard.press('Enter');
  }

  /** Presses a button that decides something; those take no input for a moment after they came up or moved. */
  async press(button: Locator, done?: () => Promise<boolean>): Promise<void> {
    await this.#bench.press(button, done);
  }

  /** Waits until a part has text that fits, and returns its whole text. */
  async says(part: Locator, pattern: RegExp | string): Promise<string> {
    await part.filter({ hasText: pattern }).first().waitFor();
    return part.first().innerText();
  }
}
