/** What the model has seen of files, as it can be read from a conversation. */
import assert from 'node:assert/strict';

import type {
  Conversation,
  ContextCut,
  ToolPart,
  Turn,
} from '../../../src/core/conversation/conversation.ts';
import type { History } from '../../../src/core/conversation/history.ts';
import {
  changedNote,
  isSeenIn,
  seenOfChip,
  seenTexts,
  withoutLastEnd,
  type SeenText,
} from '../../../src/core/conversation/seenFiles.ts';
import { summaryOf, userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import { ok } from '../../../src/core/result.ts';
import { readFileTool } from '../../../src/core/tools/readFile.ts';
import type { ReadingPorts } from '../../../src/core/tools/readingPorts.ts';
import { call, textOf } from '../tools/calling.ts';

const file = (path: string, text: string, more: Partial<Attachment> = {}): Attachment => ({
  ...{ id: path, kind: 'file', path, uri: `file:///w/${path}`, languageId: 'typescript', text },
  ...more,
});

const read = (text: string, more: Partial<ToolPart> = {}): ToolPart => ({
  ...{ kind: 'tool', id: '0', name: 'read_file', input: '{}', openedAt: 0 },
  outcome: { kind: 'done', text },
  ...more,
});

interface Asked {
  readonly attachments?: readonly Attachment[];
  readonly parts?: Turn['parts'];
  readonly cut?: ContextCut;
  readonly removed?: true;
  readonly elsewhere?: true;
}

function seen(...turns: readonly Asked[]): readonly SeenText[] {
  const conversation: Conversation = {
    id: 'c',
    turns: turns.map(({ attachments = [], parts = [], cut, removed, elsewhere }, index) => ({
      ...{ id: `t${index}`, model: 'kimi-k3.1-pro', effort: 'high', startedAt: 0, parts, requests: [] },
      question: { text: 'Why?', attachments: attachments.map(summaryOf) },
      ...(cut && { cut }),
      ...(removed && { removed }),
      ...(elsewhere && { elsewhere }),
    })),
  };
  const history: History = {
    groups: turns.map(({ attachments = [] }, index) => ({
      ...{ turn: `t${index}`, model: 'kimi-k3.1-pro', partial: false },
      items: [userMessage('Why?', attachments)],
    })),
  };
  return seenTexts(conversation, history);
}

describe('conversation/seenFiles', () => {
  it('takes the text of what was attached, as it was then', () => {
    const range = { from: 2, to: 3 };
    assert.deepEqual(
      seen({
        attachments: [
          file('a.ts', 'one\ntwo\n'),
          file('b.ts', 'x\ny', { kind: 'selection', range }),
          file('c.ts', 'z', { kind: 'symbol', name: 'z', range }),
          file('d.ts', 'p', { kind: 'pasted', range }),
        ],
      }),
      [
        { path: 'a.ts', uri: 'file:///w/a.ts', text: 'one\ntwo' },
        { path: 'b.ts', uri: 'file:///w/b.ts', range, text: 'x\ny' },
        { path: 'c.ts', uri: 'file:///w/c.ts', range, text: 'z' },
        { path: 'd.ts', uri: 'file:///w/d.ts', range, text: 'p', isPiece: true },
      ],
    );
  });

  it('leaves out what is no place in a file', () => {
    const image = 'data:image/png;base64,';
    assert.deepEqual(
      seen({
        attachments: [
          file('Pasted', 'p', { kind: 'pasted' }),
          file('Staged changes', '-a', { kind: 'diff' }),
          file('shot.png', '', { kind: 'image', image }),
          file('shown as text.png', '', { image }),
        ],
      }),
      [],
    );
  });

  it('reads the lines that the reading tool gave', () => {
    assert.deepEqual(
      seen({
        parts: [
          read(
            'src/a.ts, lines 3 to 4 of 9:\n3|  a|b\n4|\n[Lines 5 to 9 were left out: go on with start_line 5.]',
          ),
          read('"odd\\nname" (with changes that are not saved yet), lines 1 to 1 of 1:\n1|x'),
        ],
      }),
      [
        { path: 'src/a.ts', range: { from: 3, to: 4 }, text: '  a|b\n' },
        { path: '"odd\\nname"', text: 'x' },
      ],
    );
  });

  it('reads from a result of the tool itself the text that the file has', async () => {
    for (const text of ['one\n\n  two|2\n', 'a\r\nb\rc', '\n', 'a\n\n\n', 'x'.repeat(2_000)]) {
      const readText: ReadingPorts['readText'] = async (path) => ok({ path, text, unsaved: false });
      const result = await textOf(call(readFileTool({ readText }), { path: 'src/a.ts' }));
      const [whole, ...none] = seen({ parts: [read(result)] });
      assert.deepEqual([whole?.path, whole?.range, none], ['src/a.ts', undefined, []]);
      assert.equal(whole !== undefined && isSeenIn(withoutLastEnd(text), whole), true, JSON.stringify(text));
    }
    const readText: ReadingPorts['readText'] = async (path) => ok({ path, text: 'a\nb\nc\n', unsaved: true });
    const part = await textOf(call(readFileTool({ readText }), { path: 'a.ts', start_line: 2, end_line: 3 }));
    assert.deepEqual(seen({ parts: [read(part)] }), [
      { path: 'a.ts', range: { from: 2, to: 3 }, text: 'b\nc' },
    ]);
    const long: ReadingPorts['readText'] = async (path) =>
      ok({ path, text: 'x'.repeat(2_001), unsaved: false });
    const cut = await textOf(call(readFileTool({ readText: long }), { path: 'a.ts' }));
    assert.deepEqual(seen({ parts: [read(cut)] }), []);
  });

  it('reads nothing from other results, nor from lines that were cut', () => {
    assert.deepEqual(
      seen({
        parts: [
          read('src/a.ts is empty.'),
          read('src/a.ts, lines 1 to 2 of 2:\n1|x… [1,200 more characters in this line]\n2|y'),
          read('src/a.ts, lines 1 to 2 of 2:\n1|x'),
          read('src/a.ts, lines 1 to 1 of 1:\n1|x', { name: 'other' }),
          read('src/a.ts, lines 1 to 1 of 1:\n1|x', { namespace: 'other' }),
          read('', { outcome: { kind: 'failed', text: 'src/a.ts, lines 1 to 1 of 1:\n1|x' } }),
          { kind: 'answer', id: '1', sections: ['a'], openedAt: 0 },
        ],
      }),
      [],
    );
    const { outcome: _, ...running } = read('');
    assert.deepEqual(seen({ parts: [running] }), []);
  });

  it('keeps of lines that were seen again only how they were then', () => {
    const lines = (from: number, to: number): Attachment =>
      file('a.ts', `${from}`, { kind: 'selection', range: { from, to } });
    const texts = (...attachments: readonly Attachment[]): readonly string[] =>
      seen({ attachments }).map(({ text }) => text);
    assert.deepEqual(texts(lines(2, 4), lines(1, 5)), ['1']);
    assert.deepEqual(texts(lines(2, 4), lines(3, 5)), ['2', '3']);
    assert.deepEqual(texts(lines(2, 4), lines(1, 3)), ['2', '1']);
    assert.deepEqual(texts(file('a.ts', 'all'), lines(1, 3)), ['all', '1']);
    assert.deepEqual(texts(lines(1, 3), file('a.ts', 'all')), ['all']);
  });

  it('keeps of the same file what was seen last', () => {
    assert.deepEqual(
      seen(
        { attachments: [file('a.ts', 'old'), file('b.ts', 'b')] },
        { attachments: [file('a.ts', 'new')] },
      ).map(({ path, text }) => [path, text]),
      [
        ['b.ts', 'b'],
        ['a.ts', 'new'],
      ],
    );
  });

  it('leaves out what the model no longer sees', () => {
    const turn = {
      attachments: [file('a.ts', 'a'), file('b.ts', 'b')],
      parts: [read('c.ts, lines 1 to 1 of 1:\n1|c')],
    };
    const paths = (more: Asked): readonly string[] => seen({ ...turn, ...more }).map(({ path }) => path);
    assert.deepEqual(paths({}), ['a.ts', 'b.ts', 'c.ts']);
    assert.deepEqual(paths({ removed: true }), []);
    assert.deepEqual(paths({ elsewhere: true }), []);
    assert.deepEqual(paths({ cut: { whole: true } }), []);
    assert.deepEqual(paths({ cut: { attachments: true } }), ['c.ts']);
    assert.deepEqual(paths({ cut: { files: [0], toolOutputs: true } }), ['b.ts']);
  });

  it('knows nothing of a question that is not known', () => {
    const turn = { attachments: [file('a.ts', 'a')] };
    const conversation: Conversation = {
      id: 'c',
      turns: [
        {
          ...{ id: 't', model: 'kimi-k3.1-pro', effort: 'high', startedAt: 0, parts: [], requests: [] },
          question: { text: 'Why?', attachments: turn.attachments.map(summaryOf) },
        },
      ],
    };
    assert.deepEqual(seenTexts(conversation, { groups: [] }), []);
  });

  it('finds pieces of lines again, and anything else as a whole', () => {
    assert.equal(isSeenIn('  let a = 1;', { text: 'let a' }), false);
    assert.equal(isSeenIn('  let a = 1;', { text: 'let a', isPiece: true }), true);
    assert.equal(isSeenIn('  let b = 1;', { text: 'let a', isPiece: true }), false);
    assert.equal(isSeenIn('let a', { text: 'let a' }), true);
  });

  it('takes no chip for a file that is none', () => {
    assert.equal(seenOfChip(file('a', 'x', { kind: 'terminal' }), 'x'), undefined);
    assert.equal(seenOfChip(file('a', 'x\n'), 'x\n')?.text, 'x');
  });

  describe('the note', () => {
    it('is none when nothing changed', () => {
      assert.equal(changedNote([]), undefined);
    });

    it('names what changed and what is gone, and not endlessly many', () => {
      assert.equal(
        changedNote([
          { path: 'a.ts', change: 'changed' },
          { path: 'b.ts', change: 'gone' },
        ]),
        'Changed since you saw them, and not by your patches: "a.ts", "b.ts" (no longer there). What you know of these files may be out of date.',
      );
      const many = Array.from({ length: 60 }, (_, index) => ({
        path: `${index}`,
        change: 'changed' as const,
      }));
      assert.match(changedNote(many) ?? '', /"49" and 10 others\. /);
    });

    it('tells apart what is attached to the very question', () => {
      const attached = { path: 'a.ts', change: 'changed', isAttached: true } as const;
      const of =
        'Changed after they were attached to the question that follows: "a.ts". What it shows of these files may be out of date.';
      assert.equal(changedNote([attached]), of);
      assert.equal(
        changedNote([attached, { path: 'b.ts', change: 'gone', isAttached: false }]),
        `Changed since you saw them, and not by your patches: "b.ts" (no longer there). What you know of these files may be out of date. ${of}`,
      );
    });
  });
});
