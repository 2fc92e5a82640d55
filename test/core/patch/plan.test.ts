/** Sections that meet on one file, moves, refusals, and what a failure tells of the sections that were fine. */
import assert from 'node:assert/strict';
import type { FileEdit } from '../../../src/core/patch/editPlan.ts';
import type { Root } from '../../../src/core/workspacePath.ts';
import { applied, enveloped, firstProblem, onlyUpdate, plan, viewOf, type Texts } from './texts.ts';

function update(path: string, ...body: readonly string[]): readonly string[] {
  return [`*** Update File: ${path}`, ...body];
}

function move(from: string, to: string, ...body: readonly string[]): readonly string[] {
  return [`*** Update File: ${from}`, `*** Move to: ${to}`, ...body];
}

function files(texts: Texts, ...body: readonly string[]): readonly FileEdit[] {
  const planned = plan(texts, enveloped(...body));
  assert.ok(planned.ok, JSON.stringify(planned));
  return planned.value.files;
}

/** `update a -> b` */
function shape(texts: Texts, ...body: readonly string[]): readonly string[] {
  return files(texts, ...body).map((edit) => {
    const to = edit.kind === 'update' && edit.to ? ` -> ${edit.to.relative}` : '';
    return `${edit.kind} ${edit.path.relative}${to}`;
  });
}

function problem(texts: Texts, ...body: readonly string[]) {
  return firstProblem(plan(texts, enveloped(...body)));
}

describe('planPatch', () => {
  it('lists files in the order in which they are first named', () => {
    const texts = { a: 'a\n', b: 'b\n', d: 'd\n' };
    assert.deepEqual(
      shape(
        texts,
        '*** Delete File: d',
        ...update('b', '-b', '+B'),
        '*** Add File: c',
        '+c',
        ...update('a', '-a', '+A'),
        ...update('b', '-B', '+BB'),
      ),
      ['delete d', 'update b', 'add c', 'update a'],
    );
  });

  it('plans nothing for a file that stays as it is, and says so', () => {
    const planned = plan({ a: 'x\n' }, enveloped(...update('a', '-x', '+x'), ...update('./a', ' x')));
    assert.ok(planned.ok);
    assert.deepEqual(planned.value, { files: [], notes: ['a: the patch changes nothing in it.'] });
  });

  it('gives the places of all hunks as lines of the text before', () => {
    const text = 'a\nb\nc\nd\n';
    const edit = onlyUpdate(
      plan(
        { a: text },
        enveloped(
          ...update('a', ' a', '+x', ' b', '-c', '@@', '+e'),
          ...update('a', ' x', '-b', '@@', ' d', '+y', '@@', '-x', '+z', '@@', ' e'),
        ),
      ),
    );
    assert.equal(edit.after, 'a\nz\nd\ny\ne\n');
    assert.deepEqual(
      edit.places.map(({ from, to, pass }) => `${from}-${to} ${pass}`),
      ['2-3 exact', '5-4 endOfFile', '2-2 exact', '5-4 exact', '2-2 exact', '5-5 exact'],
    );
  });

  it('refuses a later section that no longer fits, and says that an earlier one changed the file', () => {
    const found = problem({ a: 'x\ny\n' }, ...update('a', '-x', '+X'), ...update('a', ' x', '-y'));
    assert.ok(found.kind === 'context-not-found' && found.afterEarlierSection);
  });

  describe('composes', () => {
    const table: readonly (readonly [string, readonly string[], readonly string[], Texts])[] = [
      ['add, update', ['*** Add File: n', '+x', ...update('n', '-x', '+y')], ['add n'], { n: 'y\n' }],
      ['add, delete', ['*** Add File: n', '+x', '*** Delete File: n'], [], {}],
      ['add, move', ['*** Add File: n', '+x', ...move('n', 'm')], ['add m'], { m: 'x\n' }],
      ['update, delete', [...update('a', '-a', '+A'), '*** Delete File: a'], ['delete a'], { a: '' }],
      [
        'move, move on',
        [...move('a', 'm', '-a', '+A'), ...move('m', 'n', '-A', '+AA')],
        ['update a -> n'],
        { n: 'AA\n' },
      ],
      ['move, move back', [...move('a', 'm', '-a', '+A'), ...move('m', 'a')], ['update a'], { a: 'A\n' }],
      ['move there and back without change', [...move('a', 'm'), ...move('m', 'a')], [], { a: 'a\n' }],
      ['move, delete', [...move('a', 'm'), '*** Delete File: m'], ['delete a'], {}],
      [
        'move, add at the old place',
        [...move('a', 'm'), '*** Add File: a', '+new'],
        ['update a', 'add m'],
        { a: 'new\n', m: 'a\n' },
      ],
      [
        'delete, move there',
        ['*** Delete File: b', ...move('a', 'b', '-a', '+A')],
        ['update b', 'delete a'],
        { b: 'A\n' },
      ],
      ['delete, add', ['*** Delete File: a', '*** Add File: a', '+x'], ['update a'], { a: 'x\n' }],
      ['delete, add the same', ['*** Delete File: a', '*** Add File: a', '+a'], [], { a: 'a\n' }],
      ['empty, then add', [...update('a', '-a'), '*** Add File: a', '+x'], ['update a'], { a: 'x\n' }],
    ];
    for (const [name, body, shapes, result] of table) {
      it(name, () => {
        const texts = { a: 'a\n', b: 'b\n' };
        assert.deepEqual(shape(texts, ...body), shapes);
        const planned = plan(texts, enveloped(...body));
        assert.ok(planned.ok);
        const after = applied(texts, planned.value);
        for (const [path, text] of Object.entries(result)) assert.equal(after[path] ?? '', text);
        for (const edit of planned.value.files) {
          if (edit.kind === 'update') assert.ok(edit.replacements.length > 0 || edit.to);
        }
      });
    }

    it('over a file deleted first, with its byte order mark and line ends', () => {
      const edit = onlyUpdate(
        plan({ a: '\uFEFFx\r\ny\r\n' }, enveloped('*** Delete File: a', '*** Add File: a', '+x', '+z')),
      );
      assert.equal(edit.after, '\uFEFFx\r\nz\r\n');
      assert.deepEqual(edit.replacements, [{ start: 4, end: 7, text: 'z\r\n' }]);
    });

    it('over a byte order mark that is all of a file', () => {
      assert.equal(onlyUpdate(plan({ a: '\uFEFF' }, enveloped('*** Add File: a', '+x'))).after, '\uFEFFx\n');
    });
  });

  describe('takes one spelling for another only where the file system does', () => {
    const mac: Root = { name: 'work', path: '/work', caseInsensitive: true };
    const texts = { 'Readme.md': 'x\n' };

    it('and then changes the case of a name by a move', () => {
      const planned = plan(texts, enveloped(...move('Readme.md', 'README.md')), viewOf(texts, [mac]));
      const edit = onlyUpdate(planned);
      assert.deepEqual(
        [edit.path.relative, edit.to?.relative, edit.replacements],
        ['Readme.md', 'README.md', []],
      );
    });

    it('and composes what is written in both', () => {
      const planned = plan(
        texts,
        enveloped(...update('readme.md', '-x', '+y'), ...update('README.md', '-y', '+z')),
        viewOf(texts, [mac]),
      );
      assert.equal(onlyUpdate(planned).after, 'z\n');
    });

    it('and else has two files', () => {
      assert.deepEqual(shape(texts, ...move('Readme.md', 'README.md')), ['update Readme.md -> README.md']);
      assert.equal(problem(texts, ...update('readme.md', '-x', '+y')).kind, 'file-missing');
    });
  });

  describe('refuses', () => {
    it('paths that are no file of the workspace, each for its reason', () => {
      const kinds = (path: string) => {
        const found = problem({ 'd/x': '' }, '*** Delete File: a', `*** Add File: ${path}`);
        assert.equal(found.kind, 'file-missing');
        const planned = plan({ 'd/x': '' }, enveloped(`*** Add File: ${path}`));
        const second = firstProblem(planned);
        return 'why' in second
          ? `${second.kind} ${second.why}`
          : `${second.kind} ${'reason' in second ? second.reason : ''}`;
      };
      assert.equal(kinds('../x'), 'path-outside-workspace outside');
      assert.equal(kinds('x\u202Ey'), 'path-unusable name');
      assert.equal(kinds('.git/x'), 'file-refused protected');
      assert.equal(kinds('d'), 'file-refused directory');
      assert.equal(kinds('d/'), 'path-unusable folder');
    });

    it('a move to where a file, a folder or nothing of the workspace is', () => {
      const texts = { a: 'a\n', b: 'b\n', 'd/x': '' };
      const target = (to: string) => problem(texts, ...move('a', to, '-a', '+A'));
      assert.deepEqual(target('b'), { kind: 'file-exists', file: 'b', line: 3, change: 'move' });
      assert.deepEqual(target('d'), { kind: 'file-refused', file: 'd', line: 3, reason: 'directory' });
      assert.deepEqual(target('../b'), {
        kind: 'path-outside-workspace',
        file: '../b',
        line: 3,
        why: 'outside',
      });
    });

    it('both the target and the hunks of a move at once', () => {
      const planned = plan({ a: 'a\n', b: 'b\n' }, enveloped(...move('a', 'b', '-x')));
      assert.ok(!planned.ok);
      assert.deepEqual(
        planned.error.problems.map(({ kind }) => kind),
        ['file-exists', 'context-not-found'],
      );
    });

    it('a file below a file, whichever is new', () => {
      assert.deepEqual(problem({}, '*** Add File: a', '+x', '*** Add File: a/b', '+x'), {
        kind: 'file-exists',
        file: 'a/b',
        line: 4,
        change: 'add',
        blockedBy: 'a',
      });
      assert.equal(
        problem({ a: 'x\n', m: 'm\n' }, '*** Delete File: a', ...move('m', 'a/m')).kind,
        'file-exists',
      );
      assert.deepEqual(shape({}, '*** Add File: a/b', '+x', '*** Add File: a/c', '+x'), [
        'add a/b',
        'add a/c',
      ]);
    });
  });

  it('reports every failing hunk and section, and names the others', () => {
    const texts = { a: 'a\nb\nc\n', b: 'b\n', 'd/x': '' };
    const planned = plan(
      texts,
      enveloped(
        ...update('a', '-x', '@@', '-b', '@@', '-y'),
        ...update('a', '-c'),
        ...update('b', '-b'),
        '*** Delete File: gone',
        ...move('d', 'e'),
        '*** Add File: new',
        '*** Delete File: ../out',
      ),
    );
    assert.ok(!planned.ok);
    assert.deepEqual(
      planned.error.problems.map(
        (each) => `${each.kind} ${'file' in each ? each.file : ''} ${'hunk' in each ? each.hunk.index : ''}`,
      ),
      [
        'context-not-found a 1',
        'context-not-found a 3',
        'file-missing gone ',
        'file-refused d ',
        'path-outside-workspace ../out ',
      ],
    );
    assert.deepEqual(
      planned.error.fine.map(({ change, file }) => `${change} ${file}`),
      ['update b', 'add new'],
    );
    assert.deepEqual(planned.error.unchecked, [{ change: 'update', file: 'a', line: 8 }]);
  });

  it('does not judge sections on the target of a move that failed', () => {
    const planned = plan({ a: 'a\n' }, enveloped(...move('a', 'b', '-x'), ...update('b', '-a', '+A')));
    assert.ok(!planned.ok);
    assert.equal(planned.error.problems.length, 1);
    assert.equal(planned.error.unchecked[0]?.file, 'b');
  });

  it('keeps a few dozen notes', () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const planned = plan(
      Object.fromEntries(names.map((name) => [name, 'x\n'])),
      enveloped(...names.flatMap((name) => update(name, '-x', '+x'))),
    );
    assert.ok(planned.ok);
    assert.equal(planned.value.notes.length, 30);
  });
});
