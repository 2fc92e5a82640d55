/**
 * From the socket to the events of a turn, beside the least that anybody has to do (undici, eventsource-parser and JSON.parse) and
 * beside the stream helper of the `openai` package; and how long a piece of text takes from the socket to the panel's door.
 */
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';
import { Client } from 'undici';

import { isShown } from '../../src/core/conversation/turnEvent.ts';
import { runTurn } from '../../src/core/conversation/turn.ts';
import { Feed } from '../../src/host/chat/feed.ts';
import { clientFor } from '../support/client.ts';
import { ask, ports } from '../support/turns.ts';
import { percentile, type Contest, type Report } from './bench.ts';
import { now, serveStream, type StreamServer } from './streamServer.ts';

/** An answer as the service sends it: `reasoning` and `text`, each in pieces, everything told again where the service does so. */
function framesOf(reasoning: readonly string[], text: readonly string[]): string[] {
  let sequence_number = 0;
  const frame = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}\n\n`;
  const response = (status: string, output: readonly object[], usage: object | null): object => ({
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'kimi-k3.1-pro',
      status,
      output,
      usage,
    },
  });
  const thought = { item_id: 'rs_0123456789abcdef', output_index: 0 };
  const said = { item_id: 'msg_0123456789abcdef', output_index: 1 };
  const summary = { type: 'summary_text', text: reasoning.join('') };
  const part = { type: 'output_text', text: text.join(''), annotations: [] };
  const thoughtItem = { type: 'reasoning', id: thought.item_id, summary: [summary], status: 'completed' };
  const saidItem = {
    type: 'message',
    id: said.item_id,
    role: 'assistant',
    content: [part],
    status: 'completed',
  };
  const usage = { input_tokens: 10, output_tokens: 200_000, total_tokens: 200_010 };
  return [
    frame('response.created', response('in_progress', [], null)),
    frame('response.in_progress', response('in_progress', [], null)),
    frame('response.output_item.added', {
      output_index: 0,
      item: { ...thoughtItem, summary: [], status: 'in_progress' },
    }),
    frame('response.reasoning_summary_part.added', {
      ...thought,
      summary_index: 0,
      part: { ...summary, text: '' },
    }),
    ...reasoning.map((delta) =>
      frame('response.reasoning_summary_text.delta', { ...thought, summary_index: 0, delta }),
    ),
    frame('response.reasoning_summary_text.done', { ...thought, summary_index: 0, text: summary.text }),
    frame('response.reasoning_summary_part.done', { ...thought, summary_index: 0, part: summary }),
    frame('response.output_item.done', { output_index: 0, item: thoughtItem }),
    frame('response.output_item.added', {
      output_index: 1,
      item: { ...saidItem, content: [], status: 'in_progress' },
    }),
    frame('response.content_part.added', { ...said, content_index: 0, part: { ...part, text: '' } }),
    ...text.map((delta) =>
      frame('response.output_text.delta', { ...said, content_index: 0, delta, logprobs: [] }),
    ),
    frame('response.output_text.done', { ...said, content_index: 0, text: part.text, logprobs: [] }),
    frame('response.content_part.done', { ...said, content_index: 0, part }),
    frame('response.output_item.done', { output_index: 1, item: saidItem }),
    frame('response.completed', response('completed', [thoughtItem, saidItem], usage)),
  ];
}

async function timed(work: () => Promise<number>, wanted: number): Promise<number> {
  const start = performance.now();
  const got = await work();
  const time = performance.now() - start;
  if (got !== wanted) throw new Error(`${got} of ${wanted} came`);
  return time;
}

/** As long as real ones: answers are looked through for it. */
const key = `sk-${'0123456789abcdef'.repeat(3)}`;

/** Characters of the answer's text, as a turn shows it. */
async function ours(url: string): Promise<number> {
  let length = 0;
  for await (const event of runTurn(ports(clientFor(url, { key: async () => key })), ask('q'))) {
    if (event.kind === 'textAdded') length += event.text.length;
    if (event.kind === 'turnEnded' && event.end.kind !== 'completed')
      throw new Error(JSON.stringify(event.end));
  }
  return length;
}

interface AnyEvent {
  readonly type: string;
  readonly delta?: string;
}

async function floor(url: string): Promise<number> {
  let length = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = JSON.parse(data) as AnyEvent;
      if (event.delta !== undefined) length += event.delta.length;
    },
  });
  const client = new Client(url);
  const { body } = await client.request({ method: 'POST', path: '/v1/responses', body: '{}' });
  const decoder = new TextDecoder();
  for await (const chunk of body as AsyncIterable<Uint8Array>)
    parser.feed(decoder.decode(chunk, { stream: true }));
  await client.destroy();
  return length;
}

async function sdk(url: string): Promise<number> {
  let length = 0;
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-bench', maxRetries: 0 });
  const stream = openai.responses.stream({ model: 'kimi-k3.1-pro', input: 'q' });
  for await (const event of stream as AsyncIterable<AnyEvent>) length += event.delta?.length ?? 0;
  await stream.finalResponse();
  return length;
}

function contest(
  name: string,
  rounds: number,
  reasoning: readonly string[],
  text: readonly string[],
): Contest {
  const frames = framesOf(reasoning, text);
  const wanted = [...reasoning, ...text].join('').length;
  const bytes = frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0);
  let server: StreamServer;
  return {
    name: `socket: ${name}`,
    amounts: [
      { unit: 'MB', amount: bytes / 1e6 },
      { unit: 'events', amount: frames.length },
    ],
    rounds,
    setup: async () => {
      server = await serveStream({ frames });
    },
    teardown: () => server.close(),
    contestants: [
      { name: 'ours, to the events of a turn', measure: () => timed(() => ours(server.url), wanted) },
      { name: 'floor', measure: () => timed(() => floor(server.url), wanted), wanted: 0.8 },
      { name: 'openai', measure: () => timed(() => sdk(server.url), wanted), wanted: 3 },
    ],
  };
}

const words = (count: number): string[] => Array.from({ length: count }, (_, at) => ` word${at}`);
/** 5 MB in pieces of 4 KB. */
const large = (letter: string): string[] => Array.from({ length: 1280 }, () => `${letter.repeat(4094)}\n`);

export const contests: readonly Contest[] = [
  contest('200,000 deltas', 7, words(100_000), words(100_000)),
  contest('items of 5 MB', 7, large('r'), large('t')),
];

/** Each delta holds the moment at which it was handed to the socket. */
async function delays(pace: number, count: number): Promise<readonly string[]> {
  const frames = framesOf(
    [],
    Array.from({ length: count }, () => '@now@ '),
  );
  // The texts that repeat the deltas would be replaced as well, and differ: only the deltas and an end are sent.
  const served = frames.filter((frame) => !frame.includes('@now@') || frame.includes('.delta"'));
  const server = await serveStream({ frames: served, pace });
  const found: number[] = [];
  const feed = new Feed({
    now: () => performance.now(),
    wait: (milliseconds, then) => {
      const timer = setTimeout(then, milliseconds);
      return () => clearTimeout(timer);
    },
    post: (message) => {
      if (message.kind !== 'events') return;
      const moment = now();
      for (const event of message.events) {
        if (event.kind !== 'textAdded') continue;
        for (const stamp of event.text.trim().split(' ')) found.push(moment - Number(stamp));
      }
    },
  });
  feed.restart({ state: {} } as unknown as Parameters<Feed['restart']>[0]);
  for await (const event of runTurn(ports(clientFor(server.url)), ask('q')))
    if (isShown(event)) feed.push(event);
  feed.close();
  await server.close();
  const shown = (part: number): string => percentile(found, part).toFixed(1);
  return [`median ${shown(0.5)} ms, p95 ${shown(0.95)} ms, of ${found.length} pieces`];
}

export const reports: readonly Report[] = [
  { name: 'socket: to the post to the panel, a piece each 100 ms', run: () => delays(100, 100) },
  {
    name: 'socket: to the post to the panel, a piece each 10 ms, with batches of 33 ms',
    run: () => delays(10, 400),
  },
];
