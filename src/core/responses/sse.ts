/** Text chunks to messages of an event stream. Knows the stream's grammar and its end, nothing of what the messages say. */
import { createParser } from 'eventsource-parser';

import { isJson } from './json.ts';

export type StreamMessage =
  | { readonly kind: 'message'; readonly event?: string; readonly data: string }
  /** The literal `[DONE]`: nothing more will come. Some servers send it, none must. */
  | { readonly kind: 'done' }
  /** One message outgrew the limit. Terminal: every later chunk is ignored. */
  | { readonly kind: 'overflow'; readonly limit: number };

export interface StreamReader {
  /** Messages that this chunk completed, in order. Chunks may be cut anywhere. */
  feed(text: string): readonly StreamMessage[];
  /**
   * To be called once when the connection ended cleanly. A last message that was not closed by its blank line is given
   * when its data is whole JSON (or `[DONE]`), else it counts as cut off and is dropped.
   */
  end(): readonly StreamMessage[];
  /** The start of what came, until the first message: shows what a server sent in place of a stream. */
  excerpt(): string;
}

/** Characters. One final event repeats the whole output, so this is far above any answer's size. */
export const maxMessageSize = 64 * 1024 * 1024;

const excerptSize = 300;

export function streamReader(limit: number = maxMessageSize): StreamReader {
  let messages: StreamMessage[] = [];
  let overflown = false;
  let any = false;
  let start = '';
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => {
      any = true;
      if (data === '[DONE]') messages.push({ kind: 'done' });
      else if (event === undefined) messages.push({ kind: 'message', data });
      else messages.push({ kind: 'message', event, data });
    },
    // Unknown fields and bad retry times are harmless by the standard.
    onError: (error) => {
      if (error.type !== 'max-buffer-size-exceeded') return;
      overflown = true;
      messages.push({ kind: 'overflow', limit });
    },
  });

  const feed = (text: string): readonly StreamMessage[] => {
    if (overflown) return [];
    if (!any && start.length < excerptSize) start += text.slice(0, excerptSize - start.length);
    parser.feed(text);
    const complete = messages;
    messages = [];
    return complete;
  };

  return {
    feed,
    end: () => {
      // The parser keeps an unclosed message back for good, even when reset; a blank line brings it out.
      return feed('\n\n').filter((message) => message.kind !== 'message' || isJson(message.data));
    },
    excerpt: () => start.trim(),
  };
}
