/** Texts of the panel in the person's language. */
import assert from 'node:assert/strict';
import { l10n, pieces, readBundle } from '../../src/webview/l10n.ts';

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

  it('puts elements where the language has them', () => {
    assert.deepEqual(pieces('Press {0} to ask.', 1), ['Press ', 1, ' to ask.']);
    assert.deepEqual(pieces('{1}, {0}', 1, 2), [2, ', ', 1]);
    assert.deepEqual(pieces('{0} and {2}', 1), [1, ' and ', '{2}']);
    assert.deepEqual(pieces('', 1), []);
  });

  it('puts no blank between sentences where the language has none', () => {
    assert.equal(l10n.flow('One.', 'Two.'), 'One. Two.');
    l10n.use({}, 'ko');
    assert.equal(l10n.flow('하나.', '둘.'), '하나. 둘.');
    l10n.use({}, 'zh-cn');
    assert.equal(l10n.flow('一。', '二。'), '一。二。');
  });

  it('reads the bundle from the page, and survives a bad one', () => {
    assert.deepEqual(readBundle('{"Stop":"停止","n":1}'), { Stop: '停止' });
    for (const bad of [undefined, null, '', '{', '[1]', 'null', '"x"']) assert.deepEqual(readBundle(bad), {});
  });
});
