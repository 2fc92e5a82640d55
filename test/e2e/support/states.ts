/**
 * The states of the panel by name: what the host said and what the person did until it is so. One list for all that is to hold in any of
 * them. Times are of one moment, so that each state is the same on each day.
 */
import type {
  Approval,
  ApprovalRequest,
  AttachmentSummary,
  Conversation,
  Failure,
  Part,
  ProposalSummary,
  ProposedFile,
  Question,
  ToolPart,
  Turn,
} from '../../../src/core/conversation/conversation.ts';
import type { CompletionItem } from '../../../src/protocol/completion.ts';
import type { PanelState, ToWebview } from '../../../src/protocol/toWebview.ts';
import {
  breakdown,
  dear,
  model,
  openTurn,
  panelState,
  request,
  sentRequest,
  turn,
  type PanelPage,
} from './panelPage.ts';

/** The host's time, and the page's: milliseconds since the epoch. */
export const now = Date.UTC(2026, 2, 10, 9, 30);

export interface PageState {
  readonly name: string;
  readonly conversation: Conversation;
  readonly panel?: PanelState;
  /** More of the snapshot. */
  readonly more?: Partial<Extract<ToWebview, { kind: 'snapshot' }>>;
  /** What comes after the snapshot, and what is done. */
  readonly then?: (panel: PanelPage) => Promise<void>;
  /** The host has told nothing yet, the conversation neither. */
  readonly untold?: true;
}

const nameable: readonly CompletionItem[] = [
  {
    ...{ id: '0', kind: 'file', label: 'cart.ts', insert: '@cart.ts', matches: [[0, 2]] },
    detail: 'packages/shop/src/checkout/a/long/way/down',
  },
  {
    ...{ id: '1', kind: 'file', label: 'shoppingCartServiceFactoryProvider.controller.ts', detail: 'src' },
    ...{ insert: '@s', matches: [[8, 10]] },
  },
  {
    ...{
      id: '2',
      kind: 'folder',
      label: 'ca\u202edrac/',
      detail: 'src',
      insert: '@cadrac',
      matches: [[0, 2]],
    },
    into: '@src/cadrac/',
  },
  { id: '3', kind: 'file', label: 'README.md', detail: 'catalogue', detailMatches: [[0, 2]], insert: '@r' },
  { id: '4', kind: 'symbol', label: 'cartTotal', detail: 'Cart · src/cart.ts:12', insert: '@cartTotal' },
  { id: '5', kind: 'problems', label: 'problems', detail: 'In the workspace: 12', insert: '@problems' },
  { id: '6', kind: 'diff', label: 'diff', detail: 'Changes that are not staged', insert: '@diff' },
  { id: '7', kind: 'terminal', label: 'terminal', detail: 'The last command and its output', insert: '@t' },
  { id: '8', kind: 'selection', label: 'selection', detail: 'What is selected in cart.ts', insert: '@s' },
  { id: '9', kind: 'file', label: 'سلة.ts', detail: 'src/متجر', insert: '@سلة.ts' },
  ...Array.from({ length: 10 }, (_, at): CompletionItem => ({
    ...{ id: `${10 + at}`, kind: 'file', label: `calendar${at}.ts`, insert: '@c', matches: [[0, 2]] },
    detail: 'test',
  })),
];

const commands: readonly CompletionItem[] = [
  { id: '0', kind: 'command', label: '/explain', detail: 'Explain the code', insert: '/explain' },
  {
    id: '1',
    kind: 'prompt',
    label: '/release-notes',
    detail: 'What is new, for people',
    insert: '/release-notes',
  },
];

/** Types it, has the host offer this, and goes down some rows. */
async function nameIn(
  panel: PanelPage,
  text: string,
  items: readonly CompletionItem[],
  rows: number,
): Promise<void> {
  await panel.composer.focus();
  await panel.page.keyboard.type(text);
  await panel.tell();
  const asked = (await panel.posts()).findLast((post) => post.kind === 'complete');
  await panel.tell({ kind: 'completions', list: asked?.list ?? 0, items, looking: false });
  for (let row = 0; row < rows; row += 1) await panel.press('ArrowDown');
}

/** Shows it, and waits until it is drawn. */
export async function showState(panel: PanelPage, state: PageState): Promise<void> {
  // Nothing of the state before is left.
  await panel.reopen();
  if (state.untold !== true)
    await panel.shows(state.conversation, state.panel ?? panelState(), { at: now, ...state.more });
  await state.then?.(panel);
  await panel.tell();
}

const cart: AttachmentSummary = {
  id: 'cart',
  kind: 'selection',
  path: 'src/cart.ts',
  uri: 'file:///shop/src/cart.ts',
  range: { from: 21, to: 28 },
  languageId: 'typescript',
};
const money: AttachmentSummary = {
  id: 'money',
  kind: 'file',
  path: 'src/money.ts',
  uri: 'file:///shop/src/money.ts',
  languageId: 'typescript',
};

const agents: AttachmentSummary = {
  id: 'agents',
  kind: 'instructions',
  path: 'AGENTS.md',
  uri: 'file:///shop/AGENTS.md',
  languageId: 'markdown',
  tokens: 412,
  digest: '1',
};

const question: Question = { text: 'Why is the total wrong? Please fix it.', attachments: [cart] };
const suggestions = [
  { text: 'Explain what src/cart.ts does.', attach: 'activeFile' },
  { text: 'Look for mistakes in src/cart.ts.', attach: 'activeFile' },
  { text: 'Write tests for src/cart.ts.', attach: 'activeFile' },
] as const;

const thought: Part = {
  kind: 'reasoning',
  id: '0.0',
  sections: [
    '`subtotal` adds up `rowTotal`, and **the loop stops one row early**.',
    'The coupon is taken off twice.',
  ],
  openedAt: now - 18_000,
  closedAt: now - 9_000,
};

const reasons = `Two mistakes in \`subtotal\` make the total too small:

1. **The last row is left out.**
2. **The coupon counts twice.**

\`\`\`ts
return coupon ? Math.round(sum * 0.9) : sum;
\`\`\`

| Tea and a pot | now | right |
| --- | ---: | ---: |
| without a coupon | €9.00 | €35.05 |
`;

function said(text: string, id = '0.1'): Part {
  return { kind: 'answer', id, sections: [text], openedAt: now - 9_000, closedAt: now - 1_000 };
}

function running(id: string, parts: readonly Part[], more: Partial<Turn> = {}): Turn {
  const startedAt = now - 20_000;
  const requests = [sentRequest({ sentAt: startedAt })];
  return openTurn(id, { question, startedAt, parts, requests, ...more });
}

function ended(id: string, parts: readonly Part[], more: Partial<Turn> = {}): Turn {
  const times = { startedAt: now - 20_000, endedAt: now - 1_000 };
  const requests = [request({ sentAt: now - 20_000, endedAt: now - 1_000 })];
  return turn(id, { question, parts, requests, ...times, ...more });
}

function one(turnShown: Turn): Conversation {
  return { id: 'c', turns: [turnShown] };
}

const unseen: ProposedFile = {
  index: 0,
  path: 'src/cart.ts',
  change: 'update',
  added: 3,
  removed: 3,
  state: 'pending',
  seen: false,
  amended: false,
};
const files: readonly ProposedFile[] = [
  unseen,
  { ...unseen, index: 1, path: 'src/money.ts', added: 1, removed: 1, seen: true },
  { ...unseen, index: 2, path: 'test/cart.test.ts', change: 'add', added: 24, removed: 0 },
];

function call(proposal?: ProposalSummary, more: Partial<ToolPart> = {}): ToolPart {
  return {
    kind: 'tool',
    id: '0.2',
    name: 'apply_patch',
    input: '*** Begin Patch',
    openedAt: now - 6_000,
    askedAt: now - 4_000,
    ...(proposal !== undefined && { proposal }),
    ...more,
  };
}

function reading(id: string, path: string, outcome?: string): ToolPart {
  return {
    kind: 'tool',
    id,
    name: 'read_file',
    input: JSON.stringify({ path }),
    openedAt: now - 5_000,
    askedAt: now - 5_000,
    ...(outcome !== undefined && { outcome: { kind: 'done', text: outcome }, closedAt: now - 4_000 }),
  };
}

function asking(id: string, name: string, ...approvals: readonly Approval[]): ToolPart {
  const [first] = approvals;
  const input = first?.request.kind === 'command' ? { command: first.request.command } : { path: 'a' };
  return {
    ...{ kind: 'tool', id, name, input: JSON.stringify(input) },
    ...{ openedAt: now - 5_000, askedAt: now - 5_000, approvals },
  };
}

function asks(id: string, request: ApprovalRequest, answer?: Approval['answer']): Approval {
  return { id, request, askedAt: now - 4_000, ...(answer !== undefined && { answer }) };
}

const testRun: ApprovalRequest = {
  ...{ kind: 'command', command: 'npm test -- --grep "cart"', folder: 'shop', seconds: 120 },
};
/** Longer than its box, and with what would hide something. */
const longRun: ApprovalRequest = {
  kind: 'command',
  command: `cat <<'END' > cart.txt\n${Array.from({ length: 60 }, (_, line) => `row ${line + 1}`).join('\n')}\nEND\necho \u202edone\u2069${' '.repeat(300)}&& rm -rf build`,
  folder: 'shop/packages/with a rather long name/that goes on and on',
  seconds: 600,
};
const ignoredFile: ApprovalRequest = { kind: 'read', why: 'ignored', path: 'dist/cart.js' };
const linkedFolder: ApprovalRequest = {
  ...{ kind: 'read', why: 'leadsOut', path: 'data', target: '/srv/shop/data', folder: true },
};
const foreign: ApprovalRequest = {
  kind: 'foreignTool',
  owner: 'Database Explorer',
  name: 'run_query',
  description: 'Runs a query on the connected database and returns its rows.',
  input: JSON.stringify({ sql: 'select total from orders where id = 42', limit: 10 }),
};
const secrets: ApprovalRequest = {
  kind: 'secrets',
  from: 'config/local.ts',
  found: [
    { what: 'token', service: 'OpenAI', line: 3, hint: 'sk-li… (51 characters)' },
    { what: 'connectionString', line: 12, hint: 'postgres://shop:… (44 characters)' },
  ],
};

const effect = { anew: 120_000, more: 0.021, moreLater: -0.04 };

const nearlyFull = panelState({
  context: {
    model,
    used: 1_010_000,
    estimated: 8_000,
    window: 1_048_576,
    breakdown: breakdown({
      instructions: 900,
      tools: 1_100,
      attachments: 600_000,
      toolOutputs: 198_000,
      reasoning: 60_000,
      answers: 140_000,
      questions: 10_000,
    }),
    factor: 1,
    cacheUntil: now + 200_000,
    level: 'full',
  },
  room: [
    {
      what: 'attachments',
      tokens: 600_000,
      turns: 2,
      effect,
      files: [{ turn: 'a', index: 0, tokens: 400_000, effect }],
    },
    { what: 'reasoning', tokens: 60_000, turns: 4, effect },
    { what: 'toolOutputs', tokens: 198_000, turns: 3, effect },
    { what: 'oldestTurns', tokens: 100_000, turns: 3, effect },
  ],
});

const talk: Conversation = {
  id: 'c',
  turns: [
    ended('a', [said('The last row is left out of the total.')]),
    ended('b', [said('Yes.')], { question: { text: 'Is that all?', attachments: [] } }),
  ],
};

const long: Conversation = {
  id: 'c',
  turns: Array.from({ length: 12 }, (_, index) =>
    ended(`t${index}`, [said(`Answer ${index}.`)], {
      question: { text: `Question ${index}`, attachments: [] },
    }),
  ),
};

const versions = ['b', 'b2'].map((id, index) => ({
  turn: id,
  conversation: index === 0 ? 'c' : 'd',
  model,
  effort: index === 0 ? ('max' as const) : ('low' as const),
  startedAt: now - 40_000,
  endedAt: now - 20_000 * index - 10_000,
  end: 'completed' as const,
  requests: [request()],
}));

const formulas = `The sum is $\\sum_{i=1}^{n} i$, as shown[^1]:

$$\\frac{n(n+1)}{2}$$

> Quoted, with a [link](https://example.com/page) and an image ![A chart](https://example.com/chart.png).

- [x] done
- [ ] to do

\`\`\`js a/very/long/path.js
const answer = 42; // a line that is longer than a narrow panel shows without scrolling to the side
\`\`\`

[^1]: By pairing the first with the last.
`;

const strange = `مرحبا بالعالم، هذا نص عربي مع \`code(left, right)\` في الوسط.

שלום עולם: \`a + b\` בתוך משפט.

日本語の長い文章がここにあります。折り返しは必要です。

An override: \u202Eevil\u202C and a zero\u200Bwidth space; a family: 👨‍👩‍👧‍👦.

\`\`\`ts
const הודעה = 'مرحبا'; // \u202E mixed
\`\`\`

- عنصر أول
- second item
`;

/** What no host says: drawing it throws. */
const undrawable = { ...reading('0.1', 'src/cart.ts'), outcome: 1, name: 2 } as unknown as Part;

const nothing: Conversation = { id: 'c', turns: [] };

/** One of each kind that can be attached, with names as long as they come. */
const everyKind: readonly AttachmentSummary[] = (
  [
    { kind: 'file', path: 'src/a/folder/that/lies/deep/in/the/workspace/cart.ts', tokens: 566 },
    { kind: 'selection', path: 'src/cart.ts', range: { from: 12, to: 31 }, tokens: 203 },
    { kind: 'symbol', path: 'src/money.ts', name: 'formatMoney', range: { from: 5, to: 9 }, tokens: 99 },
    { kind: 'folder', path: 'src/ (texts)', tokens: 84_210 },
    { kind: 'problems', path: 'Problems of src/money.ts', tokens: 63 },
    { kind: 'diff', path: 'Staged changes', tokens: 1_288 },
    {
      kind: 'terminal',
      path: 'Terminal: npm run test -- --grep "the total of a cart with a coupon"',
      tokens: 2_930,
    },
    { kind: 'image', path: 'screenshot.png', tokens: 1_024 },
    { kind: 'pasted', path: 'Pasted text (12 lines)', tokens: 140 },
    { kind: 'summary', path: 'Summary of the last chat', tokens: 700 },
    { kind: 'instructions', path: 'AGENTS.md', tokens: 320 },
    { kind: 'prompt', path: '/review', tokens: 80 },
  ] as const
).map((one, index) => ({ id: `k${index}`, uri: `file:///${index}`, languageId: 'plaintext', ...one }));

export const pageStates: readonly PageState[] = [
  { name: 'loading', conversation: nothing, untold: true },
  {
    name: 'silent',
    conversation: nothing,
    untold: true,
    then: async (panel) => {
      await panel.pass(6_000);
      await panel.page.locator('.no-answer').waitFor();
    },
  },
  {
    name: 'silentLater',
    conversation: talk,
    then: async (panel) => {
      // Something was lost, and what asks for it anew is not answered.
      await panel.tell({ kind: 'events', seq: 9, events: [] });
      await panel.pass(6_000);
      await panel.page.locator('.no-answer').waitFor();
    },
  },
  {
    name: 'undrawable',
    conversation: one(ended('a', [undrawable, said('I have read it.', '0.2')])),
    then: ({ page }) => page.locator('.tool-label').waitFor(),
  },
  { name: 'empty', conversation: { id: 'c', turns: [] }, panel: panelState({ suggestions }) },
  { name: 'noKey', conversation: { id: 'c', turns: [] }, panel: panelState({ key: 'missing' }) },
  { name: 'noKeyLater', conversation: talk, panel: panelState({ key: 'missing' }) },
  { name: 'waiting', conversation: one(running('a', [])) },
  {
    name: 'streamingReasoning',
    conversation: one(
      running('a', [
        {
          kind: 'reasoning',
          id: '0.0',
          sections: ['The loop stops at `items.length'],
          openedAt: now - 12_000,
        },
      ]),
    ),
  },
  {
    name: 'streamingAnswer',
    conversation: one(
      running('a', [
        thought,
        {
          kind: 'answer',
          id: '0.1',
          sections: ['Two mistakes make it **too small**:\n\n```ts\nfor (const item of ite'],
          openedAt: now - 6_000,
        },
      ]),
    ),
  },
  {
    name: 'interruptable',
    conversation: one(running('a', [thought])),
    more: { draft: 'Wait: only the total.' },
  },
  {
    name: 'webSearchOn',
    conversation: talk,
    panel: panelState({
      webSearch: {
        on: true,
        differs: true,
        domains: ['nodejs.org', 'developer.mozilla.org'],
        domainCount: 7,
      },
    }),
  },
  {
    name: 'webSearchUnusable',
    conversation: talk,
    panel: panelState({ webSearch: { on: true, unusable: true, unread: 2 } }),
  },
  {
    name: 'tool',
    conversation: one(
      running('a', [
        thought,
        reading('0.1', 'src/cart.ts', 'export function subtotal() {}'),
        reading('0.2', 'src/money.ts'),
      ]),
    ),
  },
  {
    name: 'toolsOpen',
    conversation: one(
      ended('a', [
        reading('0.1', 'src/cart.ts', 'export function subtotal() {}'),
        reading('0.2', 'src/money.ts', 'export {}'),
        said('I have read both.', '0.3'),
      ]),
    ),
    then: async ({ page }) => {
      await page.locator('.tools > .fold-line').click();
      await page.locator('.tools .tool .fold-line').first().click();
    },
  },
  {
    name: 'asksCommand',
    conversation: one(running('a', [asking('0.1', 'run_command', asks('x', testRun))])),
  },
  {
    name: 'asksLongCommand',
    conversation: one(running('a', [asking('0.1', 'run_command', asks('x', longRun))])),
    then: async ({ page }) => {
      await page.locator('.approval-more').waitFor();
      await page.locator('.approval').scrollIntoViewIfNeeded();
    },
  },
  { name: 'asksTool', conversation: one(running('a', [asking('0.1', 'run_query', asks('x', foreign))])) },
  { name: 'asksSecrets', conversation: one(running('a', [asking('0.1', 'read_file', asks('x', secrets))])) },
  {
    name: 'asksSeveral',
    conversation: one(
      running('a', [
        reading('0.1', 'src/cart.ts', 'export function subtotal() {}'),
        asking('0.2', 'read_file', asks('x', ignoredFile)),
        asking('0.3', 'list_files', asks('y', linkedFolder)),
      ]),
    ),
    then: async (panel) => {
      await panel.button('Deny, and say why').first().click();
    },
  },
  {
    name: 'answeredApprovals',
    conversation: one(
      ended('a', [
        {
          ...asking('0.1', 'run_command', asks('x', testRun, { kind: 'allow', remember: true })),
          ...{ outcome: { kind: 'done', text: '3 passing' }, closedAt: now - 2_000 },
        },
        {
          ...asking('0.2', 'read_file', asks('y', ignoredFile, { kind: 'deny', reason: 'It is built.' })),
          ...{ outcome: { kind: 'rejected', text: 'The person does not allow it.' }, closedAt: now - 2_000 },
        },
        said('The tests pass.', '0.3'),
      ]),
    ),
    then: async ({ page }) => {
      for (const line of await page.locator('.tool > .fold-line').all()) await line.click();
    },
  },
  {
    name: 'reasoningOpen',
    conversation: one(ended('a', [thought, said(reasons)])),
    then: ({ page }) => page.locator('.reasoning .fold-line').click(),
  },
  {
    name: 'patchWriting',
    conversation: one(
      running('a', [
        thought,
        {
          kind: 'tool',
          id: '0.2',
          name: 'apply_patch',
          input: '*** Begin Patch',
          openedAt: now - 4_000,
          progress: { files: [{ path: 'src/cart.ts', change: 'update', added: 2, removed: 2 }] },
        },
      ]),
    ),
  },
  {
    name: 'patchPending',
    conversation: one(running('a', [thought, said(reasons), call({ id: 'p', files })])),
  },
  {
    name: 'patchRejecting',
    conversation: one(running('a', [call({ id: 'p', files })])),
    then: async (panel) => {
      await panel.pass(600);
      await panel.button('Reject').click();
    },
  },
  {
    name: 'patchConflict',
    conversation: one(
      running('a', [
        call({
          id: 'p',
          files: [
            { ...unseen, state: 'conflict', note: 'The lines were changed meanwhile.' },
            {
              ...unseen,
              index: 1,
              path: 'src/old.ts',
              to: 'src/new.ts',
              change: 'move',
              hunks: { open: 3, moved: 1, conflicting: 1, hidden: 1, there: 0, accepted: 1, rejected: 0 },
            },
          ],
        }),
      ]),
    ),
  },
  {
    name: 'patchSettled',
    conversation: one(
      ended('a', [
        thought,
        call(
          {
            id: 'p',
            files: files.map((file, index) =>
              index === 2
                ? { ...file, state: 'rejected' }
                : { ...file, state: 'accepted', canTakeBack: true },
            ),
          },
          { outcome: { kind: 'done', text: 'Done.' }, closedAt: now - 3_000 },
        ),
        said('Both files are changed.', '1.0'),
      ]),
    ),
  },
  {
    name: 'patchProblems',
    conversation: one(
      ended('a', [
        call(
          {
            id: 'p',
            files: files.map((file) => ({ ...file, state: 'accepted', canTakeBack: true })),
          },
          { outcome: { kind: 'done', text: 'Done.' }, closedAt: now - 3_000 },
        ),
        said('Both files are changed.', '1.0'),
      ]),
    ),
    panel: panelState({
      problems: [
        {
          ...{ proposal: 'p', checking: false, fixed: 24, introduced: 2, unknown: 1 },
          shown: [
            {
              ...{ index: 0, kind: 'introduced', severity: 'error', path: 'src/shop/cart.ts', line: 12 },
              message: "Type 'Money \u202e| undefined' is not assignable\nto type 'string'.",
              ...{ source: 'ts 2322', canTakeBack: true },
            },
            {
              ...{ index: 1, kind: 'introduced', severity: 'warning', path: 'src/other.ts', line: 1_200 },
              ...{ message: "'sum' is assigned a value but never used.", source: '' },
            },
            {
              ...{ index: 2, kind: 'fixed', severity: 'error', path: 'src/shop/cart.ts', line: 7 },
              ...{ message: "Property 'prize' does not exist on type 'Item'.", source: 'ts 2551' },
            },
          ],
        },
      ],
    }),
    then: ({ page }) => page.locator('.problems .fold-line').click(),
  },
  {
    name: 'patchUnfit',
    conversation: one(
      ended('a', [
        call(undefined, {
          outcome: { kind: 'failed', text: 'No such lines in src/cart.ts.' },
          closedAt: now - 3_000,
        }),
        said('I will read the file first.', '1.0'),
      ]),
    ),
    then: ({ page }) => page.locator('.tool .fold-line').click(),
  },
  {
    name: 'error',
    conversation: one(
      ended('a', [], {
        end: {
          kind: 'failed',
          failure: { kind: 'rateLimited', message: 'Requests per minute exceeded', retryAfter: 600_000 },
        },
      }),
    ),
    then: (panel) => panel.button('Details').click(),
  },
  {
    name: 'brokenAnswer',
    conversation: one(
      ended('a', [said('Two mistakes make it too')], {
        end: { kind: 'failed', failure: { kind: 'network', code: 'ECONNRESET', message: 'no', sent: true } },
        broken: ['0.1'],
      }),
    ),
  },
  { name: 'stopped', conversation: one(ended('a', [said('Two mistakes')], { end: { kind: 'stopped' } })) },
  {
    name: 'endedEarly',
    conversation: one(
      ended('a', [said('Two mistakes')], { end: { kind: 'incomplete', reason: 'max_output_tokens' } }),
    ),
  },
  {
    name: 'retrying',
    conversation: one(
      running('a', [], {
        retry: {
          failure: { kind: 'overloaded', message: '', status: 503 },
          attempt: 2,
          of: 4,
          since: now,
          until: now + 5_000,
        },
      }),
    ),
  },
  {
    name: 'longConversation',
    conversation: long,
    then: async ({ page }) => {
      const list = page.locator('.transcript');
      await list.evaluate((element) => element.scrollTo({ top: 100 }));
      await page.locator('.jump').waitFor();
    },
  },
  {
    name: 'editInPlace',
    conversation: talk,
    then: (panel) => panel.button('Edit the question').first().click(),
  },
  {
    name: 'answerAgain',
    conversation: talk,
    then: async (panel) => {
      await panel.button('Answer again').last().click();
      await panel.tell({ kind: 'weighed', turn: 'b', model, effort: 'max', edited: false, next: dear });
    },
  },
  {
    name: 'turnMenu',
    conversation: talk,
    then: (panel) => panel.button('More actions').last().press('Enter'),
  },
  {
    name: 'versions',
    conversation: talk,
    more: { versions: [{ turn: 'b', versions }] },
    then: (panel) => panel.button('Compare versions').click(),
  },
  {
    name: 'deletedTurn',
    conversation: {
      id: 'c',
      turns: [
        ended('a', [], { removed: true, question: { text: '', attachments: [] } }),
        ended('b', [said('Yes.')], { question: { text: 'Is that all?', attachments: [] } }),
      ],
    },
  },
  {
    name: 'cutTurns',
    conversation: {
      id: 'c',
      turns: [
        ended('a', [said('Yes.')], { cut: { whole: true } }),
        ended('b', [said('Yes.')], { cut: { attachments: true, toolOutputs: true } }),
      ],
    },
    panel: panelState({ leftOut: { tokens: 100_000, turns: 2 } }),
  },
  {
    name: 'bill',
    conversation: one(ended('a', [said('Yes.')])),
    then: ({ page }) => page.locator('.footer-facts').click(),
  },
  {
    name: 'findBar',
    conversation: talk,
    then: async (panel) => {
      await panel.tell({ kind: 'find' });
      await panel.page.locator('.find-text').fill('total');
      await panel.page.locator('.find-count', { hasText: /\d/ }).waitFor();
    },
  },
  {
    name: 'findNothing',
    conversation: talk,
    then: async (panel) => {
      await panel.tell({ kind: 'find' });
      await panel.page.locator('.find-text').fill('elsewhere');
      await panel.page.locator('.find-count', { hasText: /./ }).waitFor();
    },
  },
  {
    name: 'attached',
    conversation: one(
      ended('a', [said('Yes.')], { question: { text: 'Is all of this right?', attachments: everyKind } }),
    ),
    panel: panelState({ attachments: everyKind }),
  },
  {
    name: 'completion',
    conversation: talk,
    then: (panel) => nameIn(panel, 'Compare @ca', nameable, 2),
  },
  {
    name: 'completionCommands',
    conversation: talk,
    then: (panel) => nameIn(panel, '/', commands, 0),
  },
  {
    name: 'completionNothing',
    conversation: talk,
    then: (panel) => nameIn(panel, 'Why @zebra', [], 0),
  },
  {
    name: 'meter',
    conversation: talk,
    panel: nearlyFull,
    then: async ({ page }) => {
      await page.locator('.meter-line').click();
      await page.locator('.map-files .fold-line').click();
    },
  },
  {
    name: 'confirm',
    conversation: talk,
    panel: panelState({
      attachments: [cart, money],
      spending: { ...panelState().spending!, limits: { confirmAbove: 0.5 }, next: dear },
    }),
    more: { draft: 'And what about shipping?' },
    then: async (panel) => {
      await panel.tell({
        kind: 'confirm',
        asked: { kind: 'send', id: 'q', text: 'And what about shipping?' },
        next: dear,
      });
      await panel.page.locator('.confirm').waitFor();
    },
  },
  {
    name: 'secrets',
    conversation: talk,
    panel: panelState({ attachments: [cart, money] }),
    more: { draft: 'And what about shipping?' },
    then: async (panel) => {
      await panel.tell({
        kind: 'secrets',
        check: 'k',
        asked: { kind: 'send', id: 'q', text: 'And what about shipping?' },
        places: [
          { found: [{ what: 'ownKey', line: 1, hint: 'sk-e…', length: 51 }] },
          {
            chip: cart,
            found: [
              { what: 'token', service: 'GitHub', line: 22, hint: 'ghp_q7Zb…', length: 36 },
              { what: 'connectionString', line: 24, hint: 'postgres://shop:Z…', length: 14 },
            ],
          },
          { chip: money, found: [{ what: 'privateKey', line: 3, hint: '-----BEGIN RSA PRIVATE KEY-----' }] },
        ],
        more: 12,
      });
      await panel.page.locator('.secrets-found').waitFor();
    },
  },
  {
    name: 'written',
    conversation: talk,
    panel: panelState({ attachments: [cart, money] }),
    more: { draft: 'And what about shipping?\n\nIt is free from 50 euros.' },
  },
  {
    name: 'along',
    conversation: talk,
    panel: panelState({
      attachments: [money],
      along: {
        chips: [
          { ...agents, changed: true },
          {
            ...agents,
            id: 'own',
            path: 'Your instructions',
            uri: 'kimi-prompt:/instructions.md',
            tokens: 31,
          },
          {
            id: 'prompt-release',
            kind: 'prompt',
            path: '.github/prompts/release.prompt.md',
            uri: 'file:///shop/.github/prompts/release.prompt.md',
            languageId: 'markdown',
            tokens: 212,
          },
        ],
        left: [{ ...agents, id: 'nearer', path: 'packages/checkout/AGENTS.md' }],
        note: 'In release.prompt.md, this is not used here: agent, tools.',
        skipped: ['docs/AGENTS.md is not sent: ignore rules keep it from being read. Attach it to send it.'],
      },
    }),
    more: { draft: '/release 1.2' },
  },
  {
    name: 'commitMessage',
    conversation: one(
      ended('a', [said('```text\nRound each line before the sum\n\nThe total was off by a cent.\n```')], {
        question: {
          text: '/commit',
          attachments: [
            {
              id: 'diff',
              kind: 'diff',
              path: 'Staged changes',
              uri: 'kimi-attached:/diff/staged',
              languageId: 'diff',
              tokens: 1_830,
            },
            {
              id: 'prompt-commit',
              kind: 'prompt',
              path: '/commit',
              uri: 'kimi-prompt:/command/commit.md',
              languageId: 'markdown',
              tokens: 128,
            },
          ],
        },
      }),
    ),
  },
  {
    name: 'orphans',
    conversation: { id: 'c', turns: [] },
    panel: panelState({ orphans: [{ id: 'o', files }] }),
  },
  {
    name: 'webSearch',
    conversation: one(
      ended('a', [
        {
          kind: 'search',
          id: '0.0',
          openedAt: now - 9_000,
          closedAt: now - 8_000,
          search: {
            action: { kind: 'search', queries: ['rounding of cents'] },
            sources: [
              { url: 'https://example.com/rounding', title: 'How to round' },
              { url: 'https://example.org/cents' },
            ],
            images: [{ url: 'https://example.com/chart.png', caption: 'A chart' }],
          },
        },
        {
          kind: 'answer',
          id: '0.1',
          sections: ['Cents are rounded half up.'],
          openedAt: now - 8_000,
          closedAt: now - 1_000,
          citations: [
            { section: 0, from: 0, to: 25, url: 'https://example.com/rounding', title: 'How to round' },
          ],
        },
      ]),
    ),
    then: ({ page }) => page.locator('.search .fold-line').click(),
  },
  {
    name: 'richText',
    conversation: one(ended('a', [said(formulas)])),
    then: ({ page }) => page.locator('math').first().waitFor(),
  },
  {
    name: 'doubtfulLink',
    conversation: one(ended('a', [said('See [https://good.example](https://evil.example/x).')])),
    then: ({ page }) => page.getByRole('link').first().click(),
  },
  {
    name: 'strangeText',
    conversation: one(
      ended('a', [said(strange)], {
        question: { text: 'مرحبا\nEnglish in the second line', attachments: [] },
      }),
    ),
  },
  {
    name: 'codeApplied',
    conversation: one(ended('a', [said(reasons)])),
    then: async (panel) => {
      await panel.button('Apply…').click();
      const { from } = await panel.posted('applyCode');
      const proposal = { id: 'code', files: [unseen] };
      await panel.tell({ kind: 'panel', panel: panelState({ code: [{ from, proposal }] }) });
      await panel.page.locator('.applied').waitFor();
    },
  },
  {
    name: 'queued',
    conversation: one(
      running('a', [{ kind: 'answer', id: '0.1', sections: ['Two mistakes'], openedAt: now - 6_000 }]),
    ),
    more: {
      queue: {
        questions: [
          { id: 'q1', text: 'And shipping?', attachments: [money] },
          { id: 'q2', text: 'مرحبا بالعالم', attachments: [] },
          { id: 'q3', text: 'Gone', attachments: [], removed: true },
        ],
      },
    },
  },
  {
    name: 'queuePaused',
    conversation: one(ended('a', [said('Two mistakes')], { end: { kind: 'stopped' } })),
    more: {
      queue: {
        questions: [{ id: 'q1', text: 'And shipping?', attachments: [] }],
        paused: { kind: 'stopped' },
      },
    },
  },
  {
    name: 'switchModel',
    conversation: talk,
    then: async (panel) => {
      await panel.page.getByRole('combobox', { name: panel.said('Model') }).selectOption('kimi-k3');
      await panel.tell({
        kind: 'choiceWeighed',
        model: 'kimi-k3',
        effort: 'max',
        next: dear,
        now: panelState().spending!.next,
      });
      await panel.page.locator('.switch').waitFor();
    },
  },
  {
    name: 'hostNotice',
    conversation: talk,
    then: (panel) => panel.tell({ kind: 'notice', text: 'The file could not be opened.' }),
  },
];

/** Each way in which a turn can fail, and those of its variants that help otherwise. */
const failures: readonly Failure[] = [
  { kind: 'noKey' },
  { kind: 'badKey', message: 'invalid key' },
  { kind: 'forbidden', message: 'not for this key' },
  { kind: 'modelUnknown', message: 'no such model' },
  { kind: 'outOfQuota', message: 'no credit' },
  { kind: 'rateLimited', message: 'too many', retryAfter: 600_000 },
  { kind: 'overloaded', message: 'busy', status: 503 },
  { kind: 'contextTooLong', message: 'too long' },
  { kind: 'contentFilter', message: 'filtered' },
  { kind: 'noWebSearch', message: 'no such tool' },
  { kind: 'refused', message: 'no such field', status: 400 },
  { kind: 'serverError', message: 'oops', status: 500 },
  { kind: 'network', code: 'ECONNRESET', message: 'reset', sent: true },
  { kind: 'network', code: 'ENOTFOUND', message: 'no such host', sent: false },
  { kind: 'network', code: 'ECONNREFUSED', message: 'no', sent: false, proxy: 'proxy.example:3128' },
  {
    kind: 'network',
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    message: 'no',
    sent: false,
    untrusted: true,
    issuer: 'Corp Root CA 2031',
  },
  { kind: 'silence', seconds: 900 },
  { kind: 'brokenStream', detail: 'no terminal event' },
  { kind: 'unchanged', message: 'no such field' },
  { kind: 'spendingLimit', scope: 'day', limit: 5, spent: 4.98, expected: 0.031 },
  { kind: 'spendingLimit', scope: 'conversation', limit: 2, spent: 1.98, expected: 0.031 },
  { kind: 'tooManyRounds', rounds: 50 },
  { kind: 'bug', detail: 'TypeError: no' },
];

/** The last of two turns failed so: only there is all of it that can be pressed. Shown without loading the page anew. */
export const failedStates: readonly (PageState & { readonly failure: Failure })[] = failures.map(
  (failure, index) => ({
    name: `${failure.kind} ${index}`,
    failure,
    conversation: {
      id: `failed${index}`,
      turns: [ended('a', [said('Yes.')]), ended('b', [], { end: { kind: 'failed', failure } })],
    },
  }),
);

/** Throws when there is none of this name. */
export function pageState(name: string): PageState {
  const found = pageStates.find((state) => state.name === name);
  if (found === undefined) throw new Error(`no state of the name ${name}`);
  return found;
}
