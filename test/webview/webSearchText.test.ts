import assert from 'node:assert/strict';

import type { ContextFacts } from '../../src/core/cost/facts.ts';
import type { WebSearchFacts } from '../../src/protocol/toWebview.ts';
import { webSearchHint, webSearchTitle } from '../../src/webview/webSearchText.ts';

const context = { used: 12_345 } as ContextFacts;
const hintOf = (webSearch: WebSearchFacts, used?: ContextFacts): string | undefined =>
  webSearchHint({ webSearch, ...(used !== undefined && { context: used }) })?.text;

describe('what is said of web search', () => {
  it('is the state, and the sites that it is kept to', () => {
    assert.match(webSearchTitle({ on: true }), /^Web search is on .*paid for as input\.$/);
    assert.equal(webSearchTitle({ on: false }), 'Web search is off in this conversation.');
    const sites = (domainCount?: number): string | undefined =>
      webSearchTitle({
        on: true,
        domains: ['a.example', 'b\u202e.example'],
        ...(domainCount !== undefined && { domainCount }),
      }).split('\n')[1];
    assert.equal(sites(2), 'Only on a.example, b‹U+202E›.example.');
    assert.equal(sites(), sites(2));
    assert.equal(sites(3), 'Only on a.example, b‹U+202E›.example and 1 other site.');
    assert.equal(sites(9), 'Only on a.example, b‹U+202E›.example and 7 other sites.');
    assert.equal(webSearchTitle({ on: true, unusable: true }).split('\n').length, 1);
  });

  it('is what turning it over does to the cache, and nothing in a new conversation', () => {
    assert.equal(hintOf({ on: true }), undefined);
    assert.equal(webSearchHint({}), undefined);
    assert.equal(hintOf({ on: false, differs: true }), 'Web search is off from the next question.');
    assert.equal(
      hintOf({ on: true, differs: true }, context),
      'Web search is on from the next question. It loses the cache: about 12.3k tokens of this conversation are read anew.',
    );
  });

  it('is that it does not search, or not everywhere where it was meant to', () => {
    assert.deepEqual(webSearchHint({ webSearch: { on: true, unread: 2, unusable: true, differs: true } }), {
      text: 'The web is not searched: none of the sites in the settings can be read.',
      sites: true,
    });
    assert.match(hintOf({ on: true, unread: 1 }) ?? '', /^1 of the sites .* is left out\.$/);
    assert.match(hintOf({ on: true, unread: 2 }) ?? '', /^2 of the sites .* are left out\.$/);
    assert.equal(hintOf({ on: false, unread: 2, unusable: true }), undefined);
  });
});
