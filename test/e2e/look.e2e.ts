/**
 * How each state of the panel looks, in all kinds of theme, narrow and wide: pictures in `.screenshots/` for people to look at, and
 * what a machine can tell of them: nothing sticks out, text can be read, nothing comes from elsewhere.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { answer, functionCall, gate, parallel, refuse, unasked, webSearch } from '../simulator/main.ts';
import type { FunctionCallScript } from '../simulator/main.ts';
import { faultsOf, lookAt, lookAtAll, type Pictures } from './support/look.ts';
import { conclusion, explanation, patch, question, selected, thoughts } from './support/scene.ts';
import { useStage } from './support/stage.ts';
import {
  bodyClass,
  readThemes,
  themes,
  usedVariables,
  writeThemes,
  type Theme,
  type Variables,
} from './support/themes.ts';
import { isWhole, turnOf } from './support/whole.ts';

/** Of the ten states in which people find the panel most of the time. */
const all: Pictures = [
  [300, themes],
  [600, themes],
];
/** Of others. */
const few: Pictures = [[300, ['dark', 'light']]];

describe('the look of the panel', () => {
  const stage = useStage({ open: { file: selected.file, line: 22 }, size: { width: 1440, height: 900 } });

  before('keep the first side bar out of the picture', async () => {
    await stage.bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
  });

  const look = (state: string, pictures = few): Promise<void> => lookAt(stage, state, pictures);

  /** What stands in the title of the editor in front, in the words of its tooltips. */
  async function titleActions(): Promise<string[]> {
    const labels = stage.bench.page.locator('.editor-group-container.active .editor-actions .action-label');
    await labels.and(stage.bench.page.locator('[aria-label^="Reject the Proposed Changes"]')).waitFor();
    return labels.evaluateAll((all) => all.map((label) => label.getAttribute('aria-label') ?? ''));
  }

  function rightOf(part: Locator): Promise<number> {
    return part.evaluate((element) => element.getBoundingClientRect().right);
  }

  /** On which sides something that scrolls shows that there is more. */
  function sidesWithMore(scroller: Locator): Promise<string[]> {
    return scroller.evaluate((element) => {
      const style = getComputedStyle(element);
      return ['before', 'after'].filter(
        (side) => Number.parseFloat(style.getPropertyValue(`--more-${side}`)) > 0,
      );
    });
  }

  it('is judged by something that sees faults', async () => {
    const { panel } = stage.chat;
    await panel.locator('.transcript-content').evaluate((content) => {
      const planted = document.createElement('div');
      planted.className = 'planted';
      const styled = (name: string, text: string, style: string): void => {
        const element = document.createElement(name);
        element.textContent = text;
        element.style.cssText = style;
        planted.append(element);
      };
      styled('p', 'too wide', 'width: 2000px');
      styled('p', 'too pale', 'color: rgb(120 120 120 / 40%)');
      styled('p', 'paled', 'opacity: 0.4');
      styled('button', '', 'width: 8px; height: 8px');
      const unusable = document.createElement('button');
      unusable.textContent = 'not for 9 min';
      unusable.disabled = true;
      unusable.style.cssText = 'color: white; background: rgb(0 120 212); opacity: 0.6';
      planted.append(unusable);
      content.append(planted);
    });
    const faults = await faultsOf(panel);
    await panel.locator('.planted').evaluate((planted) => planted.remove());
    for (const fault of [
      /scrolls sideways/,
      /"too wide" sticks out/,
      /"too pale" has a contrast/,
      /"paled" has a contrast/,
      /"not for 9 min" has a contrast of 3/,
    ]) {
      assert.equal(faults.filter((each) => fault.test(each)).length, 1, faults.join('\n'));
    }
    assert.ok(faults.some((fault) => /^button.*has no name/.test(fault)));
    assert.ok(faults.some((fault) => /^button.*px large/.test(fault)));
    assert.deepEqual(await faultsOf(panel), []);
  });

  it('when nothing was asked yet', () => look('empty', all));

  it('in the very colours by which its page is tested without a workbench', async () => {
    const { bench, chat } = stage;
    const names = await usedVariables();
    const found: Partial<Record<Theme, Variables>> = {};
    for (const theme of themes) {
      await bench.setTheme(theme);
      const [kind = ''] = bodyClass[theme].split(' ');
      const body = chat.panel.locator(`body[data-vscode-theme-kind="${kind}"]`);
      found[theme] = await body.evaluate((element, wanted) => {
        const { style } = element.ownerDocument.documentElement;
        return Object.fromEntries(
          wanted.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value !== ''),
        ) as Record<string, string>;
      }, names);
    }
    if (process.env['KIMI_CHAT_RENEW'] === '1') await writeThemes(found as Record<Theme, Variables>, names);
    assert.deepEqual(found, await readThemes());
  });

  it('when patches are written at once', async () => {
    const { bench, chat } = stage;
    const promise = chat.panel.locator('.empty p').first();
    await chat.says(promise, 'nothing is written before you accept.');
    await bench.changeSettings({ 'kimiChat.patchMode': 'acceptAutomatically' });
    await chat.says(promise, 'Changes are written at once, except to protected files');
    await look('empty-at-once');
    await bench.changeSettings({ 'kimiChat.patchMode': undefined });
    await chat.says(promise, 'nothing is written before you accept.');
  });

  it('when there is no key', async () => {
    const { bench, chat, simulator } = stage;
    const needed = chat.panel.locator('.key-needed');
    // Without a key nothing is asked of the address.
    await bench.changeSettings({ 'kimiChat.baseUrl': undefined });
    await chat.says(
      needed,
      'Kimi Chat needs an EvoLink API key. You can make one on evolink.ai/dashboard/keys.',
    );
    await look('no-key', all);
    await bench.changeSettings({ 'kimiChat.baseUrl': 'https://gateway.company.example/kimi' });
    await chat.says(needed, 'Kimi Chat needs an API key for https://gateway.company.example.');
    assert.equal(await needed.getByRole('link').count(), 0);
    await look('no-key-elsewhere');
    await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url });
    await chat.panel.locator('.suggestions').waitFor();
  });

  it('with files attached whose names alone do not tell them apart', async () => {
    const { bench, chat } = stage;
    const paths = [
      'packages/storefront/src/components/checkout/index.ts',
      'packages/storefront/src/components/basket/index.ts',
      'index.ts',
    ];
    await bench.inside(async (vscode, files) => {
      const folder = vscode.workspace.workspaceFolders![0]!.uri;
      for (const file of files) {
        await vscode.workspace.fs.writeFile(
          vscode.Uri.joinPath(folder, file),
          new TextEncoder().encode('1;\n'),
        );
      }
    }, paths);
    for (const [index, file] of paths.entries()) {
      await bench.inside(async (vscode, path) => {
        const folder = vscode.workspace.workspaceFolders![0]!.uri;
        await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, path), { preview: false });
      }, file);
      await chat.button('Attach the active editor').click();
      await bench.waitFor('the chip', async () => (await chat.chips.count()) === index + 1);
    }
    assert.deepEqual(await chat.chips.locator('.chip-label').allTextContents(), paths);
    await bench.setPanelWidth(300);
    // The folder is cut off, and not the name.
    for (const chip of await chat.chips.all()) {
      const name = await chip.locator('.chip-name').evaluate((each) => [each.scrollWidth, each.clientWidth]);
      assert.equal(name[0], name[1]);
    }
    const folder = await chat.chips
      .first()
      .locator('.chip-folder')
      .evaluate((each) => each.scrollWidth > each.clientWidth);
    assert.equal(folder, true);
    await look('chips');
    for (const { length } of paths.map((_, index) => paths.slice(index + 1))) {
      const remove = chat.panel.getByRole('button', { name: /^Remove / }).first();
      await chat.press(remove, async () => (await chat.chips.count()) === length);
    }
  });

  it('when the model has one effort only', async () => {
    const { bench, chat } = stage;
    await bench.changeSettings({ 'kimiChat.model': 'kimi-k3' });
    await chat.panel.locator('select:disabled').waitFor();
    await look('one-effort');
    await bench.changeSettings({ 'kimiChat.model': undefined });
  });

  it('from the first thought to the patch that is applied', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(thoughts(gate('thinking')), explanation(gate('answering')), patch(gate('patching'))),
      answer(conclusion()),
    );
    await bench.selectLines(selected.file, selected.from, selected.to);
    await bench.page.keyboard.press('ControlOrMeta+K');
    await bench.page.keyboard.press('k');
    await chat.says(chat.chips, 'src/cart.ts:21-28');
    await chat.hasCursor();
    await chat.ask(question);

    await simulator.reached('thinking');
    await chat.says(chat.reasoning, 'There is a second one');
    await look('reasoning', all);

    simulator.open('thinking');
    await simulator.reached('answering');
    await chat.says(chat.answer, 'The coupon counts twice.');
    await look('answering', all);

    simulator.open('answering');
    await simulator.reached('patching');
    await chat.says(chat.patch, 'Writing a patch');
    await look('patch-streaming');
    const streaming = await rightOf(chat.patch.locator('.patch-open .line-counts'));

    simulator.open('patching');
    await chat.says(chat.patch, 'Patch for 2 files');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    assert.deepEqual((await titleActions()).slice(0, 5), [
      'Accept the Proposed Changes (Ctrl+K Ctrl+Enter)',
      'Reject the Proposed Changes (Ctrl+K Ctrl+Backspace)',
      'Accept This Change of the Patch (Ctrl+K Y)',
      'Previous File of the Patch (Ctrl+K PageUp)',
      'Next File of the Patch (Ctrl+K PageDown)',
    ]);
    // The state in which there is most to see, in each theme whatever is wanted.
    await lookAtAll(stage, 'patch-pending', [
      [300, ['dark', 'highContrastLight']],
      [600, ['light', 'highContrastDark']],
    ]);
    if (isWhole) await look('patch-pending', all);
    await bench.setPanelWidth(300);
    const tops = await chat.patch
      .locator('.patch-buttons > button')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom)));
    assert.ok(
      tops.length === 3 && Math.max(...tops) - Math.min(...tops) < 8,
      `buttons in one row: ${tops.join()}`,
    );
    const gap = await chat.patch.locator('.unseen').evaluate((dot) => {
      const card = dot.closest('.patch');
      return dot.getBoundingClientRect().left - (card?.getBoundingClientRect().left ?? 0);
    });
    assert.ok(gap >= 4, `the mark of an unseen file is ${gap} px from the edge`);
    for (const theme of turnOf(themes, 0)) {
      await bench.setTheme(theme);
      await bench.screenshot(`patch-pending-window-${theme}`);
    }

    const reason = chat.patch.getByRole('textbox', { name: 'Reason for the model (optional)' });
    await chat.press(chat.patch.getByRole('button', { name: 'Reject', exact: true }), () =>
      reason.isVisible(),
    );
    await look('patch-rejecting');
    await chat.button('Cancel').click();

    await chat.press(chat.button('Accept src/money.ts'));
    await bench.waitFor('the way to other files to go', async () => {
      const actions = await titleActions();
      return !actions.some((action) => action.includes('File of the Patch'));
    });
    assert.equal((await bench.diff())?.right.includes('sum += rowTotal(item, coupon)'), true);
    await chat.press(chat.patch.getByRole('button', { name: 'Accept', exact: true }));
    await chat.says(chat.answer.last(), 'Both files are changed.');
    await chat.footer.waitFor();
    await look('patch-settled', all);
    assert.equal(await rightOf(chat.patch.locator('.patch-open .line-counts').first()), streaming);
    assert.deepEqual(
      await sidesWithMore(chat.answer.first().locator('.table')),
      [],
      'a narrow table in a wide panel',
    );
  });

  it('when a question failed', async () => {
    const { bench, chat, simulator } = stage;
    const limited = { message: 'Requests per minute exceeded for this key' };
    simulator.reply(
      // It would be sent again by itself three times, each a minute later.
      ...Array.from({ length: 3 }, () => refuse(429, limited, { 'retry-after': '60' })),
      refuse(429, limited, { 'retry-after': '600' }),
    );
    await chat.ask(question);
    for (const attempt of [2, 3, 4]) {
      const waits = chat.retry.filter({ hasText: `(${attempt} of 4)` });
      await waits.waitFor();
      await chat.press(chat.button('Try now'), async () => (await waits.count()) === 0);
    }
    await chat.says(chat.notice, 'Too many requests');
    await chat.button('Details').click();
    await look('error', all);
    // All that stands below the sentence begins where it begins.
    await bench.setPanelWidth(300);
    const lefts = await chat.notice
      .locator('p, button')
      .evaluateAll((parts) =>
        parts.map(
          (part) => part.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(part).paddingLeft),
        ),
      );
    assert.equal(lefts[2], lefts[0], 'the button that went to a line of its own');
  });

  it('when tools are called', async () => {
    const { chat, simulator } = stage;
    const read = (path: string): FunctionCallScript => functionCall('read_file', { path });
    simulator.reply(
      answer(
        unasked(
          webSearch('rounding of prices', [
            { url: 'https://example.test/rounding', title: 'How prices are rounded' },
          ]),
        ),
        parallel(read('src/cart.ts'), read('src/money.ts')),
      ),
      answer(thoughts(gate('thinking'))),
    );
    await chat.ask('How are prices rounded?');
    await simulator.reached('thinking');
    await chat.panel.locator('.search .fold-line').click();
    await look('tool', all);

    await chat.ask('And what about shipping?');
    await chat.panel.locator('.queued').waitFor();
    await look('queued', all);
    await chat.button('Remove And what about shipping?').click();
    await chat.button('Undo').waitFor();
    await chat.button('Stop').click();
    await chat.notice.waitFor();
  });

  it('when a conversation is long', async () => {
    const { bench, chat, simulator } = stage;
    for (const text of [question, 'And without the coupon?', 'What does the shipping cost?']) {
      simulator.reply(answer(thoughts(), explanation()));
      await chat.ask(text);
      await chat.footer.waitFor();
      await bench.waitFor('the answer', async () => (await chat.stop.count()) === 0);
    }
    await bench.wheel(chat.panel.locator('.transcript'), -700, () =>
      chat.button('Jump to latest').isVisible(),
    );
    await look('long-conversation', all);
  });

  it('with long and strange text', async () => {
    const { bench, chat, simulator } = stage;
    // The longest name in the composer's row.
    await bench.changeSettings({ 'kimiChat.model': 'kimi-k3.1-pro-highspeed' });
    const long = 'AVeryLongNameWithoutAnyPlaceToBreakItAnywhere'.repeat(6);
    simulator.reply(
      answer({
        kind: 'text',
        pieces: [
          `# ${long}\n\n${long} and \`${long}\` and [${long}](https://example.com/${long}).\n\n`,
          `- ${long}\n  - ${long}\n\n> ${long}\n\n\`\`\`\n${long} ${long}\n\`\`\`\n\n`,
          `| ${long} | b |\n| --- | ---: |\n| c | ${long} |\n\n`,
          'مرحبا بالعالم، هذا نص عربي.\n\n日本語の長い文章がここにあります。折り返しは必要です。\n\n<b>no markup</b>',
        ],
      }),
    );
    await chat.question.click();
    await bench.page.keyboard.insertText(`${long}\n${'a line\n'.repeat(12)}`);
    await bench.page.keyboard.press('Enter');
    await chat.footer.waitFor();
    await look('long-text');
    await bench.setPanelWidth(300);
    const row = await chat.panel.locator('.composer-row').evaluate((each) => each.clientHeight);
    assert.ok(row < 40, `the row of the composer is ${row} px high`);
    assert.equal(
      await chat.panel.locator('.picker-model').getAttribute('title'),
      'Model: K3.1 Pro Highspeed',
    );
    // On which side there is more.
    for (const part of ['.code pre', '.table']) {
      const scroller = chat.answer.locator(part);
      assert.deepEqual(await sidesWithMore(scroller), ['after'], part);
      await scroller.evaluate((each) => each.scrollTo({ left: (each.scrollWidth - each.clientWidth) / 2 }));
      await bench.waitFor('both sides to show it', async () => (await sidesWithMore(scroller)).length === 2);
      await scroller.evaluate((each) => each.scrollTo({ left: each.scrollWidth }));
      await bench.waitFor('the other side to show it', async () => {
        return (await sidesWithMore(scroller)).join() === 'before';
      });
    }
    await bench.changeSettings({ 'kimiChat.model': undefined });
  });

  it('with nothing from elsewhere, even if something slipped through', async () => {
    const { bench } = stage;
    // VS Code hands out the extension's own files under this name; nothing is asked of the network for it.
    const own = /^https:\/\/[^/]+\.vscode-resource\.vscode-cdn\.net\//;
    const { origin } = bench.server;
    assert.ok(
      bench.panelRequests.some((url) => own.test(url)),
      'the requests of the panel are seen',
    );
    assert.deepEqual(
      bench.panelRequests.filter((url) => !url.startsWith(`${origin}/`) && !own.test(url)),
      [],
    );

    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      assert.deepEqual(await attempts(elsewhere), [
        'connect-src',
        'frame-src',
        'img-src',
        'script-src',
        'script-src',
        'style-src',
      ]);
      // Such attempts are noticed in all other tests.
      const complaints = bench.consoleErrors.splice(0);
      assert.ok(complaints.length >= 6, complaints.join('\n'));
      for (const complaint of complaints) assert.match(complaint, /Content Security Policy/);
      await bench.page.request.get(elsewhere);
      assert.equal(asked, 1, 'the request of this test, and no other');
    } finally {
      server.close();
    }
  });

  /** Tries all ways to load or run something in the panel, and returns the directives of its policy that said no to each. */
  function attempts(url: string): Promise<string[]> {
    return stage.chat.panel.locator('body').evaluate(async (body, elsewhere) => {
      const image = document.createElement('img');
      image.src = `${elsewhere}/image.png`;
      const script = document.createElement('script');
      script.src = `${elsewhere}/script.js`;
      const inline = document.createElement('script');
      inline.textContent = 'document.title = "run"';
      const style = document.createElement('link');
      style.rel = 'stylesheet';
      style.href = `${elsewhere}/style.css`;
      const frame = document.createElement('iframe');
      frame.src = `${elsewhere}/frame`;
      const all = [image, script, inline, style, frame];
      const violated: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        violated.push(effectiveDirective.replace(/-(elem|attr)$/, ''));
        if (violated.length > all.length) resolve();
      });
      body.append(...all);
      await fetch(`${elsewhere}/fetch`).catch(() => {});
      await promise;
      for (const element of all) element.remove();
      return violated.toSorted();
    }, url);
  }
});
