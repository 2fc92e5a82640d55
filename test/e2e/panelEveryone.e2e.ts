/** The panel for people who use the keyboard alone, hear it, enlarge it, or see it in colours and directions of their own. */
import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import type { ToWebview } from '../../src/protocol/toWebview.ts';
import { launchBrowser } from '../run/browser.ts';
import { PanelPage, panelState } from './support/panelPage.ts';
import { now, pageState, showState, type PageState } from './support/states.ts';
import { themes } from './support/themes.ts';
import { turnOf } from './support/whole.ts';

/** Where a control is that stands in no other state. */
const focusStates = [
  'empty',
  'noKey',
  'patchPending',
  'patchRejecting',
  'patchConflict',
  'asksCommand',
  'asksTool',
  'asksSeveral',
  'richText',
  'editInPlace',
  'answerAgain',
  'versions',
  'findBar',
  'meter',
  'confirm',
  'secrets',
  'queued',
];

describe('the panel for everyone', () => {
  let browser: Browser;
  let panel: PanelPage;
  before('open the page', async () => {
    browser = await launchBrowser();
    panel = await PanelPage.open(browser, { width: 300, at: now });
  });
  after('close the browser', () => browser.close());

  it('shows where the cursor is, in each theme and with forced colours', async () => {
    const { page } = panel;
    const faults: string[] = [];
    const judged = new Set<string>();
    for (const [index, name] of focusStates.entries()) {
      await showState(panel, pageState(name));
      // By the keyboard from now on.
      await page.keyboard.press('Tab');
      for (const theme of turnOf([...themes, 'forced'] as const, index, 2)) {
        await page.emulateMedia({ forcedColors: theme === 'forced' ? 'active' : 'none' });
        if (theme !== 'forced') await panel.setTheme(theme);
        const { count, unseen } = await page.evaluate(unseenFocus);
        judged.add(`${name} ${count}`);
        faults.push(...unseen.map((fault) => `${name}, ${theme}: ${fault}`));
      }
      await page.emulateMedia({ forcedColors: 'none' });
    }
    await panel.setTheme('dark');
    assert.equal(judged.size, focusStates.length);
    assert.deepEqual(faults, []);
  });

  it('names every invisible character in what others named', async () => {
    const evil = 'gpj.\u202Ets';
    const { conversation } = pageState('patchPending');
    const text = JSON.stringify(conversation).replaceAll('cart.ts', evil);
    const chip = { id: 'x', kind: 'file' as const, path: `src/${evil}`, uri: 'file:///x', languageId: 'ts' };
    await panel.reopen();
    await panel.shows(JSON.parse(text) as typeof conversation, panelState({ attachments: [chip] }), {
      queue: { questions: [{ id: 'q', text: `Why is ${evil} so?`, attachments: [chip] }] },
    });
    for (const place of [
      '.patch .path',
      '.question .chip',
      '.composer-box .chip',
      '.queued-text',
      '.queue .chip',
    ])
      assert.match(await panel.page.locator(place).first().innerText(), /gpj\.U\+202Ets/, place);
    const bare = await panel.page.evaluate(() =>
      [...document.querySelectorAll('body *:not(script)')].flatMap((each) => [
        ...[...each.attributes].map(({ name, value }) => `${each.className} ${name}: ${value}`),
        ...[...each.childNodes]
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map(({ textContent }) => `${each.className}: ${textContent ?? ''}`),
      ]),
    );
    assert.deepEqual(
      bare.filter((each) => each.includes('\u202E')),
      [],
    );
  });

  it('never takes the cursor from where the person types, whatever the host tells', async () => {
    const { page } = panel;
    const kept: string[] = [];
    const fields: readonly [selector: string, open: () => Promise<void>][] = [
      ['.composer-text', async () => {}],
      ['.find-text', () => panel.tell({ kind: 'find' })],
      ['.edit-text', () => panel.button('Edit the question').first().click()],
    ];
    const at = now;
    const { question, model, effort } = pageState('waiting').conversation.turns[0]!;
    const tool = pageState('patchPending').conversation.turns[0]!.parts.at(-1)!;
    const proposal = tool.kind === 'tool' ? tool.proposal! : assert.fail('no patch');
    const next = panelState().spending!.next;
    let seq = 0;
    const events = (...all: readonly ShownEvent[]): ToWebview => ({
      kind: 'events',
      seq: (seq += 1),
      events: all,
    });
    for (const [selector, open] of fields) {
      seq = 0;
      await showState(panel, pageState('queuePaused'));
      await open();
      await page.locator(selector).focus();
      await page.keyboard.type('typed');
      const field = await page.evaluateHandle(() => document.activeElement);
      const told: readonly ToWebview[] = [
        events({ kind: 'turnStarted', turn: 'n', question, model, effort, at }),
        events({ kind: 'partOpened', turn: 'n', part: '0.0', what: 'answer', at }),
        events({ kind: 'textAdded', turn: 'n', part: '0.0', section: 0, text: 'Two mistakes.' }),
        events(
          { kind: 'partClosed', turn: 'n', part: '0.0', at },
          { kind: 'toolOpened', turn: 'n', part: '0.2', name: 'apply_patch', at },
        ),
        events({ kind: 'toolAsked', turn: 'n', part: '0.2', at }),
        events({ kind: 'toolReviewed', turn: 'n', part: '0.2', proposal }),
        { kind: 'notice', text: 'The file could not be opened.' },
        {
          kind: 'queue',
          conversation: 'c',
          queue: { questions: [{ id: 'q9', text: 'More', attachments: [] }] },
        },
        { kind: 'queue', conversation: 'c', queue: { questions: [] } },
        { kind: 'confirm', asked: { kind: 'send', id: 'q', text: 'And?' }, next },
        { kind: 'panel', panel: panelState({ key: 'missing' }) },
        { kind: 'panel', panel: panelState() },
        events({ kind: 'turnEnded', turn: 'n', end: { kind: 'failed', failure: { kind: 'noKey' } }, at }),
        // The field of a question goes with its conversation.
        ...(selector === '.edit-text'
          ? []
          : [{ kind: 'conversation' as const, seq: (seq += 1), conversation: { id: 'other', turns: [] } }]),
      ];
      for (const message of told) {
        await panel.tell(message);
        if (!(await page.evaluate((own) => document.activeElement === own, field)))
          assert.fail(
            `${JSON.stringify(message).slice(0, 120)} took it from ${selector}: ${await panel.focused()}`,
          );
      }
      await page.keyboard.type(' on');
      kept.push(await field.evaluate((own) => (own as HTMLInputElement).value));
    }
    assert.equal(kept.length, 3);
    for (const text of kept) assert.match(text, /typed on/);
  });

  it('lets nothing move for who wants no movement', async () => {
    const moving = (page: PanelPage): Promise<string[]> =>
      page.page.evaluate(() =>
        document
          .getAnimations()
          // What follows the scrolling is moved by the person.
          .filter(
            ({ timeline, playState }) => timeline instanceof DocumentTimeline && playState === 'running',
          )
          .map((each) => (each instanceof CSSAnimation ? each.animationName : 'transition')),
      );
    const found: string[] = [];
    for (const name of ['waiting', 'streamingReasoning', 'tool', 'patchWriting', 'reasoningOpen']) {
      await showState(panel, pageState(name));
      found.push(...(await moving(panel)));
    }
    assert.deepEqual(found, []);
    const lively = await PanelPage.open(browser, { width: 300, at: now, moves: true });
    await showState(lively, pageState('streamingReasoning'));
    assert.deepEqual(await moving(lively), ['working']);
    await lively.close();
  });

  it('writes each paragraph in its own direction, and code from left to right', async () => {
    await showState(panel, pageState('strangeText'));
    const directions = (selector: string): Promise<string[]> =>
      panel.page.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
    /** At which side each line of it begins. */
    const sides = (selector: string): Promise<string[]> =>
      panel.page.locator(selector).evaluate((element) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const { left, right } = element.getBoundingClientRect();
        const range = document.createRange();
        const found: string[] = [];
        while (texts.nextNode() !== null) {
          range.selectNodeContents(texts.currentNode);
          const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
          found.push(...lines.map((line) => (right - line.right < line.left - left ? 'right' : 'left')));
        }
        return found;
      });
    assert.deepEqual(await directions('.answer p'), ['rtl', 'rtl', 'ltr', 'ltr']);
    // Both on the side of the marks; punctuation where each language has it.
    assert.deepEqual(await sides('.answer ul'), ['right', 'right']);
    assert.deepEqual(
      await panel.page
        .locator('.answer li')
        .evaluateAll((all) => all.map((each) => getComputedStyle(each).unicodeBidi)),
      ['plaintext', 'plaintext'],
    );
    assert.deepEqual(await directions('.answer pre'), ['ltr']);
    const code = panel.page.locator('.answer :not(pre) > code');
    assert.deepEqual(
      await code.evaluateAll((all) =>
        all.map((each) => `${getComputedStyle(each).direction} ${getComputedStyle(each).unicodeBidi}`),
      ),
      ['ltr isolate', 'ltr isolate'],
    );
    // Each line of a question by itself: the first begins at the right, the second at the left.
    assert.deepEqual(await sides('.question-text'), ['right', 'left']);
  });

  describe('with a screen reader', () => {
    const heard = (): Promise<string[]> => panel.page.locator('[aria-live] p').allTextContents();
    let seq = 0;
    const told = (event: ShownEvent): Promise<void> => {
      seq += 1;
      return panel.tell({ kind: 'events', seq, events: [event] });
    };
    const streams = (text: string): Promise<void> =>
      told({ kind: 'textAdded', turn: 'a', part: '0.0', section: 0, text });

    beforeEach('ask something', async () => {
      await showState(panel, pageState('waiting'));
      seq = 0;
      await told({ kind: 'partOpened', turn: 'a', part: '0.0', what: 'answer', at: now });
    });

    it('reads an answer out by sentences while it comes, each once', async () => {
      await streams('The first is whole. The sec');
      await panel.spoken('The first is whole.');
      await streams('ond comes later.\n\nAnd more.\n\nThe end');
      await panel.spoken('The second comes later.');
      assert.deepEqual(
        (await heard()).filter((line) => line.endsWith('.')),
        ['The first is whole.', 'The second comes later.'],
      );
    });

    it('says nothing while the person types, into whatever field', async () => {
      await panel.tell({ kind: 'find' });
      for (const field of ['.composer-text', '.find-text']) {
        const number = seq;
        await panel.page.locator(field).focus();
        await panel.page.keyboard.type('a');
        await streams(`Sentence ${number}. `);
        await streams('More');
        await panel.pass(1_000);
        await panel.page.keyboard.type('b');
        await panel.pass(1_000);
        assert.equal((await heard()).includes(`Sentence ${number}.`), false, field);
        await panel.pass(1_000);
        await panel.spoken(`Sentence ${number}.`);
      }
    });
  });

  describe('keeps the cursor when the control that has it goes', () => {
    const focus = (): Promise<string> => panel.focused();
    /** Presses it as the keyboard does, when it has settled. */
    const press = async (control: Locator): Promise<void> => {
      await panel.pass(600);
      await control.focus();
      await panel.press('Enter');
    };
    const shows = async (name: string, more: Partial<PageState> = {}): Promise<void> => {
      const state = { ...pageState(name), ...more };
      await panel.tell({
        kind: 'snapshot',
        seq: 0,
        conversation: state.conversation,
        panel: state.panel ?? panelState(),
        draft: '',
        at: now,
        ...state.more,
      });
      await panel.tell();
    };

    /** Where it is, what is pressed, what the host says of it, and what has the cursor then. */
    const cases: readonly [
      name: string,
      state: string,
      control: (at: PanelPage) => Locator,
      then: () => Promise<void>,
      has: RegExp,
    ][] = [
      [
        'accepting all',
        'patchPending',
        (at) => at.button('Accept all'),
        () => shows('patchSettled'),
        /^patch patch-settled$/,
      ],
      [
        'accepting one file',
        'patchPending',
        (at) => at.button('Accept src/cart.ts'),
        () => shows('patchSettled'),
        /^patch patch-settled$/,
      ],
      ['rejecting', 'patchPending', (at) => at.button('Reject'), async () => {}, /^input$/],
      [
        'thinking better of it',
        'patchRejecting',
        (at) => at.button('Cancel'),
        async () => {},
        /^text-button$/,
      ],
      [
        'taking back',
        'patchSettled',
        (at) => at.button('Take back'),
        () => shows('patchUnfit'),
        /^turn|^fold-line|^patch/,
      ],
      ['trying again', 'brokenAnswer', (at) => at.button('Try again'), () => shows('waiting'), /^turn/],
      ['trying now', 'retrying', (at) => at.button('Try now'), () => shows('waiting'), /^turn/],
      ['continuing', 'endedEarly', (at) => at.button('Continue'), () => shows('streamingAnswer'), /^turn/],
      [
        'stopping',
        'streamingAnswer',
        (at) => at.button('Stop'),
        () => shows('stopped'),
        /composer-text|send/,
      ],
      [
        'putting a message away',
        'hostNotice',
        (at) => at.button('Close message'),
        async () => {},
        /composer-text/,
      ],
      [
        'taking an attachment off',
        'written',
        (at) => at.button('Remove src/cart.ts:21-28'),
        () => shows('empty'),
        /composer-text|chip/,
      ],
      [
        'thinking better of an edit',
        'editInPlace',
        (at) => at.button('Cancel'),
        async () => {},
        /question-edit/,
      ],
      [
        'thinking better of asking again',
        'answerAgain',
        (at) => at.button('Cancel'),
        async () => {},
        /icon-button/,
      ],
      [
        'putting a turn back',
        'cutTurns',
        (at) => at.button('Put it back'),
        () => shows('editInPlace'),
        /^turn/,
      ],
      ['setting the key', 'noKey', (at) => at.button('Set API key'), () => shows('empty'), /composer-text/],
      [
        'leaving something out',
        'meter',
        (at) => at.page.locator('.map-drop').first(),
        () => shows('meter', { panel: panelState({ room: [] }) }),
        /meter-details|meter-line/,
      ],
      [
        'accepting what was left over',
        'orphans',
        (at) => at.button('Accept all'),
        () => shows('empty'),
        /composer-text/,
      ],
      [
        'closing find',
        'findBar',
        (at) => at.button('Close find'),
        async () => {},
        /composer-text|transcript/,
      ],
      [
        'not paying',
        'confirm',
        (at) => at.page.locator('.confirm').getByRole('button', { name: 'Cancel' }),
        async () => {},
        /composer-text/,
      ],
      [
        'paying',
        'confirm',
        (at) => at.page.locator('.confirm').getByRole('button', { name: 'Send' }),
        async () => {},
        /composer-text/,
      ],
      [
        'not sending secrets',
        'secrets',
        (at) => at.page.locator('.secrets-found').getByRole('button', { name: 'Cancel' }),
        async () => {},
        /composer-text/,
      ],
      [
        'masking secrets',
        'secrets',
        (at) => at.page.locator('.secrets-found').getByRole('button', { name: 'Mask and send' }),
        async () => {},
        /composer-text/,
      ],
      ['keeping the model', 'switchModel', (at) => at.button('Keep'), async () => {}, /select|picker/],
      ['opening a link', 'doubtfulLink', (at) => at.button('Open evil.example'), async () => {}, /^link$/],
      [
        'jumping to the end',
        'longConversation',
        (at) => at.button('Jump to latest'),
        async () => {},
        /composer-text|transcript/,
      ],
      [
        'editing what waits',
        'queued',
        (at) => at.button('Edit And shipping?'),
        async () => {
          await panel.tell({ kind: 'queue', conversation: 'c', queue: { questions: [] } });
          await panel.tell({ kind: 'draft', text: 'And shipping?', instead: '' });
        },
        /composer-text/,
      ],
      [
        'taking the code of an answer',
        'codeApplied',
        (at) => at.page.locator('.applied').getByRole('button', { name: 'Accept' }),
        () => shows('reasoningOpen'),
        /turn|applied|composer-text/,
      ],
    ];
    for (const [name, state, control, then, has] of cases) {
      it(`by ${name}`, async () => {
        await showState(panel, pageState(state));
        await press(control(panel));
        await then();
        await panel.pass(100);
        const at = await focus();
        assert.notEqual(at, 'body', 'it was lost');
        assert.match(at, has);
      });
    }
  });
});

/** Controls at which nothing changes when they get the cursor. Runs in the page, after a key. */
function unseenFocus(): { count: number; unseen: string[] } {
  const all = [
    ...document.querySelectorAll<HTMLElement>('button, select, input, textarea, [tabindex], [role=link]'),
  ].filter((each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.checkVisibility());
  /** The line around it or around what stands around it, as it is drawn. */
  const lines = (element: HTMLElement): string[] => {
    const found: string[] = [];
    let each: HTMLElement | null = element;
    for (let up = 0; up < 3 && each !== null; up++, each = each.parentElement) {
      const { outlineStyle, outlineWidth, outlineColor, borderTopColor, borderTopWidth } =
        getComputedStyle(each);
      const drawn = (style: string, width: string, colour: string): string =>
        style === 'none' || Number.parseFloat(width) < 1 || /, 0\)$|^transparent$/.test(colour)
          ? ''
          : `${style} ${colour}`;
      found.push(drawn(outlineStyle, outlineWidth, outlineColor), drawn('', borderTopWidth, borderTopColor));
    }
    return found;
  };
  const before = document.activeElement;
  const unseen: string[] = [];
  for (const element of all) {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const without = lines(element);
    element.focus({ preventScroll: true });
    const seen = lines(element).some((line, index) => line !== '' && line !== without[index]);
    if (!seen) unseen.push(element.outerHTML.slice(0, 120));
  }
  if (before instanceof HTMLElement) before.focus();
  return { count: all.length, unseen };
}
