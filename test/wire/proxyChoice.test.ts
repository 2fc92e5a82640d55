import assert from 'node:assert/strict';

import { proxyFor, type ProxySettings } from '../../src/host/proxyChoice.ts';

const none: ProxySettings = { proxySupport: true, proxy: '', noProxy: [], environment: {} };

function choose(target: string, settings: Partial<ProxySettings>): string | undefined {
  return proxyFor(new URL(target), { ...none, ...settings })?.href;
}

describe('wire: the choice of a proxy', () => {
  it('is none when none is set', () => {
    assert.equal(choose('https://a.test', {}), undefined);
    assert.equal(choose('https://a.test', { proxy: '  ' }), undefined);
  });

  it('is the editor’s, then the environment’s', () => {
    const environment = {
      HTTPS_PROXY: 'http://env:1',
      HTTP_PROXY: 'http://plain:1',
      ALL_PROXY: 'http://all:1',
    };
    assert.equal(choose('https://a.test', { proxy: 'http://own:1', environment }), 'http://own:1/');
    assert.equal(choose('https://a.test', { environment }), 'http://env:1/');
    assert.equal(choose('http://a.test', { environment }), 'http://plain:1/');
    assert.equal(choose('https://a.test', { environment: { ALL_PROXY: 'http://all:1' } }), 'http://all:1/');
    assert.equal(
      choose('https://a.test', { environment: { https_proxy: 'http://lower:1', ...environment } }),
      'http://lower:1/',
    );
  });

  it('may be given without a scheme', () => {
    assert.equal(choose('https://a.test', { proxy: 'own:3128' }), 'http://own:3128/');
    assert.equal(choose('https://a.test', { proxy: 'https://own:3128' }), 'https://own:3128/');
  });

  it('is refused when it is of another kind', () => {
    for (const proxy of ['socks5://own:1080', 'http://', 'own:999999']) {
      assert.throws(() => choose('https://a.test', { proxy }), { code: 'EPROXYADDRESS' });
    }
  });

  it('is none when proxies are switched off, and always none for this machine', () => {
    const settings = { proxy: 'http://own:1', environment: { HTTPS_PROXY: 'http://env:1' } };
    assert.equal(choose('https://a.test', { ...settings, proxySupport: false }), undefined);
    for (const target of [
      'http://localhost:9',
      'https://127.0.0.1',
      'http://127.8.9.10:1',
      'http://[::1]:1',
    ]) {
      assert.equal(choose(target, settings), undefined, target);
    }
  });

  it('is none for hosts that are excepted', () => {
    const through = (target: string, ...noProxy: string[]): boolean =>
      choose(target, { proxy: 'http://own:1', noProxy }) !== undefined;
    assert.equal(through('https://a.test', '*'), false);
    assert.equal(through('https://a.test', 'a.test'), false);
    assert.equal(through('https://A.test', 'a.TEST'), false);
    assert.equal(through('https://b.a.test', 'a.test'), false);
    assert.equal(through('https://b.a.test', '.a.test'), false);
    assert.equal(through('https://b.a.test', '*.a.test'), false);
    assert.equal(through('https://xa.test', 'a.test'), true);
    assert.equal(through('https://a.test.evil', 'a.test'), true);
    assert.equal(through('https://a.test', ''), true);
    assert.equal(through('https://a.test', 'a.test:443'), false);
    assert.equal(through('http://a.test', 'a.test:80'), false);
    assert.equal(through('https://a.test:8443', 'a.test:443'), true);
    assert.equal(through('https://10.1.2.3', '10.1.2.3'), false);
    assert.equal(through('https://[2001:db8::1]', '2001:db8::1'), false);
    assert.equal(through('https://[2001:db8::1]:8443', '[2001:db8::1]:8443'), false);
    assert.equal(through('https://[2001:db8::1]', '[2001:db8::2]'), true);
  });

  it('is none for hosts that the environment excepts', () => {
    const environment = { NO_PROXY: 'x.test, a.test  y.test' };
    assert.equal(choose('https://a.test', { proxy: 'http://own:1', environment }), undefined);
    assert.equal(choose('https://b.test', { proxy: 'http://own:1', environment }), 'http://own:1/');
  });
});
