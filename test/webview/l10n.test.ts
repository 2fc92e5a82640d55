/** Texts of the panel in the person's language. */
import assert from 'node:assert/strict';
import { l10n, readBundle } from '../../src/webview/l10n.ts';

describe('texts of the panel', () => {
  afterEach(() => l10n.use({}, 'en'));

  it('fills in values, also in another order and more than once', () => {
    l10n.use({ '{0} of {1}': '{1} 中的 {0}，共 {1}' }, 'zh-cn');
    assert.equal(l10n.t('{0} of {1}', 2, 5), '5 中的 2，共 5');
  });

  it('falls back to English where a translation is missing', () => {
    assert.equal(l10n.t('Stop'), 'Stop');
    assert.equal(l10n.t('{0} files', 3), '3 files');
  });

  it('does not fill values into values', () => {
    assert.equal(l10n.t('{0} and {1}', '{1}', 'x'), '{1} and x');
    assert.equal(l10n.t('{0} and {1}', 'only'), 'only and {1}');
  });

  it('reads the bundle from the page, and survives a bad one', () => {
    assert.deepEqual(readBundle('{"Stop":"停止","n":1}'), { Stop: '停止' });
    for (const bad of [undefined, null, '', '{', '[1]', 'null', '"x"']) assert.deepEqual(readBundle(bad), {});
  });
});
