import assert from 'node:assert/strict';

import {
  mostDomains,
  readDomains,
  scopeOf,
  webSearchDeclaration,
} from '../../../src/core/responses/webSearchTool.ts';

describe('responses/webSearchTool', () => {
  it('declares the search with images, and the sites only where there are some', () => {
    assert.equal(
      JSON.stringify(webSearchDeclaration({ domains: [] })),
      '{"type":"web_search","search_content_types":["text","image"]}',
    );
    assert.deepEqual(webSearchDeclaration({ domains: ['docs.python.org'] }).filters, {
      allowed_domains: ['docs.python.org'],
    });
  });

  it('reads domains as people write them, each once', () => {
    assert.deepEqual(
      readDomains([
        'docs.python.org',
        ' Docs.Python.ORG. ',
        'https://developer.mozilla.org/en-US/docs?q=1#top',
        '*.example.com',
        'straße.de',
        'xn--strae-oqa.de',
        '',
        '  ',
      ]),
      {
        domains: ['docs.python.org', 'developer.mozilla.org', 'example.com', 'straße.de', 'xn--strae-oqa.de'],
        unread: [],
      },
    );
  });

  it('takes a single name for a list of one, and nothing for an empty list', () => {
    assert.deepEqual(readDomains('nodejs.org'), { domains: ['nodejs.org'], unread: [] });
    for (const nothing of [undefined, null, []])
      assert.deepEqual(readDomains(nothing), { domains: [], unread: [] });
  });

  for (const wrong of [
    'localhost',
    '127.0.0.1',
    'exa mple.com',
    'example.com:8080',
    '-example.com',
    'example-.com',
    'example..com',
    'user@example.com',
    'https://',
    '*.',
    'a\u202eb.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    7,
    { domain: 'example.com' },
    undefined,
  ]) {
    it(`does not take ${encodeURI(JSON.stringify(wrong) ?? 'undefined').slice(0, 40)} for a domain`, () => {
      const { domains, unread } = readDomains([wrong]);
      assert.deepEqual(domains, []);
      assert.deepEqual(unread, [typeof wrong === 'string' ? wrong : (JSON.stringify(wrong) ?? '')]);
    });
  }

  it('takes as many as the service does, and names the rest', () => {
    const all = Array.from({ length: mostDomains + 2 }, (_, at) => `d${at}.example.com`);
    const { domains, unread } = readDomains(all);
    assert.deepEqual(domains, all.slice(0, mostDomains));
    assert.deepEqual(unread, all.slice(mostDomains));
  });

  it('never searches everywhere when the sites can’t be read', () => {
    assert.equal(scopeOf(readDomains(['nonsense'])), undefined);
    assert.deepEqual(scopeOf(readDomains(['nonsense', 'example.com'])), { domains: ['example.com'] });
    assert.deepEqual(scopeOf(readDomains([])), { domains: [] });
  });
});
