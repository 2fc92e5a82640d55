/** The rule by which a pasted text becomes a chip. */
import assert from 'node:assert/strict';
import { pasteOf } from '../../src/webview/pasting.ts';

describe('a pasted text', () => {
  const editorData = '{"version":1,"isFromEmptySelection":false,"multicursorText":null,"mode":"typescript"}';
  const of = (text: string, more: Partial<Parameters<typeof pasteOf>[0]> = {}): ReturnType<typeof pasteOf> =>
    pasteOf({ text, editorData: '', plain: false, ...more });

  it('from an editor is a chip when it is more than a piece of a line', () => {
    assert.deepEqual(of('a\nb', { editorData }), { kind: 'chip', languageId: 'typescript' });
    assert.deepEqual(of('let a = 1;\r\n', { editorData }), { kind: 'chip', languageId: 'typescript' });
    assert.deepEqual(of('cartTotal', { editorData }), { kind: 'text' });
  });

  it('from elsewhere is a chip from three lines on, or when it is long', () => {
    assert.deepEqual(of('a\nb\n'), { kind: 'text' });
    assert.deepEqual(of('a\nb\nc'), { kind: 'chip' });
    assert.deepEqual(of('x'.repeat(1_999)), { kind: 'text' });
    assert.deepEqual(of('x'.repeat(2_000)), { kind: 'chip' });
  });

  it('stays text when the person says so, or when there is nothing in it', () => {
    assert.deepEqual(of('a\nb\nc', { editorData, plain: true }), { kind: 'text' });
    assert.deepEqual(of('\n\n\n', { editorData }), { kind: 'text' });
    assert.deepEqual(of(''), { kind: 'text' });
  });

  it('is nothing but files where there is no text, or their names alone', () => {
    assert.deepEqual(of('', { files: ['image.png'] }), { kind: 'files' });
    assert.deepEqual(of('a.png\r\nb.png', { files: ['a.png', 'b.png'] }), { kind: 'files' });
    assert.deepEqual(of('x 1\ty 2', { files: ['image.png'] }), { kind: 'text' });
    assert.deepEqual(of('', { files: ['image.png'], plain: true }), { kind: 'text' });
  });

  it('has no language when the editor’s note is not understood', () => {
    for (const data of ['{', '{"mode":null}', '{"mode":"<b>"}', `{"mode":"${'x'.repeat(51)}"}`])
      assert.deepEqual(of('a\nb', { editorData: data }), { kind: 'chip' });
  });
});
