/** Our panel's page as a contestant. */
import type { Browser } from 'playwright-core';
import { PanelPage, panelState } from '../../e2e/support/panelPage.ts';
import type { Contestant } from './contestant.ts';

export async function openOurs(browser: Browser): Promise<Contestant> {
  const { page } = await PanelPage.open(browser, { width: 400, realTime: true });
  let seq = 0;
  let last = { turn: '', part: '' };
  return {
    name: 'ours',
    page,
    field: '.composer-text',
    opens(turns) {
      const turn = turns.at(-1);
      last = { turn: turn?.id ?? '', part: turn?.parts.at(-1)?.id ?? '' };
      seq = 0;
      return page.evaluate(
        async (data) => {
          const start = performance.now();
          window.dispatchEvent(new MessageEvent('message', { data }));
          await new Promise<void>((resolve) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel();
                port1.addEventListener('message', () => resolve(), { once: true });
                port1.start();
                port2.postMessage(undefined);
              }),
            ),
          );
          return performance.now() - start;
        },
        {
          kind: 'snapshot',
          seq: 0,
          conversation: { id: `c${Math.random()}`, turns },
          panel: panelState(),
          draft: '',
        },
      );
    },
    async streams(pieces, apart) {
      const messages = pieces.map((text) => ({
        kind: 'events',
        seq: (seq += 1),
        events: [{ kind: 'textAdded', ...last, section: 0, text }],
      }));
      await page.evaluate(
        async ({ all, pause }) => {
          for (const data of all) {
            const due = performance.now() + pause;
            window.dispatchEvent(new MessageEvent('message', { data }));
            await new Promise((resolve) => requestAnimationFrame(resolve));
            await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
          }
          await new Promise((resolve) => requestAnimationFrame(resolve));
        },
        { all: messages, pause: apart },
      );
    },
    close: () => page.close(),
  };
}
