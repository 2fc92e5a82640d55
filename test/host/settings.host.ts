/** Settings as people and folders write them: what counts, what is refused, and what the panel's pickers do. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

import { networkSettings } from '../../src/host/networkSettings.ts';
import { Settings } from '../../src/host/settings.ts';
import { hostileSettings } from '../support/hostileSettings.ts';
import { SettingsOfTest } from './chatStage.ts';

describe('settings', () => {
  let settings: Settings;
  let written: SettingsOfTest;
  beforeEach(() => {
    settings = new Settings();
    written = new SettingsOfTest();
  });
  afterEach(async () => {
    settings.dispose();
    await written.restore();
  });

  it('have defaults', () => {
    assert.equal(settings.baseUrl, 'https://direct.evolink.ai');
    assert.ok(settings.address.ok);
    assert.equal(settings.address.value.responsesUrl, 'https://direct.evolink.ai/v1/responses');
    assert.deepEqual(settings.choice, { model: 'kimi-k3.1-pro', effort: 'high' });
    assert.equal(settings.silenceSeconds, 900);
    assert.deepEqual([settings.patchMode, settings.saveAfterAccept], ['ask', true]);
    assert.deepEqual(settings.webSearch, { on: false, scope: { domains: [] }, unread: [] });
  });

  it('keep the web search to the sites that can be read, and turns to their rounds', async () => {
    await written.set('kimiChat.webSearch', true);
    await written.set('kimiChat.webSearchDomains', ['nodejs.org', 'no site']);
    assert.deepEqual(settings.webSearch, {
      on: true,
      scope: { domains: ['nodejs.org'] },
      unread: ['no site'],
    });
    await written.set('kimiChat.webSearchDomains', ['no site']);
    assert.equal(settings.webSearch.scope, undefined);
    for (const [value, rounds] of [
      [7, 7],
      [50, undefined],
      [100_000, 1_000],
      [0, undefined],
      ['many', undefined],
    ]) {
      await written.set('kimiChat.maxRounds', value);
      assert.equal(settings.choice.maxRounds, rounds, String(value));
    }
  });

  it('are read anew each time, and their changes told', async () => {
    let told = 0;
    settings.onDidChange(() => {
      told += 1;
    });
    await written.set('kimiChat.baseUrl', ' https://gateway.example/kimi/v1/ ');
    await written.set('kimiChat.model', 'kimi-k3');
    await written.set('kimiChat.maxOutputTokens', 4096);
    await written.set('kimiChat.silenceSeconds', 30);
    assert.ok(settings.address.ok);
    assert.equal(settings.address.value.responsesUrl, 'https://gateway.example/kimi/v1/responses');
    assert.equal(settings.choice.model, 'kimi-k3');
    assert.equal(settings.choice.maxOutputTokens, 4096);
    assert.equal(settings.silenceSeconds, 30);
    assert.equal(told, 4);
    await written.set('http.proxy', 'http://127.0.0.1:1');
    assert.equal(told, 5);
    await written.set('editor.tabSize', 7);
    assert.equal(told, 5);
  });

  it('fall back where a value makes no sense', async () => {
    for (const value of [17, null, 'kimi-k9', ['kimi-k3']]) {
      await written.set('kimiChat.model', value);
      assert.equal(settings.model.id, 'kimi-k3.1-pro', JSON.stringify(value));
    }
    for (const value of [17, 'most', []]) {
      await written.set('kimiChat.effort', value);
      assert.ok(settings.model.efforts.includes(settings.effort), JSON.stringify(value));
    }
    for (const value of [0, 1.5, 'many', 1_048_577]) {
      await written.set('kimiChat.maxOutputTokens', value);
      assert.equal(settings.choice.maxOutputTokens, undefined, JSON.stringify(value));
    }
    for (const value of [9, -5, 'long']) {
      await written.set('kimiChat.silenceSeconds', value);
      assert.equal(settings.silenceSeconds, 900, JSON.stringify(value));
    }
    await written.set('kimiChat.reasoning', 'open');
    assert.equal(settings.reasoning, 'open');
    await written.set('kimiChat.reasoning', 'sometimes');
    assert.equal(settings.reasoning, 'whileThinking');
    for (const value of [17, '  ', ['https://gateway.example']]) {
      await written.set('kimiChat.baseUrl', value);
      assert.equal(settings.baseUrl, 'https://direct.evolink.ai', JSON.stringify(value));
    }
  });

  it('keep an address that can’t be used, so that it can be told what is wrong with it', async () => {
    for (const [value, problem] of [
      ['direct.evolink.ai', 'notAUrl'],
      ['http://direct.evolink.ai', 'notHttps'],
      ['https://me@direct.evolink.ai', 'credentials'],
    ] as const) {
      await written.set('kimiChat.baseUrl', value);
      assert.deepEqual(settings.address, { ok: false, error: problem });
      assert.equal(settings.baseUrl, value);
    }
  });

  it('do not wait for longer than a timer can', async () => {
    await written.set('kimiChat.silenceSeconds', 1e9);
    assert.ok(settings.silenceSeconds * 1000 < 2 ** 31);
    assert.ok(settings.silenceSeconds > 24 * 60 * 60);
  });

  it('give the nearest effort that the model has', async () => {
    await written.set('kimiChat.effort', 'low');
    await written.set('kimiChat.model', 'kimi-k3');
    assert.ok(settings.model.efforts.includes(settings.effort));
    await written.set('kimiChat.model', 'kimi-k3.1-pro');
    assert.equal(settings.effort, 'low');
  });

  describe('of a folder', () => {
    const file = (): string => {
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder, 'these tests need an open folder');
      return join(folder.uri.fsPath, '.vscode', 'settings.json');
    };
    let before: string | undefined;
    beforeEach(async () => {
      before = await readFile(file(), 'utf8').catch(() => undefined);
    });
    afterEach(async () => {
      const restored = arrived(undefined);
      if (before === undefined) await rm(dirname(file()), { recursive: true });
      else await writeFile(file(), before);
      await restored;
    });

    it('change nothing: not one of ours, nor where connections go and what they trust', async () => {
      const extension = vscode.extensions.getExtension('kimi-chat-unofficial.kimi-chat');
      assert.ok(extension, 'the extension is not loaded');
      const hostile = hostileSettings(extension.extensionPath, 'hostile.example');
      assert.ok('kimiChat.baseUrl' in hostile && 'http.proxy' in hostile);
      const seen = (): unknown => {
        const readers = Object.entries(Object.getOwnPropertyDescriptors(Settings.prototype)).filter(
          ([, { get }]) => get !== undefined,
        );
        const ours = readers.map(([name]): [string, unknown] => [name, Reflect.get(settings, name)]);
        assert.ok(ours.length > 15, 'too few settings are read');
        return { ...Object.fromEntries(ours), ...networkSettings() };
      };
      const unchanged = seen();
      const here = arrived(7);
      await mkdir(dirname(file()), { recursive: true });
      await writeFile(file(), JSON.stringify({ ...hostile, 'editor.tabSize': 7 }));
      await here;
      assert.deepEqual(seen(), unchanged);
    });
  });

  describe('that the panel’s pickers write', () => {
    beforeEach(() => {
      written.remember('kimiChat.model');
      written.remember('kimiChat.effort');
    });

    it('are the person’s, and hold at once', async () => {
      const saved = settings.setModel('kimi-k3');
      assert.equal(settings.choice.model, 'kimi-k3', 'a question sent now is asked as the panel shows it');
      assert.equal(await saved, true);
      assert.equal(settings.choice.model, 'kimi-k3');
      assert.equal(globalValue('model'), 'kimi-k3');
      await settings.setModel('kimi-k3.1-pro');
      const effort = settings.setEffort('max');
      assert.equal(settings.effort, 'max');
      assert.equal(await effort, true);
      assert.equal(globalValue('effort'), 'max');
      const later = new Settings();
      assert.equal(later.effort, 'max');
      later.dispose();
    });

    it('end as what was picked last, however fast', async () => {
      const picked = ['kimi-k3', 'kimi-k3.1-pro-highspeed', 'kimi-k3.1-pro', 'kimi-k3'] as const;
      const saved = picked.map((id) => settings.setModel(id));
      const seen: string[] = [];
      settings.onDidChange(() => seen.push(settings.model.id));
      assert.deepEqual(await Promise.all(saved), [true, true, true, true]);
      assert.equal(settings.model.id, 'kimi-k3');
      assert.equal(globalValue('model'), 'kimi-k3');
      assert.deepEqual([...new Set(seen)], ['kimi-k3'], 'an older pick showed in between');
    });

    it('hold until the window closes when they can’t be saved, or until they are set by hand', async () => {
      await vscode.commands.executeCommand('workbench.action.openSettingsJson');
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// unsaved\n')));
      assert.ok(editor.document.isDirty);
      try {
        assert.equal(await settings.setModel('kimi-k3'), false);
        assert.equal(settings.choice.model, 'kimi-k3');
        assert.equal(globalValue('model'), undefined);
      } finally {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
      assert.equal(settings.choice.model, 'kimi-k3', 'another setting came back');
      await written.set('kimiChat.model', 'kimi-k3.1-pro-highspeed');
      assert.equal(settings.choice.model, 'kimi-k3.1-pro-highspeed');
    });
  });
});

function globalValue(name: string): unknown {
  return vscode.workspace.getConfiguration('kimiChat').inspect(name)?.globalValue;
}

/** Resolves when the folder's tab size is this: then the folder's settings have been read. */
async function arrived(tabSize: number | undefined): Promise<void> {
  const isHere = (): boolean =>
    vscode.workspace.getConfiguration('editor').inspect('tabSize')?.workspaceValue === tabSize;
  if (isHere()) return;
  await new Promise<void>((resolve) => {
    const listener = vscode.workspace.onDidChangeConfiguration(() => {
      if (!isHere()) return;
      listener.dispose();
      resolve();
    });
  });
}
