/** Answers in the panel's page: formulas, footnotes, code and links, whatever the model writes. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { CodeProposal } from '../../src/protocol/toWebview.ts';
import { launchBrowser } from '../run/browser.ts';
import { screenshotsPath } from '../run/places.ts';
import { runningTurn } from '../support/longConversations.ts';
import { faultsOf } from './support/look.ts';
import { PanelPage, panelState, turn, type PageOptions } from './support/panelPage.ts';

const everything = `The mean is \\(\\bar{x} = \\frac{1}{n}\\sum_{i=1}^{n} x_i\\), for $5 and $HOME nothing changes[^why].

$$
\\begin{aligned} (a+b)^2 &= a^2 + 2ab + b^2 \\\\ \\nabla \\times \\vec{E} &= -\\frac{\\partial \\vec{B}}{\\partial t} \\end{aligned}
$$

- a bound of \\(O(n \\log n)\\), see[^2]

\\[ \\boxed{f(x) = \\begin{cases} x & x \\ge 0 \\\\ \\cancel{-x} & \\text{otherwise} \\end{cases}} \\]

\`\`\`ts title="src/cart.ts"
export const total = (items: Item[]) => items.reduce((sum, item) => sum + item.price * item.count, 0);
\`\`\`

[https://bank.example/login](https://evil.test/) and [the docs](https://docs.example/a)

[^why]: A single \`$\` is **money** or a variable.
[^2]: \\(n\\) is the number of items.
`;

describe('an answer', () => {
  let browser: Browser;
  const open: PanelPage[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const panel of open.splice(0)) await panel.close();
  });
  after(() => browser.close());

  async function openPanel(options: PageOptions = { width: 420 }): Promise<PanelPage> {
    const panel = await PanelPage.open(browser, options);
    open.push(panel);
    return panel;
  }

  async function shown(text: string, options?: PageOptions): Promise<PanelPage> {
    const panel = await openPanel(options);
    await panel.shows({ id: 'c', turns: [turnWith(text)] });
    return panel;
  }

  function turnWith(text: string, id = 't') {
    return turn(id, {
      parts: [{ kind: 'answer', id: '0.0', sections: [text], openedAt: 1, closedAt: 2 }],
    });
  }

  /** Formulas are typeset between other work, which in this page takes place when its time goes on. */
  async function typeset(panel: PanelPage, count: number): Promise<void> {
    const { page } = panel;
    for (let tries = 0; tries < 100 && (await page.locator('.formula').count()) < count; tries += 1) {
      await panel.pass(20);
    }
    assert.equal(await page.locator('.formula').count(), count);
  }

  for (const theme of ['dark', 'light'] as const) {
    for (const width of [300, 600]) {
      it(`has nothing that sticks out, ${theme} at ${width} px`, async () => {
        const panel = await shown(everything, { width, theme });
        await typeset(panel, 5);
        await mkdir(screenshotsPath, { recursive: true });
        await panel.page.screenshot({
          path: path.join(screenshotsPath, `page-answer-${theme}-${width}.png`),
        });
        assert.deepEqual(await faultsOf(panel.page), []);
      });
    }
  }

  it('has formulas as MathML, drawn and not only there, and their source at hand', async () => {
    const panel = await shown(everything);
    await typeset(panel, 5);
    const { page } = panel;
    const found = await page.evaluate(() => {
      const sum = document.querySelector('.formula math');
      const fraction = sum?.querySelector('mfrac');
      const [over, under] = [...(fraction?.children ?? [])].map((each) => each.getBoundingClientRect());
      return {
        namespace: sum?.namespaceURI,
        isStacked: over !== undefined && under !== undefined && over.bottom <= under.top + 1,
        columns: [...document.querySelectorAll('.formula-block mtd')]
          .slice(0, 2)
          .map((cell) => getComputedStyle(cell).textAlign),
      };
    });
    assert.deepEqual(found, {
      namespace: 'http://www.w3.org/1998/Math/MathML',
      isStacked: true,
      columns: ['-webkit-right', '-webkit-left'],
    });
    assert.match(await page.locator('.answer p').first().innerText(), /for \$5 and \$HOME nothing/);
    await panel.button('Copy as TeX').first().click();
    assert.match((await panel.posted('copy')).text, /^\\begin\{aligned\}/);
  });

  it('shows a formula as its source until it is whole, and one that is none for good', async () => {
    const panel = await openPanel();
    await panel.shows({ id: 'c', turns: [runningTurn('t', '$$\n\\frac{a}')] });
    assert.match(await panel.page.locator('.answer').innerText(), /\$\$\s+\\frac\{a\}/);
    const add = (text: string) => ({ kind: 'textAdded', turn: 't', part: '0.0', section: 0, text }) as const;
    await panel.tell({ kind: 'events', seq: 1, events: [add('{b}\n$$\n\n\\(\\nosuch\\)')] });
    await typeset(panel, 1);
    assert.equal(await panel.page.locator('.formula-source').innerText(), '\\(\\nosuch\\)');
  });

  it('cuts off no number, runs no words together and turns no order round', async () => {
    const numbers = [99, 100, 101].map((number) => `${number}. item`).join('\n');
    const file = 'packages/storefront/src/components/checkout/basket/index.ts';
    const panel = await shown(
      `${numbers}\n\n> اقتباس\n\n- عنصر\n\n- loose\n\n| عمود | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts ${file}\nconst שם = 'שלום' + 'עולם'; // הערה\n\`\`\`\n\nsee[^1]\n\n[^1]: First\n\n    Second`,
      { width: 300 },
    );
    const { page } = panel;
    await page.locator('.hljs-comment').waitFor();
    const found = await page.locator('.answer').evaluate((answer) => {
      const all = (selector: string): HTMLElement[] => [...answer.querySelectorAll<HTMLElement>(selector)];
      const style = (selector: string): CSSStyleDeclaration => getComputedStyle(all(selector)[0]!);
      const boxes = (selector: string): DOMRect[] =>
        all(selector).map((each) => {
          const range = document.createRange();
          range.selectNodeContents(each);
          return range.getBoundingClientRect();
        });
      const pen = document.createElement('canvas').getContext('2d')!;
      const { fontSize, fontFamily, paddingInlineStart } = style('ol');
      pen.font = `${fontSize} ${fontFamily}`;
      const [name, folder] = ['.path-name', '.path-folder'].map((selector) => {
        const [{ scrollWidth, clientWidth }] = all(`.code-bar ${selector}`) as [HTMLElement];
        return scrollWidth > clientWidth;
      });
      return {
        numbers: Number.parseFloat(paddingInlineStart) >= pen.measureText('101. ').width,
        directions: ['blockquote', 'ul', '.table'].map((selector) => style(selector).direction),
        quote: style('blockquote').borderRightWidth,
        columns: boxes('th').map(({ left }) => left),
        code: boxes('.hljs-string, .hljs-comment').map(({ left }) => left),
        note: boxes('.footnotes p').map(({ top }) => top),
        isCut: { name, folder },
      };
    });
    const { columns, code, note, ...rest } = found;
    assert.deepEqual(rest, {
      numbers: true,
      directions: ['rtl', 'rtl', 'rtl'],
      quote: '3px',
      isCut: { name: false, folder: true },
    });
    assert.ok(columns[0]! > columns[1]!, 'the first column is the one at the right');
    assert.deepEqual(
      code,
      code.toSorted((a, b) => a - b),
      'strings and comments stand as they are written',
    );
    assert.equal(code.length, 3);
    assert.ok(note[1]! > note[0]! + 10, 'paragraphs of a footnote stand below each other');
  });

  it('has footnotes that keys lead to and back from', async () => {
    const panel = await shown('one[^a] two[^b]\n\n[^b]: the **second**\n\n[^a]: the first');
    const { page } = panel;
    const notes = await page.locator('.footnotes li').allTextContents();
    assert.deepEqual(notes, ['the first↩', 'the second↩']);
    const mark = page.getByLabel('Footnote 2', { exact: true });
    await mark.focus();
    await panel.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-note')), '2');
    await panel.press('Tab');
    await panel.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-mark')), '2');
  });

  it('leads back to a mark that is far from the screen', async () => {
    const panel = await shown(
      `one[^a]\n\n${'A paragraph of the text.\n\n'.repeat(400)}end\n\n[^a]: the note`,
    );
    const { page } = panel;
    await page.locator('[data-note="1"]').scrollIntoViewIfNeeded();
    await page.getByLabel('Footnote 1', { exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Back to the text, footnote 1').focus();
    await page.keyboard.press('Enter');
    for (let tries = 0; tries < 100; tries += 1) {
      await panel.pass(20);
      if ((await page.evaluate(() => document.activeElement?.getAttribute('data-mark'))) === '1') return;
    }
    assert.fail('the mark did not get the cursor');
  });

  it('makes a mark a footnote when its text comes', async () => {
    const panel = await openPanel();
    await panel.shows({ id: 'c', turns: [runningTurn('t', 'see[^1]\n\nmore\n\nand more\n\n')] });
    const first = panel.page.locator('.answer p').first();
    assert.equal(await first.innerText(), 'see[^1]');
    const text = '[^1]: here';
    await panel.tell({
      kind: 'events',
      seq: 1,
      events: [{ kind: 'textAdded', turn: 't', part: '0.0', section: 0, text }],
    });
    assert.equal(await first.innerText(), 'see1');
  });

  it('wraps the lines of a block of code, and of those that come after', async () => {
    const line = 'const x = 1; '.repeat(30);
    const panel = await shown(`\`\`\`ts\n${line}\n\`\`\`\n\n\`\`\`ts\n${line}\n\`\`\``);
    const { page } = panel;
    const wide = (index: number): Promise<boolean> =>
      page
        .locator('.code pre')
        .nth(index)
        .evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    const button = panel.button('Wrap lines');
    assert.equal(await button.first().getAttribute('aria-pressed'), 'false');
    assert.ok(await wide(0));
    await button.first().focus();
    await panel.press('Space');
    assert.equal(await button.first().getAttribute('aria-pressed'), 'true');
    assert.deepEqual([await wide(0), await wide(1)], [false, true]);
    await panel.shows({ id: 'd', turns: [turnWith(`\`\`\`ts\n${line}\n\`\`\``, 'u')] });
    assert.equal(await button.first().getAttribute('aria-pressed'), 'true');
  });

  it('asks for code to be applied, and shows what becomes of that below its block', async () => {
    const panel = await shown('```ts src/cart.ts\none();\n```\n\n```\ntwo();\n```');
    const { page } = panel;
    await panel.button('Apply…').first().click();
    const { from, text, name } = await panel.posted('applyCode');
    assert.deepEqual([text, name], ['one();', 'src/cart.ts']);
    const proposal = (more: object): CodeProposal => ({
      from,
      proposal: {
        id: 'code:1',
        files: [
          {
            ...{ index: 0, path: 'src/cart.ts', change: 'update', added: 1, removed: 0 },
            ...{ state: 'pending', seen: true, amended: false, ...more },
          },
        ],
      },
    });
    await panel.tell({ kind: 'panel', panel: panelState({ code: [proposal({})] }) });
    assert.match(await page.locator('.code').first().innerText(), /src\/cart\.ts\s*Proposed/);
    assert.equal(await page.locator('.applied').count(), 1);
    await page.screenshot({ path: path.join(screenshotsPath, 'page-applied-420.png') });
    // It came up by itself.
    await panel.button('Accept').click();
    assert.ok(!(await panel.posts()).some(({ kind }) => kind === 'accept'));
    await panel.pass(600);
    await panel.button('Accept').click();
    assert.equal((await panel.posted('accept')).proposal, 'code:1');
    await panel.tell({
      kind: 'panel',
      panel: panelState({ code: [proposal({ state: 'accepted', canTakeBack: true })] }),
    });
    assert.equal(await panel.focused(), 'applied');
    await panel.pass(600);
    await panel.button('Take back').click();
    assert.equal((await panel.posted('takeBack')).proposal, 'code:1');
  });

  it('says where a link leads that names another host, before it opens it', async () => {
    const panel = await shown(
      '[https://bank.example/login](https://evil.test/x) [docs](https://docs.example/)',
    );
    const { page } = panel;
    const link = page.getByRole('link', { name: 'https://bank.example/login' });
    await link.focus();
    await panel.press('Enter');
    await page.getByText('The text says bank.example, but this leads to evil.test.').waitFor();
    await panel.press('Escape');
    assert.equal(await page.locator('.link-question').count(), 0);
    assert.equal(await panel.focused(), 'link');
    assert.ok(!(await panel.posts()).some(({ kind }) => kind === 'openLink'));
    await panel.press('Enter');
    await panel.button('Open evil.test').click();
    assert.equal((await panel.posted('openLink')).href, 'https://evil.test/x');
    await page.getByRole('link', { name: 'docs' }).click();
    assert.deepEqual((await panel.posts()).at(-1), { kind: 'openLink', href: 'https://docs.example/' });
  });

  it('asks for nothing outside, whatever it holds, and makes no element that could', async () => {
    const panel = await openPanel();
    const { page } = panel;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluate(() => {
      // Markup made from a string would throw from now on.
      const meta = document.createElement('meta');
      meta.httpEquiv = 'Content-Security-Policy';
      meta.content = "require-trusted-types-for 'script'; trusted-types 'none'";
      document.head.append(meta);
    });
    await panel.shows({ id: 'c', turns: [turnWith(payloads)] });
    await panel.pass(1_000);
    await typeset(panel, 1);
    assert.deepEqual(
      asked.filter(
        (url) => !/^https:\/\/panel\.test\/dist\/webview\/(?:highlight|typeset|chunk)-\w+\.js$/.test(url),
      ),
      [],
    );
    const made = await page
      .locator('.answer')
      .evaluate((answer) =>
        [...answer.querySelectorAll('*')]
          .filter((each) =>
            each.matches(
              'img, source, picture, video, audio, iframe, object, embed, link, style, script, form, image, use, foreignObject, [href], [src], [srcset]',
            ),
          )
          .map((each) => each.outerHTML),
      );
    assert.deepEqual(made, []);
  });
});

const payloads = [
  '![pixel](https://evil.test/a.png) ![](//evil.test/b.png) ![x][r]',
  '[r]: https://evil.test/c.png',
  '<img src="https://evil.test/d.png" onerror="fetch(\'https://evil.test/e\')">',
  '<picture><source srcset="https://evil.test/f.png"></picture>',
  '<video poster="https://evil.test/g.png"></video><iframe src="https://evil.test/h"></iframe>',
  '<style>body{background:url(https://evil.test/i.png)}@import "https://evil.test/j.css";</style>',
  '<p style="background:url(https://evil.test/k.png)">x</p><link rel="prefetch" href="https://evil.test/l">',
  '<svg><image href="https://evil.test/m.png"/><use href="https://evil.test/n.svg#a"/></svg>',
  '```mermaid\ngraph TD; A["<img src=https://evil.test/o.png>"] --> B; click A "https://evil.test/p"\n```',
  '```svg\n<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.test/q.png"/></svg>\n```',
  '```html\n<img src="https://evil.test/r.png">\n```',
  '\\(\\includegraphics{https://evil.test/s.png}\\) \\(\\href{https://evil.test/t}{x^2}\\)',
  '\\(\\class{composer}{x}\\) \\(\\style{background:url(https://evil.test/u.png)}{x}\\) \\(\\htmlData{a=b}{x}\\)',
  '\\(\\color{url(https://evil.test/v.png)}{x}\\) \\(\\url{https://evil.test/w}\\) \\(fine^2\\)',
  '| ![](https://evil.test/x.png) |\n|---|\n| <img src=https://evil.test/y.png> |',
  '[^n]\n\n[^n]: ![](https://evil.test/z.png)',
].join('\n\n');
