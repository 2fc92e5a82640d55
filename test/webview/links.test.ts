/** Where a link leads must be readable, and only harmless schemes may be opened. */
import assert from 'node:assert/strict';
import { decodePunycode, imageHost, linkTarget } from '../../src/webview/markdown/links.ts';

describe('links', () => {
  const opens = (href: string, label: string): unknown => {
    const target = linkTarget(href, label);
    return target.kind === 'open' ? [target.href, target.shown] : target.kind;
  };

  it('opens addresses of the web and of mail', () => {
    assert.deepEqual(opens('https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'), [
      'https://example.com/a?b=c#d',
      undefined,
    ]);
    assert.deepEqual(opens('http://example.com', 'example.com'), ['http://example.com/', undefined]);
    assert.deepEqual(opens('mailto:me@example.com', 'me@example.com'), ['mailto:me@example.com', undefined]);
  });

  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vscode://x/y',
    'command:workbench.action.quit',
    'vscode-webview://x',
    'src/cart.ts',
    '#top',
    '//example.com/x',
    'https:example.com',
    'http://',
    'https://[bad',
    'mailto:',
    '',
  ]) {
    it(`leaves ${JSON.stringify(href)} as text`, () => assert.equal(opens(href, 'label'), 'text'));
  }

  it('shows the host when the text says something else', () => {
    assert.deepEqual(opens('https://evil.example/x', 'the docs'), ['https://evil.example/x', 'evil.example']);
    assert.deepEqual(opens('https://evil.example/x', 'https://good.example/x'), [
      'https://evil.example/x',
      'evil.example',
    ]);
    assert.deepEqual(opens('https://example.com:8443/', 'docs'), [
      'https://example.com:8443/',
      'example.com:8443',
    ]);
    assert.deepEqual(opens('mailto:evil@example.com', 'me@example.com'), [
      'mailto:evil@example.com',
      'evil@example.com',
    ]);
  });

  it('shows the true host where the address itself misleads', () => {
    const trick = 'https://good.example@evil.example/';
    assert.deepEqual(opens(trick, trick), [trick, 'evil.example']);
    // Cyrillic letters that look like Latin ones.
    assert.deepEqual(opens('https://аpple.com/', 'https://аpple.com/'), [
      'https://xn--pple-43d.com/',
      'xn--pple-43d.com, аpple.com',
    ]);
    const reversed = 'https://example.com/\u202egnp.exe';
    assert.deepEqual(opens(reversed, reversed)?.[1 as never], 'example.com');
  });

  it('tells a text that names another host from one that names none', () => {
    const misleads = (href: string, label: string): string | undefined => {
      const target = linkTarget(href, label);
      assert.ok(target.kind === 'open');
      return target.misleads;
    };
    assert.equal(misleads('https://evil.test/', 'https://example.com/login'), 'example.com');
    assert.equal(misleads('https://evil.test/', 'sign in at www.example.com'), 'www.example.com');
    assert.equal(misleads('https://example.com@evil.test/', 'sign in'), 'example.com');
    assert.equal(misleads('https://xn--pple-43d.com/', 'apple.com'), 'apple.com');
    assert.equal(misleads('https://example.com.evil.test/', 'example.com'), 'example.com');
    for (const [href, label] of [
      ['https://docs.example.com/a', 'example.com'],
      ['https://example.com/a', 'www.example.com'],
      ['https://nodejs.org/', 'Node.js'],
      ['https://github.com/a/b', 'README.md and src/main.rs'],
      ['https://example.com/', 'the documentation'],
    ] as const) {
      assert.equal(misleads(href, label), undefined, label);
    }
  });

  it('reads a text as a person does, and tells whom else a letter goes to', () => {
    const says = (label: string, href = 'https://evil.example'): string | undefined => {
      const target = linkTarget(href, label);
      return target.kind === 'open' ? target.misleads : undefined;
    };
    for (const label of ['good\uff0ecom', 'good\u3002com', 'g\u200bood.com', 'go\u00adod.com'])
      assert.equal(says(label), 'good.com', JSON.stringify(label));
    assert.equal(says('http://localhost:3000'), 'localhost');
    assert.equal(says('https://192.168.0.1/a'), '192.168.0.1');
    assert.equal(says('http://[::1]/'), '[::1]');
    assert.equal(says('see http://127.0.0.1/', 'http://127.0.0.1/a'), undefined);
    assert.deepEqual(opens('mailto:a@b.c?cc=x@evil.example', 'a@b.c'), [
      'mailto:a@b.c?cc=x@evil.example',
      'a@b.c?cc=x@evil.example',
    ]);
  });

  it('reads host names in other scripts', () => {
    for (const name of ['пример', 'bücher', '例', '中国互联网络信息中心', 'ñandú']) {
      const [host = ''] = new URL(`https://${name}.test`).host.split('.');
      assert.equal(decodePunycode(host.slice(4)), name);
    }
    for (const bad of ['!', 'a!b', '99999999999999']) assert.equal(decodePunycode(bad), undefined);
  });

  it('names the host an image would have come from', () => {
    assert.equal(imageHost('https://evil.example/x.png?d=secret'), 'evil.example');
    assert.equal(imageHost('x.png'), undefined);
    assert.equal(imageHost('data:image/png;base64,AAAA'), undefined);
  });
});
