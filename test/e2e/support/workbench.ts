/**
 * A real VS Code with the extension, as an end-to-end test drives it: a fresh workspace folder, server and browser page each
 * time, the browser itself shared by all files of a run. Must not know what the extension does, beyond the names of its view.
 *
 *   const bench = await openWorkbench({ settings: { 'kimiChat.baseUrl': simulator.url } });
 *   await bench.openKimi();
 *   await bench.panel.getByRole('textbox').fill('Why is the total wrong?');
 *   await bench.close();
 *
 * Importing this file has mocha close what a test left open, and keep a picture of every workbench when a test fails.
 */
import assert from 'node:assert/strict';
import { glob, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page, Request } from 'playwright-core';
import { launchBrowser } from '../../run/browser.ts';
import { extensionLink } from '../../run/extensionLink.ts';
import { screenshotsPath } from '../../run/places.ts';
import { startServer } from '../../run/server.ts';
import type { BuiltIn, VsCodeServer } from '../../run/server.ts';
import type { VsCodeVersion } from '../../run/versions.ts';
import { copySample, fillWithSample, writeFolder } from '../../run/workspace.ts';
import { insideExtension, startInside } from './inside.ts';
import type { Inside, VsCodeApi } from './inside.ts';
import { areSaved } from './savedEditors.ts';
import { isKnownNoise } from './noise.ts';

export interface WorkbenchOptions {
  /** What the person has in settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A copy of `test/sample` by default; or files by relative path. */
  readonly files?: 'sample' | Readonly<Record<string, string>>;
  /** A file to open at once, relative to the workspace folder, at a line (one-based) when given. */
  readonly open?: { readonly file: string; readonly line?: number };
  readonly theme?: Theme;
  /** Pixels of the whole window; 1280 × 800 by default. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Pixels of a picture for each pixel of the window; 1 by default. */
  readonly scale?: number;
  /** Workspace trust as people have it, with its question at start. Off by default: then everything is trusted. */
  readonly workspaceTrust?: boolean;
  /** Added to the environment of the server, and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** As of `startServer`. */
  readonly preload?: readonly string[];
  /** As of `startServer`, but `plain` by default: who needs a language server says so. */
  readonly builtIn?: BuiltIn;
  readonly version?: VsCodeVersion;
  /** The display language, as in `vscode.env.language`. The workbench itself stays English, as without a language pack. */
  readonly language?: string;
  /** Folder of the tested extension; this repository by default. */
  readonly extension?: string;
}

export type Theme = 'dark' | 'light' | 'highContrastDark' | 'highContrastLight';

export const themes: readonly Theme[] = ['dark', 'light', 'highContrastDark', 'highContrastLight'];

/** Setting, and the class by which the workbench shows that it has arrived. The ids changed their names after 1.106. */
const themeRows: Readonly<
  Record<Theme, { readonly id: Record<VsCodeVersion, string>; readonly mark: string }>
> = {
  dark: { id: { '1.139': 'Dark Modern', '1.106': 'Default Dark Modern' }, mark: 'vs-dark' },
  light: { id: { '1.139': 'Light Modern', '1.106': 'Default Light Modern' }, mark: 'vs' },
  highContrastDark: {
    id: { '1.139': 'Default High Contrast', '1.106': 'Default High Contrast' },
    mark: 'hc-black',
  },
  highContrastLight: {
    id: { '1.139': 'Default High Contrast Light', '1.106': 'Default High Contrast Light' },
    mark: 'hc-light',
  },
};

const extensionId = 'kimi-chat-unofficial.kimi-chat';
const ownFrame = `iframe.webview[src*="extensionId=${extensionId}"]`;
/** VS Code forgets this purpose when it makes the view's page anew, as after the side bar was hidden. */
const sideFrame = `${ownFrame}[src*="purpose=webviewView"]`;
const pageIn = 'iframe#active-frame';
const focusPanelCommand = 'kimiChat.chat.focus';
const startLimit = 60_000;
/** Milliseconds for one step in the quick input. */
const pickLimit = 3000;
/** Milliseconds in which what was pressed is to show its effect, before it is pressed again. */
const patience = { untilGone: 250, untilDone: 1000 };

const opened = new Set<Workbench>();
let sharedBrowser: Promise<Browser> | undefined;

/** Fetches VS Code and a browser first when they are missing. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  sharedBrowser ??= launchBrowser();
  const browser = await sharedBrowser;
  const { version = '1.139', theme = 'dark' } = options;
  // The real path, because VS Code reports documents by it.
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'kimi-chat-e2e-')));
  const folder = path.join(parent, 'corner-shop');
  if (options.files === undefined || options.files === 'sample') await copySample(folder);
  else await writeFolder(folder, options.files);

  const inside = await startInside();
  const settings = {
    'security.workspace.trust.enabled': options.workspaceTrust ?? false,
    'window.autoDetectColorScheme': false,
    'window.autoDetectHighContrast': false,
    'workbench.colorTheme': themeRows[theme].id[version],
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    // No moving parts in pictures.
    'editor.cursorBlinking': 'solid',
    'editor.minimap.enabled': false,
    'workbench.reduceMotion': 'on',
    ...options.settings,
  };
  const server = await startServer({
    version,
    settings,
    builtIn: options.builtIn ?? 'plain',
    install: [insideExtension],
    // An empty gallery, so that no test depends on the internet.
    env: { ...inside.env, EXTENSIONS_GALLERY: '{}', ...options.env },
    ...(options.preload && { preload: options.preload }),
  });
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (options.language !== undefined) {
    // Where a language pack puts the name of its language for the workbench, which hands it on to extensions.
    await context.addInitScript((language) => {
      Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language });
    }, options.language);
  }
  const bench = new Workbench({
    version,
    parent,
    folder,
    inside,
    server,
    context,
    theme,
    settings,
    page: await context.newPage(),
  });
  opened.add(bench);
  const { open } = options;
  await bench.load(
    server.address({
      folder,
      extension: options.extension ?? (await extensionLink()),
      ...(open && {
        file: { path: path.join(folder, open.file), ...(open.line !== undefined && { line: open.line }) },
      }),
    }),
  );
  return bench;
}

interface WorkbenchParts {
  readonly version: VsCodeVersion;
  readonly parent: string;
  readonly folder: string;
  readonly inside: Inside;
  readonly server: VsCodeServer;
  readonly context: BrowserContext;
  readonly theme: Theme;
  readonly page: Page;
  /** What the person had in settings.json at the start. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export class Workbench {
  readonly page: Page;
  /** Absolute path of the workspace folder, by which VS Code reports its documents. */
  readonly folder: string;
  /** The content of the Kimi view, as long as no tab has one too. Locators wait for it, so it can be used before the view is there. */
  readonly panel: FrameLocator;
  /** The same while a tab has one, as long as it is the first page of the view. */
  readonly panelBesideTab: FrameLocator;
  /** The content of the Kimi panel in an editor tab, as long as one alone is to be seen. */
  readonly tab: FrameLocator;
  readonly server: VsCodeServer;
  /** Errors on the page's console, from VS Code and from the panel, without VS Code's usual complaints. */
  readonly consoleErrors: string[] = [];
  /** What VS Code may complain of in this workbench, beside what it does everywhere. */
  readonly allowed: RegExp[] = [];
  /** Addresses that the panel's frames asked for, in order. */
  readonly panelRequests: string[] = [];
  /** Each unexpected end of the extension host. */
  readonly hostCrashes: string[] = [];
  readonly #parts: WorkbenchParts;
  #theme: Theme;

  constructor(parts: WorkbenchParts) {
    this.#parts = parts;
    this.#theme = parts.theme;
    this.page = parts.page;
    this.folder = parts.folder;
    this.server = parts.server;
    this.panel = this.page.frameLocator(ownFrame).frameLocator(pageIn);
    this.panelBesideTab = this.page.frameLocator(sideFrame).frameLocator(pageIn);
    this.tab = this.page.frameLocator(`${ownFrame}:not([src*="purpose=webviewView"])`).frameLocator(pageIn);
    this.page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const text = `${message.text()} (${message.location().url})`;
      if (!isKnownNoise(text) && !this.allowed.some((pattern) => pattern.test(text)))
        this.consoleErrors.push(text);
    });
    this.page.on('request', (request) => {
      if (isPanelFrame(request)) this.panelRequests.push(request.url());
    });
    this.server.onHostCrash((how) => this.hostCrashes.push(how));
    this.page.on('pageerror', (error) => this.consoleErrors.push(error.stack ?? error.message));
    this.page.on('crash', () => this.consoleErrors.push('the page crashed'));
  }

  /**
   * Runs a function in the extension host with VS Code's API and returns what it returns. For reading what is, and for arranging
   * a situation; what a person does, a test does with the page. It travels as text: it sees only its two arguments.
   */
  inside<T, A = undefined>(
    work: (vscode: VsCodeApi, argument: A) => T | Thenable<T>,
    argument?: A,
  ): Promise<T> {
    return this.#parts.inside.run(work, argument);
  }

  /** What is unsaved in files is given up. */
  async #closeEditors(): Promise<void> {
    await this.inside(async (vscode) => {
      for (const document of vscode.workspace.textDocuments) {
        if (!document.isDirty || document.uri.scheme !== 'file') continue;
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  /**
   * Makes it as good as new for other tests over the same sample: no editors, terminals and notifications, the files and settings of the
   * beginning, and that file open.
   */
  async clear(open: WorkbenchOptions['open']): Promise<void> {
    await this.#closeEditors();
    await this.inside(async (vscode) => {
      await vscode.commands.executeCommand('workbench.action.terminal.killAll');
      await vscode.commands.executeCommand('workbench.action.closePanel');
      await vscode.commands.executeCommand('workbench.view.explorer');
      await vscode.commands.executeCommand('notifications.clearAll');
    });
    await fillWithSample(this.folder);
    if (open !== undefined) await this.openFile(open.file, open.line);
  }

  /** Resolves when VS Code hears of new files: of those that are written before its watcher has begun it never does. */
  async watchesFiles(): Promise<void> {
    const mark = 'heardOfProbe';
    await this.inside((vscode, name) => {
      const watcher = vscode.workspace.createFileSystemWatcher('**/.probe-*');
      watcher.onDidCreate(() => {
        Object.assign(globalThis, { [name]: true });
        watcher.dispose();
      });
    }, mark);
    const written: string[] = [];
    await this.waitFor('the files to be watched', async () => {
      const file = path.join(this.folder, `.probe-${written.length}`);
      written.push(file);
      await writeFile(file, '');
      return await this.inside((_vscode, name) => name in globalThis, mark);
    });
    for (const file of written) await rm(file);
  }

  /** Opens the address and waits until the workbench has settled and its extension host answers. */
  async load(address: string): Promise<void> {
    await this.page.goto(address);
    await this.#settled();
  }

  /** Opens the folder in a second window of the same browser, with the Kimi view. From then on `inside` is in that one. */
  async another(): Promise<OtherWindow> {
    this.#parts.inside.forgetHost();
    const page = await this.#parts.context.newPage();
    const consoleErrors: string[] = [];
    page.on('pageerror', (error) => consoleErrors.push(error.stack ?? error.message));
    await page.goto(this.server.address({ folder: this.folder, extension: await extensionLink() }));
    await page.locator('.part.statusbar').waitFor({ timeout: startLimit });
    // A tab that was closed here a moment ago may still be there in what the new window brings back.
    const panel = page.frameLocator(sideFrame).frameLocator(pageIn);
    await this.openKimi(panel);
    return { page, panel, consoleErrors };
  }

  /** Resolves when what stands in the composer is on the disk: it is told and written a moment after the last key. */
  async draftIsKept(text: string): Promise<void> {
    await this.waitFor(`the draft ${JSON.stringify(text)} to be kept`, async () => {
      for await (const file of glob(path.join(this.server.dataFolder, '**/composer/**/draft.json'))) {
        const kept = JSON.parse(await readFile(file, 'utf8')) as { readonly text: string };
        if (kept.text === text) return true;
      }
      return false;
    });
  }

  /** Reloads the window, as a person does who presses the browser's button for it. */
  async reload(): Promise<void> {
    await this.#saveState();
    this.#parts.inside.forgetHost();
    await this.page.reload();
    await this.#settled();
  }

  /** Makes of what a failed test left behind what the next one can begin with: nothing over the panel, no editors, the settings of the beginning. */
  async recover(): Promise<void> {
    for (const _ of Array.from({ length: 3 })) await this.page.keyboard.press('Escape');
    this.consoleErrors.length = 0;
    this.hostCrashes.length = 0;
    const { settings } = this.#parts;
    await this.inside(
      async (vscode, [id, before]) => {
        const all = vscode.workspace.getConfiguration();
        const manifest = vscode.extensions.getExtension(id)?.packageJSON as {
          readonly contributes: { readonly configuration: unknown };
        };
        const groups = [manifest.contributes.configuration].flat() as readonly {
          readonly properties: object;
        }[];
        for (const key of groups.flatMap(({ properties }) => Object.keys(properties)))
          if (all.inspect(key)?.globalValue !== before[key])
            await all.update(key, before[key], vscode.ConfigurationTarget.Global);
        await vscode.commands.executeCommand('notifications.clearAll');
      },
      [extensionId, settings] as const,
    );
    await this.#closeEditors();
    await this.openKimi();
  }

  /** Opens a `.code-workspace` file, relative to the folder, in the place of the folder. */
  async openWorkspaceFile(file: string, extension?: string): Promise<void> {
    this.#parts.inside.forgetHost();
    const workspace = path.join(this.folder, file);
    await this.load(this.server.address({ workspace, extension: extension ?? (await extensionLink()) }));
    const hasFolders = (): Promise<boolean> =>
      this.inside((vscode) => (vscode.workspace.workspaceFolders ?? []).length > 0);
    // On a busy machine VS Code may give up reading the file while it connects, and then has no folders.
    for (let more = 3; more > 0; more--) {
      const came = await this.waitFor('the folders of the workspace', hasFolders, 15_000).then(
        () => true,
        () => false,
      );
      if (came) return;
      await this.reload();
    }
    await this.waitFor('the folders of the workspace', hasFolders);
  }

  /** In the browser, VS Code saves which editors are open whenever its window loses the focus, as it does to press that button. */
  async #saveState(): Promise<void> {
    await this.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    // It writes a few timers later, on a busy machine later than that.
    await this.waitFor('the editors to be saved', async () => {
      await this.page.evaluate(async () => {
        // Either is heeded only after the other; which one was the last is not known here.
        window.dispatchEvent(new FocusEvent('focus'));
        window.dispatchEvent(new FocusEvent('blur'));
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
      });
      // One may open by itself meanwhile.
      const tabs = this.#parts.inside.isConnected ? await this.tabs() : undefined;
      // What only an extension can provide is not opened again.
      const lasting = tabs?.filter(({ uri }) => uri === undefined || /^(?:file|vscode-remote):/.test(uri));
      return lasting === undefined || (await areSaved(lasting, this.page));
    });
  }

  async #settled(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: startLimit });
    await this.page.locator('.part.statusbar').waitFor({ timeout: startLimit });
    await this.#themeArrives();
    assert.equal(await this.inside(() => 'answers'), 'answers');
  }

  /** Shows the Kimi view with the focus in it, and waits for its content. */
  async openKimi(panel = this.panel): Promise<void> {
    await this.inside((vscode, command) => vscode.commands.executeCommand(command), focusPanelCommand);
    await panel.locator('body').waitFor();
  }

  /**
   * Runs a command as a person does, from the palette, by the whole title shown there: `Kimi Chat: New Chat`. When it asks for
   * something in the same place, that has taken the palette's place afterwards.
   */
  async runCommand(title: string): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({
      has: this.page.locator('.label-name', { hasText: new RegExp(`^${escaped(title)}$`) }),
    });
    await this.#pick(`"${title}" to run`, 'F1', async (input) => {
      await input.fill(`>${title}`, { timeout: pickLimit });
      await row.first().click({ timeout: pickLimit });
      // What the command itself asks for may stand there at once.
      await this.waitFor('the palette to close', async () => {
        return (await input.isHidden()) || !(await input.inputValue()).startsWith('>');
      });
    });
  }

  /**
   * The messages in the notification centre, newest first, read and cleared. Where VS Code takes extensions from its address, as it
   * does for tests, it shows none of them as toasts.
   */
  async takeNotifications(): Promise<string[]> {
    const run = (command: string): Promise<void> =>
      this.inside((vscode, id) => vscode.commands.executeCommand(id), command);
    const centre = this.page.locator('.notifications-center.visible');
    // A message that comes just then has it close again.
    await this.waitFor('the notification centre to open', async () => {
      await run('notifications.showList');
      return centre.isVisible();
    });
    const messages = await centre.locator('.notification-list-item-message').allInnerTexts();
    await run('notifications.clearAll');
    return messages;
  }

  /** Waits for a message in the notification centre, which must be the only one, and clears it. */
  async isTold(message: string): Promise<void> {
    // It is seen before all are cleared: one that comes between reading and clearing would be lost.
    await this.sees(message);
    assert.deepEqual(await this.takeNotifications(), [message]);
  }

  /** Waits for a message in the notification centre, which is open afterwards, and returns its row. */
  async sees(message: string): Promise<Locator> {
    const row = this.page
      .locator('.notifications-center.visible .notification-list-item')
      .filter({ hasText: message });
    // A message that comes just then has the centre close again.
    await this.waitFor(`the message ${JSON.stringify(message)}`, async () => {
      await this.inside((vscode) => vscode.commands.executeCommand('notifications.showList'));
      return row.first().isVisible();
    });
    return row;
  }

  /**
   * Presses something that takes no input at first, so that nobody hits by accident what has just come up, as menus do: presses
   * again until `done` holds, by default until it is gone. An effect has its time to show: what it opens is not to be opened twice.
   */
  async press(target: Locator, done?: () => Promise<boolean>): Promise<void> {
    await target.waitFor();
    // It may go in just this moment, as the effect of the press before.
    const act = (): Promise<void> => target.click({ timeout: 1000 }).catch(() => {});
    await this.#until(
      `the effect of pressing ${String(target)}`,
      act,
      done ?? (() => target.isHidden()),
      done,
    );
  }

  /** The same with a key, for whatever has the focus. */
  async pressKey(key: string, done: () => Promise<boolean>): Promise<void> {
    await this.#until(`the effect of ${key}`, () => this.page.keyboard.press(key), done, done);
  }

  async #until(
    what: string,
    act: () => Promise<void>,
    holds: () => Promise<boolean>,
    done: (() => Promise<boolean>) | undefined,
  ): Promise<void> {
    const limit = done === undefined ? patience.untilGone : patience.untilDone;
    await this.waitFor(what, async () => {
      if (await holds()) return true;
      await act();
      return this.waitFor(what, holds, limit).then(
        () => true,
        () => false,
      );
    });
  }

  /** Presses a button of a row that shows it while the pointer is over it; the row may be drawn anew under the pointer. */
  async pressInRow(row: Locator, name: string): Promise<void> {
    await this.waitFor(`${name} to be pressed`, async () => {
      try {
        await row.hover({ timeout: pickLimit });
        await row.getByRole('button', { name, exact: true }).click({ timeout: pickLimit });
        return true;
      } catch {
        return false;
      }
    });
  }

  /** Turns the wheel over something that scrolls until `done` holds, and waits until it has come to rest. */
  async wheel(scroller: Locator, pixels: number, done: () => Promise<boolean>): Promise<void> {
    await scroller.hover();
    // A turn that comes before the page is ready for it is lost.
    await this.#until('the effect of the wheel', () => this.page.mouse.wheel(0, pixels), done, done);
    await scroller.evaluate(async (element) => {
      let [before, still] = [element.scrollTop, 0];
      while (still < 5) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        still = element.scrollTop === before ? still + 1 : 0;
        before = element.scrollTop;
      }
    });
  }

  /**
   * Resolves when keys go to something, or into it. A panel is a page of another process: it keeps them for a moment after something else
   * has got the focus, and gets them a moment after it has got it itself.
   */
  async takesKeys(target: Locator): Promise<void> {
    await this.waitFor(`${String(target)} to take the keys`, async () => {
      const has = await target
        .first()
        .evaluate((element) => element.contains(element.ownerDocument.activeElement), undefined, {
          timeout: pickLimit,
        })
        .catch(() => false);
      if (!has) return false;
      const leaves = await Promise.all(
        target
          .page()
          .frames()
          .map((frame) =>
            frame
              .evaluate(() => document.hasFocus() && document.activeElement?.tagName !== 'IFRAME')
              // It may go away in just this moment.
              .catch(() => false),
          ),
      );
      return leaves.filter(Boolean).length === 1;
    });
  }

  /** Puts a text into VS Code's input box in the place of what stands there, as if it was pasted. */
  async fillBox(text: string): Promise<void> {
    const box = this.page.locator('.quick-input-widget input.input');
    await box.click();
    await this.takesKeys(box);
    await box.fill(text);
  }

  /** Opens a file of the workspace as a person does, by its path, at a line (one-based) when given. */
  async openFile(file: string, line?: number): Promise<void> {
    await this.#pick(`${file} to open`, 'ControlOrMeta+P', async (input) => {
      await input.fill(file, { timeout: pickLimit });
      // The row that is at the top before the search has run is of the recent files.
      await this.page
        .locator('.quick-input-list .monaco-list-row.focused')
        .filter({ hasText: path.posix.basename(file) })
        .waitFor({ timeout: pickLimit });
      if (line !== undefined) await input.pressSequentially(`:${line}`, { timeout: pickLimit });
      await input.press('Enter', { timeout: pickLimit });
    });
    await this.waitFor(`${file} to be the active editor`, async () => (await this.activeFile()) === file);
  }

  /**
   * Opens VS Code's quick input with a key and has `choose` make its choice there. Tries again when that can't finish: VS Code
   * closes the quick input when it moves the focus a moment later, after what was done before, and then keys are lost too.
   */
  async #pick(what: string, key: string, choose: (input: Locator) => Promise<void>): Promise<void> {
    const input = this.page.locator('.quick-input-widget input.input');
    let cause: unknown;
    await this.waitFor(
      what,
      async () => {
        try {
          if (await input.isVisible()) await this.page.keyboard.press('Escape');
          await input.waitFor({ state: 'hidden', timeout: pickLimit });
          await this.page.keyboard.press(key);
          // A panel is a page of another process, and keeps the keys for a moment: a click takes them away from it.
          await input.click({ timeout: pickLimit });
          await choose(input);
          return true;
        } catch (error) {
          cause = error;
          return false;
        }
      },
      30_000,
    ).catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.message : String(error), { cause });
    });
  }

  /** Opens a file and selects whole lines, one-based and inclusive. */
  async selectLines(file: string, from: number, to: number): Promise<void> {
    await this.openFile(file, from);
    await this.page.keyboard.press('Home');
    for (let line = from; line < to; line++) await this.page.keyboard.press('Shift+ArrowDown');
    await this.page.keyboard.press('Shift+End');
    await this.waitFor(`lines ${from} to ${to} to be selected`, async () => {
      const selected = await this.inside((vscode) => {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) return undefined;
        const { start, end } = editor.selection;
        const whole =
          start.character <= editor.document.lineAt(start).firstNonWhitespaceCharacterIndex &&
          end.isEqual(editor.document.lineAt(end).range.end);
        return whole ? [start.line + 1, end.line + 1] : undefined;
      });
      return selected?.[0] === from && selected[1] === to;
    });
  }

  /** Path of the active text editor's document relative to the workspace, with `/`; its whole URI when it is elsewhere. */
  activeFile(): Promise<string | undefined> {
    return this.inside((vscode) => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      return uri && vscode.workspace.asRelativePath(uri, false);
    });
  }

  /** The text of a file as VS Code has it: with unsaved changes when it is open, else from the disk. Undefined when there is none. */
  text(file: string): Promise<string | undefined> {
    return this.inside(
      async (vscode, absolute) => {
        const uri = vscode.Uri.file(absolute);
        const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
        if (open) return open.getText();
        try {
          return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
        } catch {
          return undefined;
        }
      },
      path.join(this.folder, file),
    );
  }

  /** What is on the disk, byte for byte as UTF-8. Undefined when there is no such file. */
  onDisk(file: string): Promise<string | undefined> {
    return readFile(path.join(this.folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  /** All tabs of all groups, in order. */
  tabs(): Promise<TabShown[]> {
    return this.inside((vscode) =>
      vscode.window.tabGroups.all.flatMap((group) =>
        group.tabs.map((tab) => ({
          label: tab.label,
          active: tab.isActive && group.isActive,
          dirty: tab.isDirty,
          ...(tab.input instanceof vscode.TabInputTextDiff && {
            diff: { left: tab.input.original.toString(), right: tab.input.modified.toString() },
          }),
          ...(tab.input instanceof vscode.TabInputText && { uri: tab.input.uri.toString() }),
        })),
      ),
    );
  }

  /** Both sides of the active tab when that is a diff editor, as documents and not as drawn. Undefined while they can't be read. */
  diff(): Promise<DiffShown | undefined> {
    return this.inside(async (vscode) => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      if (!(tab?.input instanceof vscode.TabInputTextDiff)) return undefined;
      const { original, modified } = tab.input;
      try {
        const left = await vscode.workspace.openTextDocument(original);
        const right = await vscode.workspace.openTextDocument(modified);
        return { label: tab.label, left: left.getText(), right: right.getText() };
      } catch {
        return undefined;
      }
    });
  }

  /** The lines an editor draws at the moment, top to bottom: `bench.drawn(bench.page.locator('.modified-in-monaco-diff-editor'))`. */
  drawn(editor: Locator): Promise<string> {
    return editor
      .locator('.view-lines')
      .first()
      .evaluate((lines) => {
        const top = (line: Element): number => Number.parseFloat((line as HTMLElement).style.top);
        return [...lines.querySelectorAll('.view-line')]
          .toSorted((one, other) => top(one) - top(other))
          .map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' '))
          .join('\n');
      });
  }

  /** Changes settings as the settings editor does; undefined takes one back to its default. They must be known to VS Code. */
  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.inside(
      async (vscode, pairs) => {
        const all = vscode.workspace.getConfiguration();
        for (const [key, value] of pairs) await all.update(key, value, vscode.ConfigurationTarget.Global);
      },
      Object.entries(settings).map(([key, value]): [string, unknown] => [key, value]),
    );
  }

  async setTheme(theme: Theme): Promise<void> {
    this.#theme = theme;
    await this.changeSettings({ 'workbench.colorTheme': themeRows[theme].id[this.#parts.version] });
    await this.#themeArrives();
  }

  async #themeArrives(): Promise<void> {
    const { mark } = themeRows[this.#theme];
    await this.page.locator(`.monaco-workbench.${mark}`).waitFor({ timeout: startLimit });
  }

  async setWindowSize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Drags the edge of the secondary side bar, which must be open, until it is this wide. */
  async setPanelWidth(pixels: number): Promise<void> {
    const bar = this.page.locator('.part.auxiliarybar');
    await this.waitFor(`the side bar to be ${pixels} px wide`, async () => {
      const box = await bar.boundingBox();
      if (!box) throw new Error('the secondary side bar is not open');
      const excess = box.width - pixels;
      if (Math.abs(excess) < 1) return true;
      const edge = box.x - 1;
      const middle = box.y + box.height / 2;
      await this.page.mouse.move(edge, middle);
      await this.page.mouse.down();
      await this.page.mouse.move(edge + excess, middle, { steps: 4 });
      await this.page.mouse.up();
      return false;
    });
  }

  /** A picture in `.screenshots/`, or in another folder, of the whole window or one part of it. Returns its path. */
  async screenshot(name: string, part?: Locator, folder = screenshotsPath): Promise<string> {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${name}.png`);
    // No tooltip from where the pointer happens to be.
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    await (part ?? this.page).screenshot({ path: file });
    return file;
  }

  /** Polls something that has no event to wait for. Rejects after `limit` milliseconds with the name of what did not happen. */
  async waitFor(what: string, holds: () => Promise<boolean>, limit = 15_000): Promise<void> {
    const end = Date.now() + limit;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`waited ${limit / 1000} s for ${what}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Fails when anything went wrong that no test asked for: errors on the console, an extension host that crashed. */
  assertNothingWrong(): void {
    assert.deepEqual(
      { consoleErrors: this.consoleErrors, hostCrashes: this.hostCrashes },
      { consoleErrors: [], hostCrashes: [] },
    );
  }

  /** Ends page, server and folder. May be called again. */
  async close(): Promise<void> {
    opened.delete(this);
    await this.#parts.context.close();
    await this.server.stop();
    this.#parts.inside.close();
    await rm(this.#parts.parent, { recursive: true, force: true, maxRetries: 3 });
  }
}

export interface OtherWindow {
  readonly page: Page;
  /** As `panel` of the workbench. */
  readonly panel: FrameLocator;
  /** Errors that nothing in the page took. */
  readonly consoleErrors: readonly string[];
}

export interface TabShown {
  readonly label: string;
  readonly active: boolean;
  readonly dirty: boolean;
  /** URIs, of a diff editor. */
  readonly diff?: { readonly left: string; readonly right: string };
  /** Of a plain text editor. */
  readonly uri?: string;
}

export interface DiffShown {
  readonly label: string;
  readonly left: string;
  readonly right: string;
}

/** Of requests that make a page there may be no frame yet. */
function isPanelFrame(request: Request): boolean {
  try {
    const frame = request.frame();
    return `${frame.url()} ${frame.parentFrame()?.url() ?? ''}`.includes(`extensionId=${extensionId}`);
  } catch {
    return false;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Root hooks: they hold for all files of the run. */
afterEach(async function keepPicture() {
  const test = this.currentTest;
  if (test?.state !== 'failed') return;
  const name = test
    .fullTitle()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 100);
  for (const [index, bench] of [...opened].entries()) {
    const file = await bench
      .screenshot(`failed-${name}${index === 0 ? '' : `-${index}`}`)
      .catch(() => undefined);
    console.log(`    picture: ${file ?? 'none could be taken'}`);
    for (const line of [...bench.hostCrashes, ...bench.consoleErrors]) console.log(`    console: ${line}`);
  }
});

after(async function endEverything() {
  this.timeout(30_000);
  for (const bench of [...opened]) await bench.close();
  await (await sharedBrowser)?.close();
});
