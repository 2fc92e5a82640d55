/** The extension is there and activates, in the VS Code these tests were meant for. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('activates without an error', async () => {
    const extension = vscode.extensions.getExtension('kimi-chat-unofficial.kimi-chat');
    assert.ok(extension, 'the extension is not loaded');
    await extension.activate();
    assert.equal(extension.isActive, true);
    assert.equal(extension.exports, undefined, 'other extensions get nothing of it');
  });

  it('runs in the version of VS Code the launcher started', () => {
    const expected = process.env['KIMI_CHAT_TEST_VSCODE'];
    if (expected === undefined) assert.match(vscode.version, /^\d+\.\d+\.\d+/);
    else assert.equal(vscode.version, expected);
  });
});
