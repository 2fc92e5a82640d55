/** Every way of ending early has one plain sentence and one button that helps. */
import assert from 'node:assert/strict';
import type { Failure, FailureKind } from '../../src/core/conversation/conversation.ts';
import { endHelp, failureHelp, type CutOff, type HelpAction } from '../../src/webview/failureText.ts';

/** One of each kind; the compiler asks for a new entry when a kind is added. */
const each: { readonly [Kind in FailureKind]: Extract<Failure, { kind: Kind }> } = {
  noKey: { kind: 'noKey' },
  badKey: { kind: 'badKey', message: 'invalid api key' },
  forbidden: { kind: 'forbidden', message: 'not allowed' },
  modelUnknown: { kind: 'modelUnknown', message: 'no such model' },
  outOfQuota: { kind: 'outOfQuota', message: 'balance' },
  rateLimited: { kind: 'rateLimited', message: 'slow down', retryAfter: 12_000 },
  overloaded: { kind: 'overloaded', message: 'busy', status: 503 },
  contextTooLong: { kind: 'contextTooLong', message: 'too long' },
  contentFilter: { kind: 'contentFilter', message: 'filtered' },
  noWebSearch: { kind: 'noWebSearch', message: 'no such tool' },
  refused: { kind: 'refused', message: 'bad field', status: 400 },
  serverError: { kind: 'serverError', message: '', status: 500 },
  network: { kind: 'network', code: 'ECONNREFUSED', message: 'connect', sent: false },
  silence: { kind: 'silence', seconds: 90 },
  brokenStream: { kind: 'brokenStream', detail: 'no terminal event' },
  unchanged: { kind: 'unchanged', message: 'bad field' },
  spendingLimit: { kind: 'spendingLimit', scope: 'day', limit: 5, spent: 4.98, expected: 0.031 },
  tooManyRounds: { kind: 'tooManyRounds', rounds: 50 },
  bug: { kind: 'bug', detail: 'TypeError: x' },
};

const expected: { readonly [Kind in FailureKind]: HelpAction['kind'] } = {
  noKey: 'setKey',
  badKey: 'setKey',
  forbidden: 'setKey',
  modelUnknown: 'chooseModel',
  outOfQuota: 'openLink',
  rateLimited: 'resume',
  overloaded: 'resume',
  contextTooLong: 'makeRoom',
  contentFilter: 'editQuestion',
  noWebSearch: 'withoutWebSearch',
  refused: 'openLog',
  serverError: 'resume',
  network: 'resume',
  silence: 'resume',
  brokenStream: 'resume',
  unchanged: 'editQuestion',
  spendingLimit: 'openSettings',
  tooManyRounds: 'resume',
  bug: 'resume',
};

const evolink = { origin: 'https://direct.evolink.ai', evolink: true };
const gateway = { origin: 'https://gateway.company.example', evolink: false };
const nothingCame = { words: 0, service: evolink };

describe('failures in words', () => {
  for (const failure of Object.values(each)) {
    it(`tells ${failure.kind} plainly and offers what helps`, () => {
      const help = failureHelp(failure, nothingCame);
      assert.match(help.text, /^[A-Z].*[.?]$/);
      assert.doesNotMatch(help.text, /!|oops|sorry|error/i);
      assert.ok(help.text.length < 160);
      assert.equal(help.button.action.kind, expected[failure.kind]);
      assert.match(help.button.label, /^[A-Z]/);
      const actions = [help.button.action.kind, help.also?.action.kind];
      // Whatever leaves the panel leads back: afterwards the question can be asked again without typing it anew.
      if (['setKey', 'openLink', 'chooseModel', 'openLog', 'makeRoom'].includes(help.button.action.kind)) {
        assert.ok(actions.includes('resume'));
      }
    });
  }

  it('leads to where credit is added, on EvoLink’s own pages', () => {
    const { button, also } = failureHelp(each.outOfQuota, nothingCame);
    assert.equal(button.label, 'Open EvoLink dashboard');
    assert.equal(button.action.kind === 'openLink' && new URL(button.action.href).host, 'evolink.ai');
    assert.equal(also?.action.kind, 'resume');
  });

  it('sends nobody to EvoLink for what another service said', () => {
    for (const service of [gateway, undefined]) {
      for (const failure of Object.values(each)) {
        const help = failureHelp(failure, { words: 0, service });
        assert.doesNotMatch(JSON.stringify(help), /evolink/i, failure.kind);
      }
      const { text, button, also } = failureHelp(each.outOfQuota, { words: 0, service });
      assert.equal(text, 'The account has no credit left. Your question is kept.');
      assert.deepEqual([button.action.kind, also?.action.kind], ['resume', 'setKey']);
    }
  });

  it('says how much came before the connection was lost', () => {
    assert.equal(
      failureHelp(each.brokenStream, { words: 2310 }).text,
      'The connection was lost after 2,310 words. They are kept until you try again. Asking again may be billed a second time.',
    );
    assert.equal(
      failureHelp(each.brokenStream, nothingCame).text,
      'The connection was lost before an answer came. Asking again may be billed a second time.',
    );
    assert.match(
      failureHelp(each.silence, { words: 5 }).text,
      /^Nothing came for 1\u00a0min\u00a030\u00a0s, .* kept/,
    );
  });

  it('names the cause of a network failure in words', () => {
    const say = (code: string, sent = false): string =>
      failureHelp({ kind: 'network', code, message: 'm', sent }, nothingCame).text;
    const cases: [string, RegExp][] = [
      ['ECONNREFUSED', /refused/],
      ['ENOTFOUND', /not found.*online/],
      ['EAI_AGAIN', /not found.*online/],
      ['UND_ERR_CONNECT_TIMEOUT', /in time/],
      ['ETIMEDOUT', /in time/],
      ['ECONNRESET', /cut/],
      ['UND_ERR_SOCKET', /cut/],
      ['ENETUNREACH', /no way/],
      ['SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate/],
      ['CERT_HAS_EXPIRED', /certificate is not valid at present.*clock/],
      ['CERT_NOT_YET_VALID', /certificate is not valid at present.*clock/],
      ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate .* for another address/],
      ['EPROTO', /No secure connection/],
      ['ERR_SSL_WRONG_VERSION_NUMBER', /No secure connection/],
      ['UND_ERR_ABORTED_TUNNEL', /proxy/],
      ['EPROXY', /The proxy did not let/],
      ['EPROXYADDRESS', /The proxy in the settings is not/],
      ['EPROXYAUTH', /The proxy wants a user name and a password/],
      ['HPE_INVALID_CONSTANT', /answered .* not in HTTP/],
      ['HTTPParserError', /answered .* not in HTTP/],
      ['EENCODING', /encoding/],
      ['EADDRESS', /base URL in the settings/],
      ['SOMETHING_NEW', /could not be reached/],
      ['', /could not be reached/],
    ];
    for (const [code, words] of cases) assert.match(say(code), words, code);
    assert.match(
      say('ECONNRESET', true),
      /may have reached the service\. Asking again may be billed a second time\.$/,
    );
    assert.doesNotMatch(say('ECONNREFUSED'), /may have reached/);
  });

  it('names whose certificate was not trusted, when that is known', () => {
    const failure = {
      kind: 'network',
      code: 'SELF_SIGNED_CERT_IN_CHAIN',
      message: 'm',
      sent: false,
    } as const;
    assert.equal(
      failureHelp({ ...failure, issuer: 'Company Root, Company' }, nothingCame).text,
      'The service’s certificate, issued by Company Root, Company, could not be verified. If that is your company’s, the system must know its certificate. Reload the window once it does.',
    );
    assert.doesNotMatch(failureHelp(failure, nothingCame).text, /issued/);
    // What does not help is not advised.
    for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']) {
      const { text } = failureHelp({ ...failure, code, issuer: 'Some CA' }, nothingCame);
      assert.match(text, /issued by Some CA/);
      assert.doesNotMatch(text, /company/);
    }
    assert.doesNotMatch(
      failureHelp({ ...failure, code: 'ECONNRESET', issuer: 'Some CA' }, nothingCame).text,
      /Some CA/,
    );
  });

  it('does not lay at the service’s door what failed at a proxy', () => {
    const failure = { kind: 'network', message: 'm', sent: false, proxy: 'proxy.company:3128' } as const;
    const cases: [string, RegExp][] = [
      ['ECONNREFUSED', /^The proxy proxy\.company:3128 refused/],
      ['ENOTFOUND', /^The proxy proxy\.company:3128 was not found/],
      ['ETIMEDOUT', /^The proxy proxy\.company:3128 did not answer/],
      ['ECONNRESET', /^The proxy proxy\.company:3128 closed/],
      ['ENETUNREACH', /no way to the proxy proxy\.company:3128/],
      ['SELF_SIGNED_CERT_IN_CHAIN', /certificate of the proxy proxy\.company:3128/],
      ['EPROTO', /secure connection to the proxy proxy\.company:3128/],
      ['EPROXYAUTH', /^The proxy proxy\.company:3128 wants a user name/],
      ['EPROXY', /^The proxy proxy\.company:3128 did not let/],
    ];
    for (const [code, words] of cases) {
      const { text, button, also } = failureHelp({ ...failure, code }, nothingCame);
      assert.match(text, words);
      assert.doesNotMatch(text, /service/);
      const settings = [button, also].flatMap((each) =>
        each?.action.kind === 'openSettings' ? each.action.setting : [],
      );
      assert.deepEqual(settings, ['http.proxy'], code);
    }
  });

  it('offers to make room only where there is something to leave out', () => {
    const alone = failureHelp(each.contextTooLong, { words: 0, alone: true });
    assert.deepEqual([alone.button.action.kind, alone.also], ['editWithout', undefined]);
    const later = failureHelp(each.contextTooLong, nothingCame);
    assert.deepEqual([later.button.action.kind, later.also?.action.kind], ['makeRoom', 'resume']);
  });

  it('says what an amount beyond the limits is made of', () => {
    assert.equal(
      failureHelp(each.spendingLimit, nothingCame).text,
      'Not sent: your limit for a day is $5.00. $4.98 is spent, and this takes about $0.031.',
    );
  });

  it('offers the settings that help, where any do', () => {
    const actions = (code: string): unknown => {
      const { button, also } = failureHelp({ kind: 'network', code, message: 'm', sent: false }, nothingCame);
      return [button, ...(also === undefined ? [] : [also])].map(({ action }) =>
        action.kind === 'openSettings' ? action.setting : action.kind,
      );
    };
    assert.deepEqual(actions('SELF_SIGNED_CERT_IN_CHAIN'), ['resume', 'http.']);
    assert.deepEqual(actions('EPROTO'), ['resume', 'http.']);
    assert.deepEqual(actions('CERT_HAS_EXPIRED'), ['resume']);
    assert.deepEqual(actions('EPROXY'), ['resume', 'http.proxy']);
    assert.deepEqual(actions('EPROXYAUTH'), ['http.proxy', 'resume']);
    assert.deepEqual(actions('HPE_INVALID_CONSTANT'), ['resume', 'kimiChat.baseUrl']);
    assert.deepEqual(actions('EADDRESS'), ['kimiChat.baseUrl', 'resume']);
    assert.deepEqual(actions('ECONNREFUSED'), ['resume']);
  });

  it('waits as long as the service asks for, but not for absurd times', () => {
    const wait = (retryAfter: number | undefined): unknown => {
      const help = failureHelp(
        { kind: 'rateLimited', message: '', ...(retryAfter !== undefined && { retryAfter }) },
        nothingCame,
      );
      return help.waitFor ?? help.text;
    };
    assert.equal(wait(12_000), 12_000);
    assert.equal(wait(undefined), 'Too many requests were sent in a short time.');
    assert.equal(wait(0), 'Too many requests were sent in a short time.');
    assert.equal(wait(-5), 'Too many requests were sent in a short time.');
    assert.equal(wait(Number.NaN), 'Too many requests were sent in a short time.');
    assert.match(String(wait(578 * 3_600_000)), /asks to wait for 578\u00a0h\.$/);
    assert.equal(
      failureHelp({ kind: 'overloaded', message: '', status: 503, retryAfter: 3000 }, nothingCame).waitFor,
      3000,
    );
  });

  it('keeps what the service said for those who want to know', () => {
    assert.equal(failureHelp(each.badKey, nothingCame).detail, 'invalid api key');
    assert.equal(failureHelp(each.refused, nothingCame).detail, 'HTTP 400: bad field');
    assert.equal(failureHelp(each.serverError, nothingCame).detail, 'HTTP 500');
    assert.equal(failureHelp({ kind: 'badKey', message: '  ' }, nothingCame).detail, undefined);
  });
});

describe('other ends in words', () => {
  it('has nothing to say about a turn that came to its end', () => {
    assert.equal(endHelp({ kind: 'completed' }, nothingCame), undefined);
  });

  it('offers to go on after a stop and after an early end', () => {
    const stopped = endHelp({ kind: 'stopped' }, nothingCame);
    assert.equal(stopped?.text, 'Stopped.');
    assert.equal(stopped.button.action.kind, 'resume');
    const reloaded = { kind: 'stopped', by: 'reload' } as const;
    assert.equal(endHelp(reloaded, nothingCame)?.text, 'Cut off, because the window was closed.');
    const unanswered = endHelp(reloaded, { ...nothingCame, nothing: true });
    assert.equal(unanswered?.text, 'Not answered: the window was closed before.');
    for (const reason of ['max_output_tokens', 'something_new']) {
      const help = endHelp({ kind: 'incomplete', reason }, nothingCame);
      assert.match(help?.text ?? '', /\.$/);
      assert.equal(help?.button.action.kind, 'resume');
    }
    assert.equal(
      endHelp({ kind: 'incomplete', reason: 'something_new' }, nothingCame)?.detail,
      'something_new',
    );
  });

  it('says what used up the room, and what more of it is for', () => {
    const say = (cutOff: CutOff): unknown => {
      const help = endHelp({ kind: 'incomplete', reason: 'max_output_tokens' }, { words: 9, cutOff });
      return [help?.text, help?.button.label, help?.button.action.kind];
    };
    assert.deepEqual(say({ at: 'answer', room: 4096 }), [
      'The answer reached its limit of 4,096 tokens. “Continue” gives it more room.',
      'Continue',
      'resume',
    ]);
    // More than by itself is more than nothing was said about.
    assert.deepEqual(say({ at: 'answer' }), [
      'The answer reached the length that the service gives by itself. “Continue” gives it more room.',
      'Continue',
      'resume',
    ]);
    assert.deepEqual(say({ at: 'reasoning' }), [
      'All the room for this answer went into reasoning.',
      'Ask again with more room',
      'resume',
    ]);
    assert.deepEqual(say({ at: 'call', room: 4096 }), [
      'The room of 4,096 tokens for this answer was used up in the middle of a patch or a call.',
      'Ask again with more room',
      'resume',
    ]);
  });

  it('has the question edited where the content filter ended the answer: to go on would end there again', () => {
    const help = endHelp({ kind: 'incomplete', reason: 'content_filter' }, { words: 9 });
    assert.deepEqual([help?.button.action.kind, help?.also], ['editQuestion', undefined]);
  });

  it('treats a failure like a failure', () => {
    assert.deepEqual(
      endHelp({ kind: 'failed', failure: each.noKey }, nothingCame),
      failureHelp(each.noKey, nothingCame),
    );
  });
});
