/** The list behind `@`, drops and pasted images in a browser without a workbench: keys, input methods, pictures of every size. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { CompletionItem } from '../../src/protocol/completion.ts';
import type { ToHost } from '../../src/protocol/toHost.ts';
import { launchBrowser } from '../run/browser.ts';
import { PanelPage, turn } from './support/panelPage.ts';

const items: readonly CompletionItem[] = [
  { id: '0', kind: 'file', label: 'cart.ts', detail: 'src', insert: '@cart.ts' },
  { id: '1', kind: 'folder', label: 'cart/', detail: 'src', insert: '@cart', into: '@src/cart/' },
  { id: '2', kind: 'problems', label: 'problems', detail: 'In the workspace: 3', insert: '@problems' },
  ...Array.from({ length: 30 }, (_, at): CompletionItem => ({
    ...{ id: `${at + 3}`, kind: 'file', label: `file${at}.ts`, insert: `@file${at}.ts` },
  })),
];

/** Of the page: makes a picture of this size and type, of noise or of one colour. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly type: string;
  readonly noise?: boolean;
}

describe('naming things in the composer', () => {
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    panel = await PanelPage.open(browser, { width: 300 });
    await panel.shows({ id: 'c', turns: [turn('a')] });
    await panel.composer.focus();
  });
  afterEach(() => panel.close());
  after(() => browser.close());

  async function asked(): Promise<Extract<ToHost, { kind: 'complete' }>> {
    const post = (await panel.posts()).findLast(({ kind }) => kind === 'complete');
    assert.ok(post?.kind === 'complete', 'nothing was asked');
    return post;
  }

  async function offer(all: readonly CompletionItem[] = items, looking = false): Promise<void> {
    await panel.tell({ kind: 'completions', list: (await asked()).list, items: all, looking });
  }

  const rows = () => panel.page.locator('.completion-row');
  const active = (): Promise<string | null> =>
    panel.page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return id === null || id === undefined ? null : (document.getElementById(id)?.textContent ?? null);
    });
  const kinds = async (): Promise<readonly string[]> => (await panel.posts()).map(({ kind }) => kind);

  it('is done by keyboard alone, and the cursor never leaves the text', async () => {
    await panel.page.keyboard.type('Why @c');
    await panel.tell();
    assert.deepEqual(await asked(), { kind: 'complete', list: 2, trigger: '@', query: 'c' });
    assert.equal(await rows().count(), 0);
    await offer();
    assert.equal(await rows().count(), items.length);
    assert.equal(await active(), 'cart.tssrc');
    await panel.press('ArrowUp');
    assert.equal(await active(), 'file29.ts');
    const box = await panel.page.locator('.completion').boundingBox();
    const last = await rows().last().boundingBox();
    assert.ok(box && last && last.y + last.height <= box.y + box.height + 1, 'the chosen row is in sight');
    await panel.press('PageUp');
    assert.equal(await active(), 'file21.ts');
    await panel.press('ArrowDown');
    await panel.press('Enter');
    assert.equal(await panel.composer.inputValue(), 'Why @file22.ts ');
    assert.deepEqual(await panel.posted('takeCompletion'), { kind: 'takeCompletion', list: 2, item: '25' });
    assert.equal(await rows().count(), 0);
    assert.ok((await panel.focused()).includes('composer-text'));
    await panel.page.keyboard.type('wrong?');
    await panel.press('Enter');
    assert.equal((await panel.posted('send')).text, 'Why @file22.ts wrong?');
  });

  it('can be undone and done again, with what was typed before', async () => {
    await panel.page.keyboard.type('Why @c');
    await panel.tell();
    await offer();
    await panel.press('Enter');
    await panel.page.keyboard.type('wrong?');
    await panel.tell();
    const steps: string[] = [];
    for (const key of ['z', 'z', 'z', 'Shift+z', 'Shift+z', 'Shift+z']) {
      await panel.press(`ControlOrMeta+${key}`);
      steps.push(await panel.composer.inputValue());
    }
    const typed = ['Why @cart.ts ', 'Why @c', ''];
    assert.deepEqual(steps, [...typed, ...[...typed.slice(0, 2)].reverse(), 'Why @cart.ts wrong?']);
  });

  it('loses no letter while lists come and go', async () => {
    const text = 'Compare @src/cart/total.ts with @money.ts, and @x @y @z';
    for (const [at, letter] of [...text].entries()) {
      await panel.page.keyboard.type(letter);
      if (at % 3 === 0 && text.slice(0, at).includes('@')) await offer(items, at % 2 === 0);
    }
    await panel.tell();
    assert.equal(await panel.composer.inputValue(), text);
  });

  it('looks inside folders, is put away by Escape, and takes a click without a loss of the cursor', async () => {
    await panel.page.keyboard.type('@s');
    await panel.tell();
    await offer();
    await panel.press('ArrowDown');
    assert.match(await panel.page.locator('.completion-note').innerText(), /Tab looks inside/);
    await panel.press('Tab');
    assert.equal(await panel.composer.inputValue(), '@src/cart/');
    assert.equal((await asked()).query, 'src/cart/');
    await offer();
    await panel.press('Escape');
    assert.equal(await rows().count(), 0);
    assert.ok(!(await kinds()).includes('stop'));
    await panel.page.keyboard.type(' @p');
    await panel.tell();
    await offer();
    await rows().nth(2).click();
    assert.equal(await panel.composer.inputValue(), '@src/cart/ @problems ');
    assert.ok((await panel.focused()).includes('composer-text'));
    await panel.page.keyboard.type('@q');
    await panel.tell();
    await offer();
    await panel.page.locator('.icon-button.send').focus();
    await panel.tell();
    assert.equal(await rows().count(), 0, 'it goes with the cursor');
  });

  it('leaves the keys of an input method to it, and asks when its text is settled', async () => {
    const ime = await panel.page.context().newCDPSession(panel.page);
    await panel.page.keyboard.type('@');
    await panel.tell();
    await offer();
    await ime.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    for (const key of ['Enter', 'Escape', 'ArrowDown', 'Tab'])
      await ime.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 });
    await panel.tell();
    assert.equal((await asked()).query, '');
    assert.equal(await active(), 'cart.tssrc');
    await ime.send('Input.insertText', { text: '日本' });
    await panel.tell();
    assert.equal((await asked()).query, '日本');
    assert.ok(!(await kinds()).includes('takeCompletion'));
    assert.equal(await panel.composer.inputValue(), '@日本');
  });

  it('says what fits nothing, and sends it as it is', async () => {
    await panel.page.keyboard.type('Ask @nobody');
    await panel.tell();
    await offer([]);
    assert.equal(await panel.page.locator('.completion-note').innerText(), 'Nothing is named “nobody”.');
    await panel.pass(2_000);
    await panel.spoken('Nothing is named “nobody”.');
    await panel.press('Enter');
    assert.equal((await panel.posted('send')).text, 'Ask @nobody');
  });

  it('stays within a low panel', async () => {
    await panel.page.setViewportSize({ width: 300, height: 260 });
    await panel.page.keyboard.type('@');
    await panel.tell();
    await offer();
    const box = await panel.page.locator('.completion').boundingBox();
    assert.ok(box && box.y >= 0 && box.height >= 64, JSON.stringify(box));
  });

  describe('images', () => {
    /** Pastes a picture as a system does, and waits for what becomes of it. */
    async function paste(
      drawn: Drawn,
    ): Promise<{ width: number; height: number; mime: string; bytes: number }> {
      await panel.composer.evaluate(async (field, { width, height, type, noise }) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d')!;
        if (noise === true) {
          const pixels = context.createImageData(width, height);
          let seed = 1;
          for (let at = 0; at < pixels.data.length; at += 1) {
            seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
            pixels.data[at] = at % 4 === 3 ? 255 : seed >>> 24;
          }
          context.putImageData(pixels, 0, 0);
        } else context.fillRect(0, 0, width, height);
        const file = new File([await canvas.convertToBlob({ type })], 'image.png', { type });
        const data = new DataTransfer();
        data.items.add(file);
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, drawn);
      const { mime, data } = await panel.posted('attachImage');
      const size = await panel.page.evaluate(
        async ([type, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const { width, height } = await createImageBitmap(new Blob([bytes], { type }));
          return { width, height };
        },
        [mime, data] as const,
      );
      return { ...size, mime, bytes: Math.ceil((data.length * 3) / 4) };
    }

    it('go with the question that is sent right behind them, once', async () => {
      await panel.composer.fill('What is this?');
      await panel.composer.evaluate(async (field) => {
        const canvas = new OffscreenCanvas(4_096, 4_096);
        canvas.getContext('2d')!.fillRect(0, 0, 9, 9);
        const data = new DataTransfer();
        data.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
        for (const _ of [1, 2])
          field.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
          );
      });
      assert.equal((await panel.posted('send')).text, 'What is this?');
      await panel.tell();
      assert.deepEqual(
        (await kinds()).filter((kind) => kind === 'send' || kind === 'attachImage'),
        ['attachImage', 'send'],
      );
    });

    it('stay as they are when they are small', async () => {
      const { width, height, mime } = await paste({ width: 640, height: 480, type: 'image/jpeg' });
      assert.deepEqual([width, height, mime], [640, 480, 'image/jpeg']);
      assert.equal(await panel.composer.inputValue(), '');
    });

    it('are made smaller when they are large', async () => {
      const { width, height, mime } = await paste({ width: 4_096, height: 1_024, type: 'image/png' });
      assert.deepEqual([width, height, mime], [2_048, 512, 'image/png']);
    });

    it('lose a little where they would be too many bytes', async () => {
      const { width, mime, bytes } = await paste({
        width: 1_500,
        height: 1_000,
        type: 'image/png',
        noise: true,
      });
      assert.deepEqual([width, mime], [1_500, 'image/webp']);
      assert.ok(bytes < 6_000_000, `${bytes} bytes`);
    });
  });

  describe('a drop', () => {
    /** Drags over the panel and drops onto it, as VS Code and systems do. */
    async function drop(
      types: Readonly<Record<string, string>>,
      files: readonly (readonly [string, string, string])[] = [],
    ): Promise<boolean> {
      return panel.page.evaluate(
        ([texts, all]) => {
          const data = new DataTransfer();
          for (const [type, text] of Object.entries(texts)) data.setData(type, text);
          for (const [name, type, text] of all) data.items.add(new File([text], name, { type }));
          const target = document.querySelector('.transcript') ?? document.body;
          const drag = (kind: string): DragEvent =>
            new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
          target.dispatchEvent(drag('dragover'));
          return !target.dispatchEvent(drag('drop'));
        },
        [types, files] as const,
      );
    }

    it('attaches what VS Code drags by its addresses, and says so while it is held', async () => {
      await panel.page.evaluate(() => {
        const data = new DataTransfer();
        data.setData('text/uri-list', 'file:///a.ts');
        document.body.dispatchEvent(
          new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }),
        );
      });
      await panel.page.locator('.drop-zone').waitFor();
      const dropped = await drop({
        'text/uri-list': 'file:///shop/a.ts',
        'application/vnd.code.uri-list': 'file:///shop/a.ts\r\nfile:///shop/src',
      });
      assert.ok(dropped, 'the browser would open it');
      assert.deepEqual((await panel.posted('attachPlaces')).uris, ['file:///shop/a.ts', 'file:///shop/src']);
      await panel.tell();
      assert.equal(await panel.page.locator('.drop-zone').count(), 0);
      assert.ok((await panel.focused()).includes('composer-text'));
    });

    it('attaches what systems drag by its content, and says what it can’t', async () => {
      await drop({}, [
        ['notes.txt', 'text/plain', 'one\ntwo\n'],
        ['drawing.svg', 'image/svg+xml', '<svg/>'],
        ['program', '', 'a\0b'],
        ['broken.png', 'image/png', 'no picture'],
        ['latin.txt', 'text/plain', 'x'],
      ]);
      await panel.page.locator('.hint', { hasText: 'broken.png' }).waitFor();
      const texts = (await panel.posts()).flatMap((post) =>
        post.kind === 'attachText' ? [[post.name, post.text]] : [],
      );
      assert.deepEqual(texts, [
        ['notes.txt', 'one\ntwo\n'],
        ['drawing.svg', '<svg/>'],
        ['latin.txt', 'x'],
      ]);
      assert.match(
        await panel.page.locator('.hint').innerText(),
        /program is no text.*broken\.png can’t be sent as an image/,
      );
    });

    it('of a link or of text is no file, and never leads away', async () => {
      assert.ok(
        await drop({ 'text/uri-list': 'https://example.org/', 'text/plain': 'https://example.org/' }),
      );
      assert.ok(await drop({ 'text/plain': 'words' }));
      assert.ok(!(await kinds()).some((kind) => kind.startsWith('attach')));
      await panel.tell();
      assert.equal(await panel.composer.inputValue(), 'https://example.org/');
    });
  });
});
