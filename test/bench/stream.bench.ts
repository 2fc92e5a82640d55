/** How fast a response stream is read: text to messages to events. */
import { decodeEvent } from '../../src/core/responses/decode.ts';
import { streamReader } from '../../src/core/responses/sse.ts';
import { milliseconds, type Bench } from './bench.ts';

const events = 20_000;

/** A stream as the service sends it: mostly small deltas, an identifier and a sequence number on each. */
const stream = Array.from({ length: events }, (_, index) => {
  const reasoning = index < events / 2;
  const type = reasoning ? 'response.reasoning_summary_text.delta' : 'response.output_text.delta';
  const part = reasoning ? { summary_index: 0 } : { content_index: 0, logprobs: [] };
  const data = {
    type,
    sequence_number: index,
    item_id: reasoning ? 'rs_0123456789abcdef' : 'msg_0123456789abcdef',
    output_index: reasoning ? 0 : 1,
    ...part,
    delta: ` word${index}`,
  };
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}).join('');

function read(chunkSize: number): void {
  const reader = streamReader();
  let decoded = 0;
  for (let start = 0; start < stream.length; start += chunkSize) {
    for (const message of reader.feed(stream.slice(start, start + chunkSize))) {
      if (message.kind === 'message' && decodeEvent(message.data, message.event).kind === 'textDelta')
        decoded += 1;
    }
  }
  if (decoded !== events) throw new Error(`${decoded} of ${events} events were read`);
}

// All of it is ASCII, so a character is a byte.
const megabytes = stream.length / 1e6;

export const benches: readonly Bench[] = [
  {
    name: 'response stream read, in chunks of 16 KB',
    unit: 'MB/s',
    better: 'more',
    measure: () => (megabytes * 1000) / milliseconds(() => read(16_384)),
  },
  {
    name: 'response stream read, one event a chunk or so',
    unit: 'events/s',
    better: 'more',
    measure: () => (events * 1000) / milliseconds(() => read(Math.round(stream.length / events))),
  },
];
