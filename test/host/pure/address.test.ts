import assert from 'node:assert/strict';

import { defaultBaseUrl, defaultFallbackUrl, readAddress, readFallback } from '../../../src/host/address.ts';

describe('readAddress', () => {
  const urlOf = (text: string): string | undefined => {
    const address = readAddress(text);
    return address.ok ? address.value.responsesUrl : undefined;
  };
  const problemOf = (text: string): string | undefined => {
    const address = readAddress(text);
    return address.ok ? undefined : address.error;
  };

  it('makes the request URL from the default', () => {
    assert.equal(urlOf(defaultBaseUrl), 'https://direct.evolink.ai/v1/responses');
  });

  it('takes a trailing slash and a trailing /v1 for what they mean', () => {
    for (const text of ['https://a.example/', 'https://a.example/v1', ' https://a.example/v1/ ']) {
      assert.equal(urlOf(text), 'https://a.example/v1/responses', text);
    }
  });

  it('keeps a path of a gateway', () => {
    assert.equal(urlOf('https://a.example/kimi/v1'), 'https://a.example/kimi/v1/responses');
  });

  it('refuses plain http except on this machine', () => {
    assert.equal(problemOf('http://direct.evolink.ai'), 'notHttps');
    for (const text of [
      'http://127.0.0.1:4010',
      'http://localhost:1',
      'http://[::1]:80',
      'http://127.9.9.9',
    ]) {
      assert.equal(problemOf(text), undefined, text);
    }
  });

  it('is not fooled by names that look like this machine', () => {
    for (const text of [
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'http://127.evil',
    ]) {
      assert.equal(problemOf(text), 'notHttps', text);
    }
  });

  it('reads other spellings of a loopback address as the address they are', () => {
    assert.equal(problemOf('http://2130706433'), undefined);
    assert.equal(problemOf('http://0x7f.1'), undefined);
  });

  it('refuses what makes an address look like another one', () => {
    assert.equal(problemOf('https://direct.evolink.ai@evil.example'), 'credentials');
    assert.equal(problemOf('https://a.example/?x=1'), 'queryOrHash');
    assert.equal(problemOf('https://a.example/#x'), 'queryOrHash');
  });

  it('refuses what is no web address', () => {
    for (const text of ['', 'direct.evolink.ai', 'ftp://a.example', 'file:///etc/passwd']) {
      assert.equal(problemOf(text), 'notAUrl', text);
    }
  });

  it('gives no other address the origin that EvoLink’s key is kept for, however alike it is written', () => {
    const evolink = new URL(defaultBaseUrl).origin;
    const readAs = new Map<string, string>([
      // User info, before and behind signs that readers of addresses disagree about.
      ['https://direct.evolink.ai@evil.example', 'credentials'],
      ['https://direct.evolink.ai:443@evil.example', 'credentials'],
      ['https://direct.evolink.ai%40@evil.example', 'credentials'],
      ['https://:@direct.evolink.ai@evil.example', 'credentials'],
      ['https://evil.example\\@direct.evolink.ai', 'https://evil.example'],
      ['https://evil.example/@direct.evolink.ai', 'https://evil.example'],
      ['https://evil.example#@direct.evolink.ai', 'queryOrHash'],
      ['https://evil.example?direct.evolink.ai', 'queryOrHash'],
      // Longer and shorter names.
      ['https://direct.evolink.ai.evil.example', 'https://direct.evolink.ai.evil.example'],
      ['https://direct.evolink.ai%2eevil.example', 'https://direct.evolink.ai.evil.example'],
      ['https://direct.evolink.ai。evil.example', 'https://direct.evolink.ai.evil.example'],
      ['https://direct.evolink.ai.', 'https://direct.evolink.ai.'],
      ['https://evil-direct.evolink.ai', 'https://evil-direct.evolink.ai'],
      ['https://evolink.ai', 'https://evolink.ai'],
      ['https://direct.evolink.ai%00.evil.example', 'notAUrl'],
      ['https://direct.evolink.ai .evil.example', 'notAUrl'],
      // Letters that look the same: they are told apart by the name that is asked for.
      ['https://direct.evol\u0456nk.ai', 'https://direct.xn--evolnk-svf.ai'],
      ['https://direct.evol\u0131nk.ai', 'https://direct.xn--evolnk-s9a.ai'],
      // Ports and schemes.
      ['https://direct.evolink.ai:80', 'https://direct.evolink.ai:80'],
      ['https://direct.evolink.ai:8443', 'https://direct.evolink.ai:8443'],
      ['http://direct.evolink.ai', 'notHttps'],
      ['http://direct.evolink.ai:443', 'notHttps'],
      ['ws://direct.evolink.ai', 'notAUrl'],
      ['file://direct.evolink.ai', 'notAUrl'],
      ['javascript://direct.evolink.ai/%0aalert(1)', 'notAUrl'],
      // This machine under names that are not its own.
      ['http://0.0.0.0', 'notHttps'],
      ['http://[::]', 'notHttps'],
      ['http://[::ffff:127.0.0.1]', 'notHttps'],
      ['http://localhost.', 'notHttps'],
      ['http://127.0.0.1.nip.example', 'notHttps'],
    ]);
    for (const [text, expected] of readAs) {
      const address = readAddress(text);
      assert.equal(address.ok ? address.value.origin : address.error, expected, text);
      assert.notEqual(expected, evolink);
    }
    // What only looks another way, and is its own address.
    for (const text of [
      'HTTPS://Direct.EvoLink.ai:443/',
      'https://\uff44irect.evolink.ai',
      'https:direct.evolink.ai',
    ]) {
      const address = readAddress(text);
      assert.equal(address.ok && address.value.origin, evolink, text);
    }
  });

  it('tells origins apart by scheme, host and port', () => {
    const origins = [
      'https://a.example',
      'https://a.example:8443',
      'http://127.0.0.1:1',
      'http://127.0.0.1:2',
    ].map((text) => {
      const address = readAddress(text);
      assert.ok(address.ok);
      return address.value.origin;
    });
    assert.equal(new Set(origins).size, origins.length);
  });

  it('knows EvoLink’s own addresses, and takes none that only looks like one', () => {
    const own = [
      defaultBaseUrl,
      'https://api.evolink.ai/v1',
      'https://EVOLINK.ai',
      'https://direct.evolink.ai:8443',
    ];
    const others = [
      'https://gateway.company.example/evolink.ai',
      'https://direct.evolink.ai.company.example',
      'https://notevolink.ai',
      'https://direct-evolink.ai',
      'https://evolink.ai.',
      'http://127.0.0.1:8080',
    ];
    const taken = [...own, ...others].filter((text) => {
      const address = readAddress(text);
      assert.ok(address.ok, text);
      return address.value.evolink;
    });
    assert.deepEqual(taken, own);
  });
});

describe('readFallback', () => {
  const from = (baseUrl: string, fallbackUrl = defaultFallbackUrl): string | undefined => {
    const address = readAddress(baseUrl);
    assert.ok(address.ok);
    return readFallback(address.value, fallbackUrl)?.responsesUrl;
  };

  it('is EvoLink’s other address, for EvoLink’s own', () => {
    assert.equal(from(defaultBaseUrl), 'https://api.evolink.ai/v1/responses');
    assert.equal(from('https://api.evolink.ai', defaultBaseUrl), 'https://direct.evolink.ai/v1/responses');
  });

  it('is none for the address itself, and none when there is none', () => {
    assert.equal(from('https://api.evolink.ai'), undefined);
    assert.equal(from(defaultBaseUrl, ''), undefined);
    assert.equal(from(defaultBaseUrl, 'nonsense'), undefined);
  });

  it('never leads from or to anybody else’s address, however alike it looks', () => {
    for (const other of [
      'https://evolink.ai.example',
      'https://xevolink.ai',
      'https://api.evolink.ai:8443',
      'https://a.b.evolink.ai',
      'https://api.evolink.ai.',
      'https://api.evolínk.ai',
      'http://127.0.0.1:8080',
      'https://127.0.0.1',
    ]) {
      assert.equal(from(defaultBaseUrl, other), undefined, other);
      assert.equal(from(other), undefined, other);
    }
  });
});
