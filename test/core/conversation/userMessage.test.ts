import assert from 'node:assert/strict';

import {
  attachedContent,
  noteMessage,
  summaryOf,
  userMessage,
  type Attachment,
} from '../../../src/core/conversation/userMessage.ts';
import { textOfPart } from '../../support/contents.ts';

const attachment: Attachment = {
  id: '1',
  kind: 'selection',
  path: 'src/cart.ts',
  uri: 'file:///w/src/cart.ts',
  range: { from: 12, to: 13 },
  languageId: 'typescript',
  text: 'const a = 1;\nconst b = 2;',
};

describe('userMessage', () => {
  it('is the question alone when nothing is attached', () => {
    assert.deepEqual(userMessage('Why?', []), {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Why?' }],
    });
  });

  it('names path, lines and language of a selection and puts the question last', () => {
    assert.deepEqual(userMessage('Why?', [attachment]).content.map(textOfPart), [
      'src/cart.ts, lines 12-13 (typescript):\n```typescript\nconst a = 1;\nconst b = 2;\n```',
      'Why?',
    ]);
  });

  it('has its heading on one line, whatever the file is called', () => {
    const [first] = userMessage('Why?', [{ ...attachment, path: 'a\nb.ts' }]).content;
    assert.match(
      first?.type === 'input_text' ? first.text : '',
      /^"a\\nb\.ts", lines 12-13 \(typescript\):\n```/,
    );
  });

  it('leaves the lines out for a whole file and does not double its last line end', () => {
    const { range: _, ...rest } = attachment;
    const [first] = userMessage('Why?', [{ ...rest, kind: 'file', text: 'x\n' }]).content;
    assert.equal(textOfPart(first), 'src/cart.ts (typescript):\n```typescript\nx\n```');
  });

  it('says of a summary whose it is, and leaves it as the model wrote it', () => {
    const { range: _, ...rest } = attachment;
    const [first] = userMessage('Go on.', [
      { ...rest, kind: 'summary', text: '# What\n```ts\nx\n```' },
    ]).content;
    assert.equal(textOfPart(first), 'Summary of the conversation before this one:\n\n# What\n```ts\nx\n```');
  });

  it('fences text that holds fences', () => {
    const [first] = userMessage('Why?', [
      { ...attachment, languageId: 'markdown', text: '````\nx\n````' },
    ]).content;
    assert.equal(
      textOfPart(first),
      'src/cart.ts, lines 12-13 (markdown):\n`````markdown\n````\nx\n````\n`````',
    );
  });

  it('sends an image as what it is', () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    const { range: _, ...rest } = attachment;
    const [first] = userMessage('What is this?', [{ ...rest, kind: 'image', text: '', image }]).content;
    assert.deepEqual(first, { type: 'input_image', image_url: image });
  });

  it('has a sister for what the model alone is told', () => {
    assert.deepEqual(noteMessage(['One.', 'Two.']), {
      type: 'message',
      role: 'developer',
      content: [
        { type: 'input_text', text: 'One.' },
        { type: 'input_text', text: 'Two.' },
      ],
    });
  });

  it('says where pasted text was copied, when that is known', () => {
    const { range, ...rest } = { ...attachment, kind: 'pasted' as const };
    const [known] = userMessage('Why?', [{ ...rest, ...(range && { range }) }]).content;
    assert.equal(textOfPart(known)?.split('\n')[0], 'src/cart.ts, lines 12-13 (typescript):');
    const [unknown] = userMessage('Why?', [rest]).content;
    assert.equal(textOfPart(unknown)?.split('\n')[0], 'Pasted (typescript):');
  });

  it('attaches an empty file', () => {
    const { range: _, ...rest } = attachment;
    const [first] = userMessage('Why?', [{ ...rest, kind: 'file', text: '' }]).content;
    assert.equal(textOfPart(first), 'src/cart.ts (typescript):\n```typescript\n```');
  });

  it('names a symbol, and what has a heading by that', () => {
    const [symbol, headed] = userMessage('Why?', [
      { ...attachment, kind: 'symbol', name: 'total' },
      { ...attachment, kind: 'diff', languageId: 'diff', heading: 'Staged changes', text: '-a' },
    ]).content;
    assert.match(textOfPart(symbol) ?? '', /^src\/cart\.ts, lines 12-13, symbol total \(typescript\):\n/);
    assert.equal(textOfPart(headed), 'Staged changes:\n```diff\n-a\n```');
  });

  it('leaves of an attachment what a chip shows', () => {
    const { text: _, ...chip } = attachment;
    assert.deepEqual(
      summaryOf({ ...attachment, image: 'data:image/png;base64,', heading: 'Something' }),
      chip,
    );
  });

  describe('gives back what was attached', () => {
    const sent = (one: Partial<Attachment>): ReturnType<typeof attachedContent> =>
      attachedContent(userMessage('Why?', [{ ...attachment, ...one }]).content[0]!);

    it('to the letter, whatever stands in it, but for a last line end', () => {
      for (const text of ['a\n', '', '```ts\nx:\n```\n', 'x:\n````\ny\n````\n'])
        assert.deepEqual(sent({ text }), { text });
      assert.deepEqual(sent({ text: 'a' }), { text: 'a\n' });
    });

    it('of a summary, of an image, and as it stands where it was written in another way', () => {
      assert.deepEqual(sent({ kind: 'summary', text: 'It was.' }), { text: 'It was.' });
      const image = 'data:image/png;base64,iVBORw0KGgo=';
      assert.deepEqual(sent({ kind: 'image', text: '', image }), { image });
      assert.deepEqual(attachedContent({ type: 'input_text', text: 'Just this.' }), { text: 'Just this.' });
    });
  });
});
