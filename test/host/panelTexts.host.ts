/** What people and the model get in quotes is cut between characters, and the panel's page may load and send nothing but its own. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';

import { followLive } from '../../src/core/patch/follow.ts';
import { page } from '../../src/host/chat/page.ts';
import { conflictReason } from '../../src/host/edits/proposals/conflictReason.ts';
import { overlap } from '../../src/host/edits/files/sentences.ts';
import { queuedTextLength } from '../../src/protocol/toWebview.ts';
import { ChatStage, testedExtension } from './chatStage.ts';

const family = '👩‍👩‍👧‍👦';
/** With the family across the limit. */
const across = (limit: number): string => `${'x'.repeat(limit - 3)}${family}y`;

describe('a text that is too long for its place', () => {
  it('is cut before an emoji in the list of queued questions', async () => {
    const stage = await ChatStage.open();
    const session = stage.sessions.current;
    stage.queue.add(session, { id: 'q', text: across(queuedTextLength), attachments: [] });
    assert.equal(stage.queue.facts(session).questions[0]?.text, 'x'.repeat(queuedTextLength - 3));
    await stage.close();
  });

  it('is cut before an emoji in the lines that the model is told', () => {
    assert.ok(
      overlap(1, 1, across(1_500)).detail.endsWith(` Present text, cut off: "${'x'.repeat(1_497)}".`),
    );
    const followed = followLive({ origin: 'a\n', proposal: 'b\n', planned: 'b\n' }, `${across(700)}\n`);
    assert.match(
      conflictReason(followed, false)?.detail ?? '',
      /Present text: "x{697}" \(cut off\)\. The patch has there: "b\\n"\.$/,
    );
  });
});

describe('the policy of the panel’s page', () => {
  it('lets it load its own script and style, and send nothing anywhere', () => {
    const webview = {
      cspSource: 'https://own.test',
      asWebviewUri: (uri: vscode.Uri) => uri,
    } as unknown as vscode.Webview;
    const html = page(webview, {
      extensionUri: testedExtension().extensionUri,
      nonce: 'once',
      texts: undefined,
      tab: undefined,
    });
    assert.equal(
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1],
      "default-src 'none'; script-src 'nonce-once' https://own.test; style-src https://own.test; img-src data: blob:; form-action 'none'; base-uri 'none'",
    );
  });
});
