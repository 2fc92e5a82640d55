/** What is said of secrets that were found. */
import assert from 'node:assert/strict';

import type { SecretPlace } from '../../src/protocol/toWebview.ts';
import { secretName } from '../../src/webview/approvalText.ts';
import { mayBeSent, moreText, secretsNote, secretsTitle } from '../../src/webview/secretsText.ts';

const place = (...kinds: readonly string[]): SecretPlace => ({
  found: kinds.map((what) => ({ what, line: 1, hint: 'x' })),
});

describe('what is said of secrets in a question', () => {
  it('counts them, those that are not listed too', () => {
    assert.equal(
      secretsTitle({ places: [place('token')], more: 0 }),
      'Something here looks secret. Nothing was sent yet.',
    );
    assert.equal(
      secretsTitle({ places: [place('token', 'jwt'), place('password')], more: 1_200 }),
      '1,203 places here look secret. Nothing was sent yet.',
    );
    assert.equal(moreText(1), 'And 1 more.');
    assert.equal(moreText(1_200), 'And 1,200 more.');
  });

  it('says that the own key is never sent, and offers to send nothing when there is nothing else', () => {
    const both = { places: [place('ownKey'), place('token')], more: 0 };
    const own = { places: [place('ownKey')], more: 0 };
    assert.match(secretsNote(both), /The API key of this chat is masked in any case\.$/);
    assert.doesNotMatch(secretsNote({ places: [place('token')], more: 0 }), /API key/);
    assert.ok(mayBeSent(both));
    assert.equal(mayBeSent(own), false);
    assert.ok(mayBeSent({ ...own, more: 1 }));
  });

  it('names each kind, and whose it is', () => {
    const kinds = [
      'privateKey',
      'token',
      'webhook',
      'jwt',
      'connectionString',
      'password',
      'assignment',
      'ownKey',
    ];
    const names = kinds.map((what) => secretName({ what }));
    assert.equal(new Set(names).size, kinds.length);
    for (const [index, name] of names.entries()) assert.notEqual(name, kinds[index]);
    assert.equal(secretName({ what: 'token', service: 'GitHub' }), 'GitHub\u00a0· Key or token');
    assert.equal(secretName({ what: 'later' }), 'later');
  });
});
