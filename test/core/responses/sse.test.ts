import assert from 'node:assert/strict';

import { maxMessageSize, streamReader, type StreamMessage } from '../../../src/core/responses/sse.ts';

function read(...chunks: readonly string[]): readonly StreamMessage[] {
  const reader = streamReader();
  return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()];
}

describe('responses/sse', () => {
  it('gives each message once its blank line has come', () => {
    const reader = streamReader();
    assert.deepEqual(reader.feed('event: a\ndata: {"x":1}\n'), []);
    assert.deepEqual(reader.feed('\ndata: {"y":2}\n\n'), [
      { kind: 'message', event: 'a', data: '{"x":1}' },
      { kind: 'message', data: '{"y":2}' },
    ]);
  });

  it('takes all three line ends, one that is cut between CR and LF too', () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      const text = `data: 1${eol}${eol}data: 2${eol}${eol}`;
      for (let cut = 0; cut <= text.length; cut++) {
        assert.deepEqual(read(text.slice(0, cut), text.slice(cut)), [
          { kind: 'message', data: '1' },
          { kind: 'message', data: '2' },
        ]);
      }
    }
  });

  it('joins data lines with a line feed', () => {
    assert.deepEqual(read('data: {\ndata: "a":1\ndata: }\n\n'), [{ kind: 'message', data: '{\n"a":1\n}' }]);
  });

  it('passes over a byte order mark, comments, unknown fields and bad retry times', () => {
    assert.deepEqual(read('\uFEFF: hello\n\nretry: soon\nfoo: bar\nid: 7\ndata: 1\n\n'), [
      { kind: 'message', data: '1' },
    ]);
  });

  it('knows the literal [DONE] from data', () => {
    assert.deepEqual(read('data: [DONE]\n\ndata: [1]\n\n'), [
      { kind: 'done' },
      { kind: 'message', data: '[1]' },
    ]);
  });

  it('takes a last message without its blank line only when its data is whole', () => {
    assert.deepEqual(read('data: {"a":1}'), [{ kind: 'message', data: '{"a":1}' }]);
    assert.deepEqual(read('data: {"a":1}\n'), [{ kind: 'message', data: '{"a":1}' }]);
    assert.deepEqual(read('data: {"a":1}\r'), [{ kind: 'message', data: '{"a":1}' }]);
    assert.deepEqual(read('data: [DONE]'), [{ kind: 'done' }]);
    assert.deepEqual(read('data: {"a":'), []);
    assert.deepEqual(read('data'), []);
  });

  it('ends for good when one message outgrows the limit, and says so once', () => {
    const reader = streamReader(20);
    assert.deepEqual(reader.feed('data: 1\n\ndata: 12345678901234567890'), [
      { kind: 'message', data: '1' },
      { kind: 'overflow', limit: 20 },
    ]);
    assert.deepEqual(reader.feed('\n\ndata: 2\n\n'), []);
    assert.deepEqual(reader.end(), []);
  });

  it('holds a message as large as any answer, fed in small pieces', () => {
    assert.ok(maxMessageSize >= 32 * 1024 * 1024);
    const reader = streamReader();
    const piece = 'x'.repeat(64 * 1024);
    reader.feed('data: "');
    for (let size = 0; size < 33 * 1024 * 1024; size += piece.length)
      assert.deepEqual(reader.feed(piece), []);
    const [message] = reader.feed('"\n\n');
    assert.equal(message?.kind, 'message');
  });

  it('remembers how the stream began until the first message came', () => {
    const reader = streamReader();
    reader.feed('Internal ');
    reader.feed('Server Error\n');
    assert.equal(reader.excerpt(), 'Internal Server Error');
    reader.feed('y'.repeat(1000));
    assert.equal(reader.excerpt().length, 300);
    const other = streamReader();
    other.feed('data: 1\n\n');
    other.feed('data: 2\n\n');
    assert.equal(other.excerpt(), 'data: 1');
  });
});
