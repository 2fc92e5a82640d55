/** What is said of queued questions and before another model is taken. */
import assert from 'node:assert/strict';
import type { Forecast } from '../../src/core/cost/forecast.ts';
import type { QueuePause } from '../../src/protocol/toWebview.ts';
import { queueText, sendNowText } from '../../src/webview/queueText.ts';
import { losesCache, switchLines } from '../../src/webview/switchText.ts';

const forecast = (likely: number, cached = 0): Forecast => ({
  input: 212_000,
  cached,
  output: { least: 0, likely: 4_000, most: 16_000 },
  basis: 'effort',
  money: { least: 0, likely, most: 3 },
  isEstimate: true,
});

describe('queued questions', () => {
  it('say when they are asked, or why they are not', () => {
    const pauses: readonly (QueuePause | undefined)[] = [
      undefined,
      { kind: 'stopped' },
      { kind: 'failed' },
      { kind: 'reloaded' },
      { kind: 'dear', next: forecast(2.1) },
      { kind: 'secrets' },
      { kind: 'problem', text: 'Set an API key first.' },
    ];
    assert.deepEqual(
      pauses.map((pause) => queueText(pause, 'running')),
      [
        'Queued. Sent when the answer is complete.',
        'Queue paused: the answer was stopped. Send one to go on.',
        'Queue paused: the answer did not come to its end. Send one to go on.',
        'Queue paused: the window was loaded anew. Send one to go on.',
        'Queue paused: the next question costs about $2.10. Send it if you want that.',
        'Queue paused: the next question holds what looks secret. Send it to decide about that.',
        'Queue paused. Set an API key first.',
      ],
    );
    assert.match(queueText(undefined, 'reviewing'), /decided on the patch/);
    assert.match(queueText(undefined, 'asking'), /answered what the model asks/);
    assert.deepEqual((['idle', 'running', 'reviewing', 'asking'] as const).map(sendNowText), [
      'Send now',
      'Stop the answer and send this now',
      'Send now, and decide on the patch later',
      'Send now, and allow nothing of what the model asks',
    ]);
  });
});

describe('switching the model or the effort', () => {
  it('loses something only where something would be found', () => {
    assert.equal(losesCache(true, forecast(0.1, 200_000)), true);
    assert.equal(losesCache(true, forecast(0.1)), false);
    assert.equal(losesCache(false, forecast(0.1, 200_000)), false);
    assert.equal(losesCache(true, undefined), false);
  });

  it('says what, and what it costs as soon as that is known', () => {
    const now = forecast(0.05, 211_968);
    const lost = 'loses the cache: about 212k tokens of this conversation are read anew.';
    assert.deepEqual(switchLines({ model: 'kimi-k3', effort: 'max', now, next: undefined }), [
      `Switching to K3\u00a0· Max ${lost}`,
      'Max thinks longest: answers take a while and cost most.',
    ]);
    assert.deepEqual(switchLines({ model: 'kimi-k3.1-pro', effort: 'low', now, next: forecast(0.52) }), [
      `Switching to K3.1 Pro\u00a0· Low ${lost}`,
      'The next question costs about $0.52 instead of $0.05.',
    ]);
  });
});
