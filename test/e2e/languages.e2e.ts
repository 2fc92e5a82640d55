/** The panel in each of its languages: all that it says fits at 300 px, and the real workbench gives it the language it has itself. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Failure, ProposedFile, ToolPart, Turn } from '../../src/core/conversation/conversation.ts';
import type { PanelState } from '../../src/protocol/toWebview.ts';
import { launchBrowser } from '../run/browser.ts';
import { repository, screenshotsPath } from '../run/places.ts';
import { answer, gate } from '../simulator/main.ts';
import { misfitsOf } from './support/fit.ts';
import { longerBundle } from './support/longer.ts';
import { faultsOf, lookAt } from './support/look.ts';
import {
  breakdown,
  dear,
  family,
  openTurn,
  PanelPage,
  panelState,
  request,
  sentRequest,
  turn,
} from './support/panelPage.ts';
import { explanation, patch, selected, thoughts } from './support/scene.ts';
import { useStage } from './support/stage.ts';
import { failedStates, now, pageStates, showState } from './support/states.ts';
import { isWhole } from './support/whole.ts';

async function bundleOf(language: string): Promise<Readonly<Record<string, string>>> {
  const file = path.join(repository, `media/l10n/panel.l10n.${language}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
}

const full: PanelState = panelState({
  context: {
    model: 'kimi-k3.1-pro',
    used: 1_000_000,
    estimated: 1_000_000,
    window: 1_048_576,
    breakdown: breakdown({ instructions: 900, tools: 1_100, attachments: 800_000, toolOutputs: 198_000 }),
    factor: 1,
    level: 'full',
  },
  spending: {
    ...panelState().spending!,
    limits: { confirmAbove: 0.5, day: 5, conversation: 2 },
    next: dear,
    family,
    unkept: true,
  },
  room: [
    { what: 'attachments', tokens: 800_000, turns: 2, effect: { more: 0.9, anew: 212_000, moreLater: 0 } },
    { what: 'toolOutputs', tokens: 190_000, turns: 2, effect: { more: -0.02, anew: 0, moreLater: -0.02 } },
    { what: 'oldestTurns', tokens: 100_000, turns: 1_200, effect: { more: 0, anew: 0, moreLater: 0 } },
  ],
});

function proposed(index: number, more: Partial<ProposedFile>): ProposedFile {
  return {
    index,
    path: `src/file${index}.ts`,
    change: 'update',
    added: 12,
    removed: 3,
    state: 'pending',
    seen: false,
    amended: false,
    ...more,
  };
}

function patchTurn(id: string, ...files: readonly ProposedFile[]): Turn {
  const tool: ToolPart = {
    kind: 'tool',
    id: '0.2',
    name: 'apply_patch',
    input: '*** Begin Patch',
    openedAt: 6_000,
    askedAt: 7_000,
    proposal: { id: `${id}-proposal`, files },
  };
  const running = openTurn(id);
  return { ...running, parts: [...running.parts, tool] };
}

const hunks = { open: 4, moved: 1, conflicting: 1, hidden: 2, there: 1, accepted: 2, rejected: 1 } as const;
const kinds = ['accepted', 'takenBack', 'rejected', 'there', 'conflict', 'failed', 'cancelled'] as const;

const failures: readonly Failure[] = [
  { kind: 'noKey' },
  { kind: 'badKey', message: 'invalid key' },
  { kind: 'outOfQuota', message: 'no' },
  { kind: 'rateLimited', message: 'no', retryAfter: 600_000 },
  { kind: 'contextTooLong', message: 'no' },
  {
    kind: 'network',
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    message: 'no',
    sent: false,
    issuer: 'Corp Root CA 2031',
  },
  { kind: 'silence', seconds: 900 },
  { kind: 'spendingLimit', scope: 'day', limit: 5, spent: 4.98, expected: 0.031 },
  { kind: 'tooManyRounds', rounds: 50 },
];

/** Shows each main state, and calls `judge` for each. */
async function eachState(panel: PanelPage, judge: (state: string) => Promise<void>): Promise<void> {
  const { page } = panel;
  const now = await page.evaluate(() => Date.now());
  const running = openTurn('r', { parts: [], startedAt: now });
  const requests = [sentRequest({ sentAt: now })];

  await panel.shows({ id: 'empty', turns: [] });
  await judge('empty');
  await panel.shows({ id: 'key', turns: [] }, panelState({ key: 'missing' }), { draft: 'x' });
  await judge('no-key');
  await panel.shows({ id: 'store', turns: [] }, panelState({ key: 'unreadable' }));
  await judge('key-unreadable');
  await panel.shows({ id: 'thinking', turns: [{ ...running, requests }] }, panelState(), {
    at: now,
    draft: 'x',
  });
  await judge('thinking');
  await panel.pass(65_000);
  await judge('silence');
  await panel.shows({
    id: 'retry',
    turns: [
      {
        ...running,
        requests: [request({ sentAt: now })],
        retry: {
          failure: { kind: 'overloaded', message: '', status: 503 },
          attempt: 2,
          of: 4,
          since: now,
          until: now + 900_000,
          asked: 7_200_000,
          via: 'api.evolink.ai',
        },
      },
    ],
  });
  await judge('retry');
  await panel.shows({
    id: 'patch',
    turns: [
      patchTurn(
        'p',
        proposed(0, { hunks }),
        proposed(1, { change: 'add', path: 'src/a/long/way/down/to/a/file.ts' }),
        proposed(2, { change: 'move', to: 'lib/file2.ts', amended: true, hunks }),
        proposed(3, { change: 'delete', state: 'conflict' }),
      ),
    ],
  });
  await judge('patch');
  await panel.shows({
    id: 'settled',
    turns: kinds.map((state, index) => ({
      ...patchTurn(
        `s${index}`,
        proposed(0, { state, canTakeBack: true }),
        proposed(1, { state: 'accepted', canTakeBack: true, partly: true }),
      ),
      end: { kind: 'completed' },
      endedAt: 19_000,
    })),
  });
  await judge('settled');
  await panel.shows({
    id: 'failures',
    turns: failures.map((failure, index) => turn(`f${index}`, { end: { kind: 'failed', failure } })),
  });
  await judge('failures');
  await panel.shows({ id: 'stopped', turns: [turn('t', { end: { kind: 'stopped' } })] });
  await judge('stopped');
  const unknown = turn('u', {
    requests: [request(), request({ round: 1, usage: null, via: 'api.evolink.ai' })],
    cut: { attachments: true, toolOutputs: true },
  });
  await panel.shows({ id: 'cost', turns: [unknown] }, full, { draft: 'Why?' });
  await page.locator('.footer-facts').click();
  await judge('bill');
  await page.locator('.meter-line').click();
  await judge('meter');
  await page.locator('.meter-line').press('Escape');
  await panel.composer.fill('Why?');
  await panel.tell({ kind: 'confirm', asked: { kind: 'send', id: 'q', text: 'Why?' }, next: dear });
  await page.locator('.confirm').waitFor();
  await judge('confirm');
  const kindsOfSecrets = 'ownKey token privateKey webhook jwt connectionString password assignment'.split(
    ' ',
  );
  const found = kindsOfSecrets.map((what) => ({ what, line: 12, hint: 'API_KEY=q7Zb…', length: 36 }));
  await panel.tell({
    ...{ kind: 'secrets', check: 'k', places: [{ found }], more: 12 },
    asked: { kind: 'send', id: 'q', text: 'Why?' },
  });
  await page.locator('.secrets-found').waitFor();
  await judge('secrets');
}

const judged = ['zh-cn', 'ko', 'longer'];

describe('the panel in other languages', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
    await mkdir(screenshotsPath, { recursive: true });
  });
  after(() => browser.close());

  it('is judged by something that sees what does not fit', async () => {
    const panel = await PanelPage.open(browser, { width: 300 });
    await panel.shows({ id: 'c', turns: [turn('t')] });
    assert.deepEqual(await misfitsOf(panel.page), []);
    await panel.page.locator('.transcript-content').evaluate((content) => {
      content.insertAdjacentHTML(
        'afterbegin',
        `<div style="position: relative">
           <p style="width: 40px; overflow: hidden; white-space: nowrap">cut at the side</p>
           <p style="width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">dots at the side</p>
           <p style="height: 12px; overflow: hidden; line-height: 20px">cut<br />below</p>
           <button style="width: 40px; white-space: nowrap; overflow: visible">out of its button</button>
           <button style="width: 60px">in far too many lines of text</button>
           <select style="width: 50px; padding: 0"><option>chosen and cut</option></select>
           <div style="height: 40px"><button style="position: absolute; width: 90px">over</button><button style="position: absolute; left: 60px">under</button></div>
         </div>`,
      );
    });
    const misfits = (await misfitsOf(panel.page)).join('\n');
    for (const seen of [
      /"cut at the side" is cut off at the side/,
      /"dots at the side" is cut off at the side/,
      /"below" is cut off below|"cutbelow" is cut off below/,
      /"out of its button" stands out of its button/,
      /"in far too many lines of text" has \d lines/,
      /px of "chosen and cut"/,
      /"over" lies over .*"under"/,
    ])
      assert.match(misfits, seen);
    await panel.close();
  });

  for (const language of judged) {
    it(`says everything whole at 300 px: ${language}`, async () => {
      const bundle = language === 'longer' ? longerBundle() : await bundleOf(language);
      const locale = language === 'longer' ? 'de' : language;
      const panel = await PanelPage.open(browser, { width: 300, bundle, locale });
      const found: string[] = [];
      await eachState(panel, async (state) => {
        if (isWhole) {
          await panel.page.screenshot({
            path: path.join(screenshotsPath, `language-${language}-${state}.png`),
          });
        }
        const faults = [...(await faultsOf(panel.page)), ...(await misfitsOf(panel.page))];
        found.push(...faults.map((fault) => `${state}: ${fault}`));
      });
      // And whatever else is shown in this language, in every state of the panel.
      const states = [...pageStates, ...failedStates];
      const turn = judged.indexOf(language);
      // The one with the longest words says the most: the others share the states, where not all is wanted.
      const shown =
        isWhole || language === 'longer' ? states : states.filter((_, index) => index % 4 === turn);
      for (const state of shown) {
        // Anew only where something is opened, or nothing is told: a page takes long to load.
        if (state.then !== undefined || state.untold === true) await showState(panel, state);
        else await panel.shows(state.conversation, state.panel ?? panelState(), { at: now, ...state.more });
        const misfits = await misfitsOf(panel.page);
        found.push(...misfits.map((misfit) => `${state.name}: ${misfit}`));
      }
      assert.deepEqual(found, []);
      await panel.close();
    });
  }
});

/** One of them shows that the workbench hands its language on; `languages.test.ts` that each has all texts. */
const workbenches = [
  [
    'zh-cn',
    {
      question: '提问',
      send: '发送',
      thinking: '正在思考',
      accept: '全部接受',
      taken: '新建对话',
      diff: '补丁',
    },
  ],
  [
    'ko',
    {
      question: '질문',
      send: '보내기',
      thinking: '생각하는 중',
      accept: '모두 수락',
      taken: '새 대화',
      diff: '패치',
    },
  ],
] as const;

for (const [language, said] of isWhole ? workbenches : workbenches.slice(0, 1)) {
  describe(`a workbench in ${language}`, () => {
    const stage = useStage({
      language,
      open: { file: selected.file, line: 22 },
      size: { width: 1440, height: 900 },
    });

    it('has the panel, the commands and what VS Code shows for them in its language', async () => {
      const { bench, chat, simulator } = stage;
      assert.equal(await bench.inside((vscode) => vscode.env.language), language);
      const { panel } = bench;
      assert.equal(await panel.locator('html').getAttribute('lang'), language);
      await lookAt(stage, `language-${language}-empty`, [[300, ['dark']]]);

      simulator.reply(answer(thoughts(gate('held')), explanation(), patch()));
      const composer = panel.getByRole('textbox', { name: said.question });
      await composer.fill(`${said.question} 1`);
      await panel.getByRole('button', { name: said.send }).click();
      await panel.locator('.reasoning', { hasText: said.thinking }).waitFor();
      await lookAt(stage, `language-${language}-thinking`, [[300, ['dark']]]);
      simulator.open('held');
      await panel.getByRole('button', { name: said.accept }).waitFor();
      await lookAt(stage, `language-${language}-patch`, [
        [300, ['dark', 'light']],
        [600, ['dark']],
      ]);
      assert.deepEqual(await misfitsOf(panel), []);

      // What the host says: the title of a diff, and the name of a command.
      await panel.locator('.patch-open').nth(1).click();
      await bench.waitFor('the diff', async () => {
        const label = await bench.inside((vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label);
        return label?.startsWith('money.ts') === true && label.includes(said.diff);
      });
      await bench.screenshot(`language-${language}-diff`);
      await bench.runCommand(`Kimi Chat: ${said.taken}`);
      await chat.turns.first().waitFor({ state: 'detached' });
    });
  });
}
