/**
 * The panel in a browser, beside the common way of drawing the same: what a piece of an answer costs when much has come before it,
 * how long tasks get, how soon a key is seen, how long a conversation takes to open, and what two thousand turns weigh. Milliseconds of
 * work are processor time of the page's main thread. Both are measured in turns within one run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { repository } from '../run/places.ts';
import { percentile, type Report } from './bench.ts';
import { buildCommon, openCommon } from './panel/reactMarkdown.ts';
import type { Contestant } from './panel/contestant.ts';
import { PageMeter, spread } from './panel/measure.ts';
import { openOurs } from './panel/ours.ts';
import { markdown, runningTurn, settledTurns } from '../support/longConversations.ts';

/** Milliseconds between posts to the panel. */
const apart = 33;
/** What arrives between two of them at 200 tokens a second. */
const piece = 27;
const megabyte = 1_000_000;

function piecesOf(text: string, length = piece): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
}

type Open = (browser: Browser) => Promise<Contestant>;

type Run = (contestant: Contestant, meter: PageMeter) => Promise<readonly string[]>;

/** Runs the same in a page of each, one after the other. */
async function each(run: Run): Promise<readonly string[]> {
  const { script, made } = await buildCommon();
  return [
    `the common way is made of ${made}`,
    ...(await ours(run)),
    ...(await inPage(run, (browser) => openCommon(browser, script))),
  ];
}

function ours(run: Run): Promise<readonly string[]> {
  return inPage(run, openOurs);
}

async function inPage(run: Run, open: Open): Promise<readonly string[]> {
  const browser = await launchBrowser();
  try {
    const contestant = await open(browser);
    const meter = await PageMeter.of(contestant.page);
    return (await run(contestant, meter)).map((line) => `${contestant.name}: ${line}`);
  } finally {
    await browser.close();
  }
}

/** Work for each piece, in rounds; idle frames are part of it. */
async function pieceCosts(
  contestant: Contestant,
  meter: PageMeter,
  pieces: readonly string[],
  rounds: number,
): Promise<number[]> {
  const costs: number[] = [];
  const count = Math.floor(pieces.length / rounds);
  for (let round = 0; round < rounds; round += 1) {
    const before = await meter.work();
    await contestant.streams(pieces.slice(round * count, (round + 1) * count), apart);
    costs.push(((await meter.work()) - before) / count);
  }
  return costs;
}

async function streaming(contestant: Contestant, meter: PageMeter): Promise<readonly string[]> {
  const isOurs = contestant.name === 'ours';
  const lines: string[] = [];
  const medians: number[] = [];
  for (const [words, size] of [
    ['10 KB', 10_000],
    ['1 MB', megabyte],
  ] as const) {
    await contestant.opens([...settledTurns(3), runningTurn('r', markdown(size))]);
    // The common way takes seconds for each piece of a long answer.
    const rounds = isOurs || size < megabyte ? 10 : 2;
    const pieces = piecesOf(markdown(rounds * (rounds === 2 ? 1 : 20) * piece * 1.2)).slice(0, rounds * 20);
    await contestant.streams(pieces.slice(0, 1), apart);
    await meter.longTasks();
    const costs = await pieceCosts(contestant, meter, pieces, rounds);
    const long = await meter.longTasks();
    medians.push(percentile(costs, 0.5));
    lines.push(
      `a piece after ${words}: ${spread(costs)} of work${size === 10_000 ? ' (wanted: at most 4)' : ''}; ` +
        `${long.length} tasks over 50 ms in ${pieces.length} pieces (wanted: none), the longest ${Math.max(0, ...long).toFixed(0)} ms`,
    );
  }
  const [small = Number.NaN, large = Number.NaN] = medians;
  lines.push(
    `a piece after 1 MB costs ${(large / small).toFixed(2)} times one after 10 KB (wanted: at most 1.3)`,
  );
  return lines;
}

async function typing(contestant: Contestant, meter: PageMeter): Promise<readonly string[]> {
  await contestant.opens([...settledTurns(2_000), runningTurn('r', markdown(10_000))]);
  await contestant.page.locator(contestant.field).focus();
  await meter.keys();
  const streamed = contestant.streams(piecesOf(markdown(300 * piece)).slice(0, 300), apart);
  for (let key = 0; key < 100; key += 1) {
    await contestant.page.keyboard.press('a');
    await contestant.page.waitForTimeout(60 + (key % 17));
  }
  await streamed;
  const keys = await meter.keys();
  const whole = keys.map((key) => key.whole);
  const work = keys.map((key) => key.work);
  return [
    `a key until it is seen, 2,000 turns, while streaming: ${spread(whole)}, p95 ${percentile(whole, 0.95).toFixed(1)} ms, ${keys.length} keys; up to 16.7 ms of it is the wait for a frame at 60 Hz`,
    `of that all but the wait for the screen’s next frame: ${spread(work)}, p95 ${percentile(work, 0.95).toFixed(1)} ms (wanted: at most 16)`,
  ];
}

/** Texts of which all, or nearly all, may still change: none of it settles while more comes. */
const tails: readonly {
  readonly name: string;
  readonly kind: 'answer' | 'reasoning';
  readonly text: string;
}[] = [
  {
    name: 'a code fence of 1 MB that is open',
    kind: 'answer',
    text: `\`\`\`ts\n${'export const total = lines.reduce((sum, line) => sum + line.price, 0);\n'.repeat(14_300)}`,
  },
  {
    name: 'one list of 10,000 items',
    kind: 'answer',
    text: Array.from({ length: 10_000 }, (_, at) => `- item ${at} has a \`price\` and a **count**\n`).join(
      '',
    ),
  },
  {
    name: 'a summary of reasoning of 200,000 pieces',
    kind: 'reasoning',
    text: markdown(200_000 * 5),
  },
];

async function unsettled(contestant: Contestant, meter: PageMeter): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { name, kind, text } of tails) {
    const turn = runningTurn('r', '');
    const part = { kind, id: '0.0', sections: [text], openedAt: 2_000 } as const;
    await contestant.opens([...settledTurns(3), { ...turn, parts: [part] }]);
    await contestant.page.waitForTimeout(1_000);
    await meter.longTasks();
    const added = kind === 'answer' ? text.slice(text.indexOf('\n') + 1) : markdown(6_000);
    const pieces = piecesOf(added.slice(0, 120 * piece));
    const costs = await pieceCosts(contestant, meter, pieces, 6);
    const long = await meter.longTasks();
    lines.push(
      `${name}: ${spread(costs)} of work for a piece; ${long.length} tasks over 50 ms in ${pieces.length} pieces (wanted: none), the longest ${Math.max(0, ...long).toFixed(0)} ms`,
    );
  }
  return lines;
}

async function opening(contestant: Contestant, meter: PageMeter): Promise<readonly string[]> {
  const times: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const [first] = settledTurns(1);
    const turns = [
      ...settledTurns(20),
      {
        ...first!,
        id: `long${round}`,
        parts: [
          {
            kind: 'answer' as const,
            id: '0.0',
            sections: [markdown(megabyte)],
            openedAt: 2_000,
            closedAt: 9_000,
          },
        ],
      },
    ];
    const time = await contestant.opens(turns);
    if (round > 0) times.push(time);
    await contestant.page.waitForTimeout(300);
  }
  const { nodes } = await meter.memory();
  return [
    `a conversation of 1 MB until its first screen: ${spread(times)} (wanted: at most 200); ${nodes} nodes`,
  ];
}

async function weight(contestant: Contestant, meter: PageMeter): Promise<readonly string[]> {
  const time = await contestant.opens(settledTurns(2_000));
  await contestant.page.waitForTimeout(2_000);
  const { heap, nodes, listeners } = await meter.memory();
  return [
    `2,000 turns: ${(heap / 1e6).toFixed(1)} MB of heap (wanted: at most 150), ${nodes} nodes, ${listeners} listeners; opened in ${time.toFixed(0)} ms`,
  ];
}

/** Of what is built; `npm run build -- --production` makes what ships. */
function sizes(): Promise<readonly string[]> {
  const folder = path.join(repository, 'dist/webview');
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => {
      const content = readFileSync(path.join(folder, name));
      return `${name}: ${(content.length / 1024).toFixed(1)} KB, ${(gzipSync(content).length / 1024).toFixed(1)} KB as gzip`;
    });
  return Promise.resolve(lines);
}

export const reports: readonly Report[] = [
  { name: 'panel: streaming', run: () => each(streaming) },
  { name: 'panel: typing', run: () => each(typing) },
  { name: 'panel: unsettled', run: () => ours(unsettled) },
  { name: 'panel: opening', run: () => each(opening) },
  { name: 'panel: weight', run: () => each(weight) },
  { name: 'panel: sizes', run: sizes },
];
