/**
 * The panel's own page in a browser, without a workbench around it: a test says what the host would say and reads what the page
 * answers. For what takes a workbench long to come to: thousands of turns, other languages, messages that come at a bad time.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { ToHost } from '../../../src/protocol/toHost.ts';
import type { PanelState, ToWebview } from '../../../src/protocol/toWebview.ts';
import type {
  Conversation,
  ModelId,
  RequestRecord,
  Turn,
} from '../../../src/core/conversation/conversation.ts';
import { sumOf, type BillSum } from '../../../src/core/cost/bill.ts';
import { contextKinds, type ContextBreakdown } from '../../../src/core/cost/estimate.ts';
import type { FamilySpending } from '../../../src/core/cost/facts.ts';
import type { Forecast } from '../../../src/core/cost/forecast.ts';
import { defaultPrices } from '../../../src/core/cost/prices.ts';
import { noUsage } from '../../../src/core/cost/usageSums.ts';
import { repository } from '../../run/places.ts';
import { bodyClass, readThemes, type Theme } from './themes.ts';

export interface PageOptions {
  readonly width: number;
  readonly theme?: Theme;
  /** Translations by English text. */
  readonly bundle?: Readonly<Record<string, string>>;
  readonly locale?: string;
  /** Time passes by itself and can't be moved: for what is measured. */
  readonly realTime?: true;
  /** It is always this time of day, in milliseconds since the epoch; timers go on. */
  readonly at?: number;
  /** The page is told that people want as little movement as possible, unless this says otherwise. */
  readonly moves?: true;
}

/** What VS Code gives every webview beside variables, as far as it can be seen here. */
const workbenchStyle = `@layer workbench {
  html { background: var(--vscode-sideBar-background) }
  body { background: transparent; color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px }
  a, a code { color: var(--vscode-textLink-foreground) }
  code { color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background) }
  ::-webkit-scrollbar { width: 10px; height: 10px }
  ::-webkit-scrollbar-thumb { background: var(--vscode-scrollbarSlider-background) }
}`;

/** For an attribute. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A page of a secure context, as the panel's is. */
const origin = 'https://panel.test';
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

const read = new Map<string, Promise<string>>();

/** As it was when it was asked for first: pages of one test are of one build. */
function fileOnce(pathname: string): Promise<string> {
  const body = read.get(pathname) ?? readFile(path.join(repository, pathname), 'utf8');
  read.set(pathname, body);
  return body;
}

/** Of the page, not of the test. */
interface PanelWindow {
  readonly panelPosts: readonly ToHost[];
}

export class PanelPage {
  readonly page: Page;
  readonly #bundle: Readonly<Record<string, string>>;

  private constructor(page: Page, bundle: Readonly<Record<string, string>>) {
    this.page = page;
    this.#bundle = bundle;
  }

  static async open(browser: Browser, options: PageOptions): Promise<PanelPage> {
    const { width, theme = 'dark', bundle = {}, locale = 'en' } = options;
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      reducedMotion: options.moves === true ? 'no-preference' : 'reduce',
      timezoneId: 'UTC',
    });
    const variables = Object.entries((await readThemes())[theme]).map((pair) => pair.join(': '));
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/' || pathname === '/kept') {
        await route.fulfill({
          contentType: 'text/html',
          body: `<!DOCTYPE html><html lang="${locale}" style="${escaped(variables.join('; '))}"><head><meta charset="utf-8" />
<title>Kimi Chat</title><style>${workbenchStyle}</style><link rel="stylesheet" href="/media/chat.css" /></head>
<body class="${bodyClass[theme]}"><div id="root" data-locale="${locale}" data-l10n="${escaped(JSON.stringify(bundle))}"></div>
<script>globalThis.panelPosts = [];
globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => panelPosts.push(message),
getState: () => location.pathname === '/kept' ? JSON.parse(sessionStorage.getItem('kept')) : undefined,
setState: (state) => sessionStorage.setItem('kept', JSON.stringify(state)) });</script>
<script type="module" src="/dist/webview/main.js"></script></body></html>`,
        });
        return;
      }
      const body = await fileOnce(pathname);
      await route.fulfill({ contentType: types[path.extname(pathname)] ?? 'text/plain', body });
    });
    if (options.realTime !== true) await page.clock.install();
    if (options.at !== undefined) await page.clock.setFixedTime(options.at);
    const panel = new PanelPage(page, bundle);
    await panel.reopen();
    return panel;
  }

  /** Anew, with nothing kept of before. */
  async reopen(): Promise<void> {
    await this.page.goto(`${origin}/`);
    await this.posted('ready');
  }

  /** Anew, with what the page before this one has kept. */
  async reload(): Promise<void> {
    await this.page.goto(`${origin}/kept`);
    await this.posted('ready');
  }

  async setTheme(theme: Theme): Promise<void> {
    const variables = (await readThemes())[theme];
    await this.page.evaluate(
      ([all, name]) => {
        const { documentElement: root, body } = document;
        root.removeAttribute('style');
        for (const [variable, value] of all) root.style.setProperty(variable, value);
        body.className = name;
      },
      [Object.entries(variables), bodyClass[theme]] as const,
    );
  }

  setWidth(width: number): Promise<void> {
    return this.page.setViewportSize({ width, height: 900 });
  }

  close(): Promise<void> {
    return this.page.close();
  }

  get composer(): Locator {
    return this.page.locator('.composer-text');
  }

  /** In the language of the page. */
  said(english: string): string {
    return this.#bundle[english] ?? english;
  }

  /** By its English name, whatever the language of the page is. */
  button(name: string | RegExp): Locator {
    return typeof name === 'string'
      ? this.page.getByRole('button', { name: this.said(name), exact: true })
      : this.page.getByRole('button', { name });
  }

  /** Says it as the host does, and waits until it is drawn. */
  async tell(...messages: readonly ToWebview[]): Promise<void> {
    await this.page.evaluate(async (all) => {
      for (const data of all) window.dispatchEvent(new MessageEvent('message', { data }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, messages);
  }

  async shows(
    conversation: Conversation,
    panel: PanelState = panelState(),
    more: object = {},
  ): Promise<void> {
    await this.tell({ kind: 'snapshot', seq: 0, conversation, panel, draft: '', at: Date.now(), ...more });
  }

  /** Presses a key where the cursor is, and waits until what it did is drawn. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.tell();
  }

  /** Later in the page's time: buttons that came up by themselves take no input for a moment. */
  async pass(milliseconds: number): Promise<void> {
    await this.page.clock.fastForward(milliseconds);
    await this.tell();
  }

  posts(): Promise<readonly ToHost[]> {
    return this.page.evaluate(() => (window as unknown as PanelWindow).panelPosts);
  }

  /** The first post of this kind. */
  async posted<K extends ToHost['kind']>(kind: K): Promise<Extract<ToHost, { kind: K }>> {
    await this.page.waitForFunction(
      (wanted) => (window as unknown as PanelWindow).panelPosts.some((post) => post.kind === wanted),
      kind,
    );
    const posts = await this.posts();
    return posts.find((post) => post.kind === kind) as Extract<ToHost, { kind: K }>;
  }

  /** Class or tag of what has the cursor. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const { activeElement } = document;
      const name = activeElement?.getAttribute('class') ?? '';
      return name === '' ? (activeElement?.tagName.toLowerCase() ?? '') : name;
    });
  }

  /** What a screen reader was told so far. */
  async spoken(sentence: string): Promise<void> {
    await this.page
      .locator('[aria-live=polite] p', { hasText: sentence })
      .first()
      .waitFor({ state: 'attached' });
  }
}

export const model: ModelId = 'kimi-k3.1-pro';

/** Above every amount that a test asks to confirm. */
export const dear: Forecast = {
  input: 900_000,
  cached: 0,
  output: { least: 500, likely: 1_900, most: 9_000 },
  basis: 'effort',
  money: { least: 0.9, likely: 2.1, most: 4.8 },
  isEstimate: true,
};

function dollars(money: number): BillSum {
  return { ...sumOf([], defaultPrices), told: 1, money, isEstimate: true };
}

/** Of a fork with other versions. */
export const family: FamilySpending = {
  whole: dollars(1.054),
  otherVersions: dollars(0.25),
  beforeFork: dollars(0.031),
};

export function breakdown(of: Partial<ContextBreakdown> = {}): ContextBreakdown {
  const none = Object.fromEntries(contextKinds.map((kind) => [kind, 0])) as unknown as ContextBreakdown;
  return { ...none, ...of };
}

export function panelState(more: Partial<PanelState> = {}): PanelState {
  return {
    key: 'present',
    service: { origin: 'https://direct.evolink.ai', evolink: true },
    model,
    effort: 'max',
    patchMode: 'ask',
    attachments: [],
    suggestions: [],
    silenceSeconds: 900,
    webSearch: { on: false },
    context: {
      model,
      used: 212_000,
      estimated: 1_300,
      window: 1_048_576,
      breakdown: breakdown({ instructions: 900, tools: 1_100, questions: 10_000, answers: 200_000 }),
      factor: 1,
      level: 'fine',
    },
    spending: {
      today: { ...noUsage, counted: 3, money: 0.42, isEstimate: true },
      limits: {},
      prices: defaultPrices,
      next: {
        input: 212_100,
        cached: 211_968,
        output: { least: 500, likely: 1_900, most: 9_000 },
        basis: 'conversation',
        money: { least: 0.044, likely: 0.053, most: 0.516 },
        isEstimate: true,
      },
    },
    room: [
      {
        what: 'oldestTurns',
        tokens: 100_000,
        turns: 3,
        effect: { anew: 110_000, more: 0.2, moreLater: -0.1 },
      },
    ],
    ...more,
  };
}

export function request(more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    round: 0,
    model,
    effort: 'max',
    sentAt: 1_000,
    beginning: { kind: 'first' },
    endedAt: 19_000,
    usage: { input: 2_000, cached: 1_024, cacheWrite: 512, output: 700, reasoning: 300 },
    ...more,
  };
}

export function turn(id: string, more: Partial<Turn> = {}): Turn {
  return {
    id,
    question: { text: `Question ${id}`, attachments: [] },
    model,
    effort: 'max',
    startedAt: 1_000,
    endedAt: 19_000,
    parts: [
      { kind: 'reasoning', id: '0.0', sections: ['A thought.'], openedAt: 2_000, closedAt: 5_000 },
      { kind: 'answer', id: '0.1', sections: [`Answer ${id}.`], openedAt: 5_000, closedAt: 19_000 },
    ],
    requests: [request()],
    end: { kind: 'completed' },
    ...more,
  };
}

/** A request of which nothing has come back so far. */
export function sentRequest(more: Partial<RequestRecord> = {}): RequestRecord {
  const { usage: _, endedAt: __, ...sent } = request(more);
  return sent;
}

/** A turn that goes on. */
export function openTurn(id: string, more: Partial<Turn> = {}): Turn {
  const { end: _, endedAt: __, ...open } = turn(id, more);
  return open;
}
