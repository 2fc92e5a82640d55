/** What is read of the service’s web searches and of the sources that an answer cites. */
import assert from 'node:assert/strict';

import { noSearch, readCitation, readCitations, readSearch } from '../../../src/core/responses/webSearch.ts';

describe('responses/webSearch', () => {
  it('reads what the references name', () => {
    assert.deepEqual(
      readSearch({
        type: 'web_search_call',
        status: 'completed',
        action: {
          type: 'search',
          query: ' carts ',
          sources: [
            { type: 'url', url: 'https://a.test/', title: 'A' },
            { type: 'url', url: 'https://b.test/' },
          ],
        },
        results: [
          {
            type: 'image_result',
            image_url: 'https://a.test/i.png',
            source_website_url: 'https://a.test/',
            caption: 'A cart',
          },
        ],
      }),
      {
        action: { kind: 'search', queries: ['carts'] },
        sources: [{ url: 'https://a.test/', title: 'A' }, { url: 'https://b.test/' }],
        images: [{ url: 'https://a.test/i.png', page: 'https://a.test/', caption: 'A cart' }],
      },
    );
  });

  it('reads actions that only some servers have', () => {
    const action = (value: object): object => readSearch({ action: value }).action;
    assert.deepEqual(action({ type: 'search', queries: ['a', 7, 'b'], query: 'a' }), {
      kind: 'search',
      queries: ['a', 'b'],
    });
    assert.deepEqual(action({ type: 'open_page', url: 'https://a.test/' }), {
      kind: 'openPage',
      url: 'https://a.test/',
    });
    assert.deepEqual(action({ type: 'open_page' }), { kind: 'openPage' });
    assert.deepEqual(action({ type: 'find_in_page', pattern: 'x' }), { kind: 'findInPage', pattern: 'x' });
    assert.deepEqual(action({ type: 'find_in_page', pattern: 'x', url: 'https://a.test/' }), {
      kind: 'findInPage',
      pattern: 'x',
      url: 'https://a.test/',
    });
    assert.deepEqual(action({ type: 'find_in_page' }), { kind: 'findInPage', pattern: '' });
    assert.deepEqual(action({ type: 'scroll' }), { kind: 'other', name: 'scroll' });
    assert.deepEqual(action({ type: 7 }), { kind: 'other', name: '' });
  });

  it('leaves out what is missing, of another type or too long, and never fails', () => {
    for (const odd of [undefined, null, 7, 'x', [], [[null]], {}])
      assert.deepEqual(readSearch({ action: odd, results: odd }), noSearch);
    const { sources, images } = readSearch({
      action: {
        sources: [
          'https://plain.test/',
          7,
          null,
          { url: ' ' },
          { url: 'x'.repeat(9000) },
          { url: 'u', title: 1 },
        ],
      },
      results: [7, {}, { source_website_url: 'https://a.test/' }],
    });
    assert.deepEqual(sources, [{ url: 'https://plain.test/' }, { url: 'u' }]);
    assert.deepEqual(images, [{ url: 'https://a.test/', page: 'https://a.test/' }]);
    assert.equal(readSearch({ action: { sources: Array(1000).fill('u') } }).sources.length, 200);
  });

  it('says that a search did not work', () => {
    assert.equal(readSearch({ status: 'failed' }).failed, true);
    assert.equal(readSearch({ status: 'incomplete' }).failed, true);
    assert.equal(readSearch({ status: 'searching' }).failed, undefined);
  });

  it('reads citations of pages, wherever they say that they stand', () => {
    const page = { type: 'url_citation', url: 'https://a.test/', title: 'A' };
    const read = { section: 2, url: 'https://a.test/', title: 'A' };
    const cited = (more: object): unknown => readCitation({ ...page, ...more }, 2);
    assert.deepEqual(cited({ start_index: 3, end_index: 9 }), { ...read, from: 3, to: 9 });
    assert.deepEqual(cited({ start_index: 3 }), { ...read, from: 3, to: 3 });
    assert.deepEqual(cited({ end_index: 9 }), { ...read, from: 0, to: 9 });
    const all = { ...read, from: 0, to: Number.MAX_SAFE_INTEGER };
    for (const odd of [-1, 1.5, '3', null])
      assert.deepEqual(cited({ start_index: odd, end_index: odd }), all);
    for (const odd of [null, 7, {}, { type: 'file_citation' }, { type: 'url_citation' }])
      assert.equal(readCitation(odd, 0), undefined);
    assert.deepEqual(readCitations([page, { type: 'file_path' }], 2), [all]);
    assert.deepEqual(readCitations('none', 2), []);
  });
});
