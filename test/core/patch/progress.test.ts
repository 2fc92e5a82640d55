/** What is shown of a patch while it arrives; that cutting it changes nothing is in `test/properties/patchText.test.ts`. */
import assert from 'node:assert/strict';

import type { ToolProgress } from '../../../src/core/conversation/conversation.ts';
import { withNews } from '../../../src/core/conversation/reduce.ts';
import { PatchProgressReader } from '../../../src/core/patch/progress.ts';
import { enveloped } from './texts.ts';

/** The files after each piece, as `update a +1 -0`; an empty list where a piece told nothing new. */
function watch(...pieces: readonly string[]): readonly (readonly string[])[] {
  const reader = new PatchProgressReader();
  let files: ToolProgress['files'] = [];
  return pieces.map((piece) => {
    const news = reader.feed(piece);
    if (news === undefined) return [];
    files = withNews(files, news);
    return files.map(({ change, path, added, removed }) => `${change} ${path} +${added} -${removed}`);
  });
}

function last(...lines: readonly string[]): readonly string[] {
  return watch(enveloped(...lines))[0] ?? [];
}

describe('PatchProgressReader', () => {
  it('tells nothing before a line is complete', () => {
    assert.deepEqual(
      watch('*** Begin Pat', 'ch\n*** Update Fi', 'le: a.t', 'xt', '\n', '-x', '\n+y\n+z', '\n'),
      [[], [], [], [], ['update a.txt +0 -0'], [], ['update a.txt +1 -1'], ['update a.txt +2 -1']],
    );
  });

  it('tells of a file once, and then only what is new of it', () => {
    const reader = new PatchProgressReader();
    assert.deepEqual(
      [
        '*** Begin Patch\n*** Update File: a\n+x\n',
        '-y\n',
        '+x\n+x\n*** Add File: b\n',
        'no\n',
        '+x\n',
        '*** Update File: c\n*** Move to: d\n',
      ].map((piece) => reader.feed(piece)),
      [
        [{ index: 0, path: 'a', change: 'update', added: 1, removed: 0 }],
        [{ index: 0, removed: 1 }],
        [
          { index: 0, added: 3 },
          { index: 1, path: 'b', change: 'add', added: 0, removed: 0 },
        ],
        undefined,
        [{ index: 1, added: 1 }],
        [{ index: 2, path: 'c', change: 'move', added: 0, removed: 0 }],
      ],
    );
  });

  it('takes a line end that is cut in two for one', () => {
    assert.deepEqual(watch('*** Begin Patch\r', '\n*** Add File: a\r', '\n+x\r', '', '\n+y\r\n'), [
      [],
      ['add a +0 -0'],
      ['add a +1 -0'],
      [],
      ['add a +2 -0'],
    ]);
  });

  it('counts what each kind of section has', () => {
    assert.deepEqual(
      last(
        '*** Add File: n',
        '+x',
        '-no',
        '*** Delete File: d',
        '+no',
        '-no',
        '*** Update File: u',
        '@@ a',
        ' c',
        '-x',
        '+y',
        '*** End of File',
        '  *** Update File: m',
        '*** Move to: k',
        '-x',
        ' *** Update File: context',
        '*** Move to: no',
      ),
      ['add n +1 -0', 'delete d +0 -0', 'update u +1 -1', 'move m +0 -1'],
    );
  });

  it('stops at the end marker and at a header without a path', () => {
    assert.deepEqual(watch(enveloped('*** Delete File: a'), '*** Delete File: b\n')[1], []);
    assert.deepEqual(last('*** Delete File: a', '*** Add File:', '*** Delete File: b'), ['delete a +0 -0']);
  });

  it('says nothing of text that is no patch, or wraps one', () => {
    assert.deepEqual(watch('hello\n*** Update File: a\n', '{"input":"*** Begin Patch\\n*** Add File: a\\n'), [
      [],
      [],
    ]);
    assert.deepEqual(watch('```\n', enveloped('*** Delete File: a'))[1], ['delete a +0 -0']);
    assert.deepEqual(last('+x', '*** Environment ID: x'), []);
  });

  it('lists some hundred files and keeps no more of a line than a marker can need', () => {
    const many = Array.from({ length: 300 }, (_, index) => `*** Delete File: f${index}`);
    assert.equal(last(...many).length, 200);
    const reader = new PatchProgressReader();
    reader.feed('*** Begin Patch\n*** Add File: ');
    for (let index = 0; index < 100; index += 1) assert.equal(reader.feed('x'.repeat(1_000)), undefined);
    const path = reader.feed('\n')?.[0]?.path ?? '';
    assert.ok(path.length < 4_100);
  });
});
