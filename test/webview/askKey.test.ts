/** The hint names the keys as the person's own machine has them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { askKey } from '../../src/webview/askKey.ts';

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/146.0.0.0 Electron/40.0.0';

describe('the key that asks about a selection', () => {
  it('is written as on a Mac there, and with Ctrl elsewhere', () => {
    assert.equal(askKey(mac), '⌘K K');
    assert.equal(askKey('Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)'), '⌘K K');
    assert.equal(askKey('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'), 'Ctrl+K K');
    assert.equal(askKey('Mozilla/5.0 (Windows NT 10.0; Win64; x64)'), 'Ctrl+K K');
  });

  it('is the one that the manifest binds', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      contributes: { keybindings: { command: string; key: string; mac: string }[] };
    };
    const bound = manifest.contributes.keybindings.find(
      ({ command }) => command === 'kimiChat.askAboutSelection',
    );
    assert.equal(askKey(mac).replace('⌘', 'cmd+').toLowerCase(), bound?.mac);
    assert.equal(askKey('').toLowerCase(), bound?.key);
  });
});
