/** Questions of running tools in the panel’s page: read whole, answered on purpose, by key as by mouse, and never by accident. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type {
  Approval,
  ApprovalAnswer,
  ApprovalRequest,
  Part,
} from '../../src/core/conversation/conversation.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import type { ToHost } from '../../src/protocol/toHost.ts';
import { launchBrowser } from '../run/browser.ts';
import { openTurn, PanelPage, panelState, sentRequest } from './support/panelPage.ts';

const command = (text: string): ApprovalRequest => ({
  ...{ kind: 'command', command: text, folder: '/shop', seconds: 60 },
});
const file = (path: string): ApprovalRequest => ({ kind: 'read', why: 'ignored', path });
const secrets: ApprovalRequest = {
  ...{ kind: 'secrets', from: 'a.ts', found: [{ what: 'token', line: 3, hint: 'sk-…' }] },
};

describe('the questions of a tool', () => {
  let browser: Browser;
  let panel: PanelPage;
  let seq = 0;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    seq = 0;
    panel = await PanelPage.open(browser, { width: 300 });
  });
  afterEach(() => panel.close());

  const call = (id: string, ...approvals: readonly Approval[]): Part => ({
    ...{ kind: 'tool', id, name: 'look', input: '{}', openedAt: 0, askedAt: 0 },
    ...(approvals.length > 0 && { approvals }),
  });
  const running = async (...parts: readonly Part[]): Promise<void> => {
    const now = await panel.page.evaluate(() => Date.now());
    const shown = openTurn('r', { parts, startedAt: now, requests: [sentRequest({ sentAt: now })] });
    await panel.shows({ id: 'c', turns: [shown] }, panelState(), { at: now });
  };
  const asked = (id: string, request: ApprovalRequest): Approval => ({ id, request, askedAt: 0 });
  const settled = (part: string, id: string, answer: ApprovalAnswer): readonly ShownEvent[] => [
    { kind: 'approvalAnswered', turn: 'r', part, approval: id, answer },
    {
      ...{ kind: 'toolSettled', turn: 'r', part, at: 10 },
      outcome: { kind: answer.kind === 'deny' ? 'rejected' : 'done', text: 'Out.' },
    },
  ];
  const isAnswered = (part: string, id: string, answer: ApprovalAnswer): Promise<void> =>
    panel.tell({ kind: 'events', seq: (seq += 1), events: settled(part, id, answer) });
  /** What the host says, and a click in the very moment in which that is drawn. */
  const clickAsDrawn = (label: string, events: readonly ShownEvent[]): Promise<void> =>
    panel.page.evaluate(
      async ([name, data]) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const buttons = [...document.querySelectorAll<HTMLElement>('.approval button')];
        const button = buttons.find(({ textContent }) => textContent === name);
        if (button === undefined) throw new Error(`There is no ${name}.`);
        button.click();
      },
      [label, { kind: 'events', seq: (seq += 1), events }] as const,
    );
  const answers = async (): Promise<readonly ToHost[]> =>
    (await panel.posts()).filter(({ kind }) => kind === 'answerApproval');

  it('take the cursor from nobody, are read out, and take no answer before they could be read', async () => {
    await running(call('0.0'));
    await panel.composer.focus();
    await clickAsDrawn('Run once', [
      { kind: 'approvalAsked', turn: 'r', part: '0.0', approval: asked('x', command('npm test')) },
    ]);
    assert.deepEqual(await answers(), []);
    assert.match(await panel.focused(), /composer-text/);
    await panel.spoken('The model asks to run a command: npm test');
    await panel.page.getByText('Waiting for your permission').waitFor();
    await panel.pass(600);
    await panel.button('Run once').click();
    assert.deepEqual(await answers(), [{ kind: 'answerApproval', approval: 'x', answer: 'allow' }]);
  });

  it('say what kind of answer was given, where there are several', async () => {
    for (const [request, button, answer] of [
      [command('a'), 'Always run it here', 'remember'],
      [command('a'), 'Deny', 'deny'],
      [secrets, 'Mask and send', 'mask'],
      [secrets, 'Send as it is', 'allow'],
      [secrets, 'Keep back', 'deny'],
      [file('a'), 'Allow', 'allow'],
    ] as const) {
      await panel.reopen();
      await running(call('0.0', asked('x', request)));
      await panel.pass(600);
      await panel.button(button).click();
      assert.deepEqual(await answers(), [{ kind: 'answerApproval', approval: 'x', answer }], button);
    }
    assert.equal(await panel.button('Always run it here').count(), 0);
  });

  it('are denied with a reason, which can be thought better of', async () => {
    await running(call('0.0', asked('x', file('dist/a.js'))));
    await panel.pass(600);
    await panel.button('Deny, and say why').press('Enter');
    assert.match(await panel.focused(), /input/);
    await panel.press('Escape');
    assert.equal(await panel.page.evaluate(() => document.activeElement?.textContent), 'Deny, and say why');
    await panel.press('Enter');
    await panel.page.keyboard.type('It is built.');
    await panel.pass(600);
    await panel.press('Enter');
    assert.deepEqual(await answers(), [
      { kind: 'answerApproval', approval: 'x', answer: 'deny', reason: 'It is built.' },
    ]);
  });

  it('of several calls are answered one by one: a double click means one of them', async () => {
    await running(call('0.0', asked('x', file('a'))), call('0.1', asked('y', file('b'))));
    await panel.page.getByText('1 of 2').waitFor();
    await panel.pass(600);
    await panel.button('Allow').first().click();
    // The next one has come to where the first one was.
    await clickAsDrawn('Allow', settled('0.0', 'x', { kind: 'allow' }));
    assert.equal((await answers()).length, 1);
    await panel.pass(600);
    await panel.button('Allow').click();
    assert.deepEqual((await answers()).at(-1), { kind: 'answerApproval', approval: 'y', answer: 'allow' });
  });

  it('hand the cursor on to the next one, and behind the last one to the line of the call', async () => {
    await running(call('0.0', asked('x', file('a'))), call('0.1', asked('y', file('b'))));
    await panel.pass(600);
    await panel.button('Allow').first().press('Enter');
    await isAnswered('0.0', 'x', { kind: 'allow' });
    assert.equal(await panel.focused(), 'approval');
    await panel.pass(600);
    await panel.button('Allow').press('Enter');
    await isAnswered('0.1', 'y', { kind: 'allow' });
    assert.equal(await panel.focused(), 'fold-line');
  });

  it('leave the cursor where the person went meanwhile', async () => {
    await running(call('0.0', asked('x', file('a'))));
    await panel.pass(600);
    await panel.button('Allow').press('Enter');
    await panel.composer.focus();
    await isAnswered('0.0', 'x', { kind: 'allow' });
    assert.match(await panel.focused(), /composer-text/);
  });

  it('show what is invisible, emptiness that hides, and all of it to whoever scrolls by key', async () => {
    const long = `echo \u202eok\u2069${' '.repeat(500)}; rm -rf \u00a0x\n${'line\n'.repeat(200)}last line`;
    await running(call('0.0', asked('x', command(long))));
    const text = panel.page.locator('.approval pre');
    assert.deepEqual((await text.locator('.hidden-character').allInnerTexts()).slice(0, 4), [
      'U+202E',
      'U+2069',
      '500 blanks',
      'U+00A0',
    ]);
    await panel.page.getByText('202 lines: scroll to read them to their end.').waitFor();
    await text.focus();
    await panel.page.keyboard.press('End');
    await text
      .evaluateHandle(async (box) => {
        while (box.scrollHeight - box.clientHeight - box.scrollTop > 2)
          await new Promise((resolve) => box.addEventListener('scroll', resolve, { once: true }));
      })
      .then((handle) => handle.dispose());
    // The buttons are in view with it.
    assert.ok(await panel.button('Deny').isVisible());
  });

  it('are there after a reload, and take the cursor only when they are asked for', async () => {
    await running(call('0.0', asked('x', file('a'))));
    await panel.reopen();
    await running(call('0.0', asked('x', file('a'))));
    await panel.tell({ kind: 'focusApproval' });
    assert.equal(await panel.focused(), 'approval');
    await panel.pass(600);
    await panel.button('Allow').click();
    assert.equal((await answers()).length, 1);
  });

  it('stay with the call, folded, with the answer', async () => {
    await running(call('0.0', asked('x', file('dist/a.js'))));
    await isAnswered('0.0', 'x', { kind: 'deny', reason: 'It is built.' });
    assert.equal(await panel.page.locator('.approval').count(), 0);
    const line = panel.page.locator('.tool > .fold-line');
    assert.match(await line.innerText(), /· not allowed$/);
    await line.press('Enter');
    const body = await panel.page.locator('.answered').innerText();
    assert.match(body, /^Read a file\s· Denied\s+It is built\.\s+dist\/a\.js$/);
  });

  it('are found, while they are asked and afterwards', async () => {
    await running(call('0.0', asked('x', command('npm run zebra'))));
    const search = async (): Promise<void> => {
      await panel.tell({ kind: 'find' });
      await panel.page.locator('.find-text').fill('zebra');
      await panel.page.getByText('1 of 1').waitFor();
      await panel.press('Enter');
    };
    await search();
    await panel.press('Escape');
    await isAnswered('0.0', 'x', { kind: 'allow' });
    await search();
    await panel.page.locator('.answered', { hasText: 'zebra' }).waitFor();
  });
});
