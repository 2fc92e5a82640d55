/** What is being named in the composer, and what the keys of its list do. */
import assert from 'node:assert/strict';

import { mayAttach, placesIn } from '../../src/webview/dropping.ts';
import { listKey, marked, moved, namingAt, taken } from '../../src/webview/completing.ts';
import type { KeyPress } from '../../src/webview/keys.ts';

/** The cursor is at the bar. */
function naming(marked: string): string | undefined {
  const found = namingAt(marked.replace('|', ''), marked.indexOf('|'));
  return found && `${found.trigger}${found.query} ${found.from}-${found.to}`;
}

describe('what is being named', () => {
  it('stands behind a sign of its own, up to the cursor', () => {
    assert.equal(naming('@|'), '@ 0-1');
    assert.equal(naming('Why @src/ca|rt.ts'), '@src/ca 4-11');
    assert.equal(naming('(@ca|'), '@ca 1-4');
    assert.equal(naming('one\n@ca|'), '@ca 4-7');
    assert.equal(naming('@a @b|'), '@b 3-5');
    assert.equal(naming('@#Cart|'), '@#Cart 0-6');
    assert.equal(naming('@a |'), undefined);
    assert.equal(naming('@|a'), '@ 0-1');
    assert.equal(naming('|@a'), undefined);
  });

  it('is no address and no package', () => {
    for (const text of ['me@example.org|', 'a.b@c|', '@types/@scope|'.replace('@types', 'x'), '@@|', 'a-@b|'])
      assert.equal(naming(text), undefined, text);
  });

  it('may be written without a blank before it, and with wide signs', () => {
    assert.equal(naming('解释@ca|'), '@ca 2-5');
    assert.equal(naming('解释＠ca|'), '@ca 2-5');
    assert.equal(naming('／fix|'), '/fix 0-4');
    assert.equal(naming('@日本|'), '@日本 0-3');
  });

  it('is a command at the very beginning alone', () => {
    assert.equal(naming('/|'), '/ 0-1');
    assert.equal(naming('  /fi|x this'), '/fi 2-5');
    assert.equal(naming('/fix @ca|'), '@ca 5-8');
    for (const text of ['a /fix|', '/usr/bin|', '/fix |']) assert.equal(naming(text), undefined, text);
  });

  it('is no longer than a name can be', () => {
    assert.equal(naming(`@${'x'.repeat(200)}|`)?.slice(0, 3), '@xx');
    assert.equal(naming(`@${'x'.repeat(201)}|`), undefined);
    assert.equal(naming(`/${'x'.repeat(201)}|`), undefined);
  });

  it('gives way to what was taken, with one blank behind it', () => {
    assert.deepEqual(taken('Why @ca', { from: 4, to: 7 }, '@cart.ts'), { text: 'Why @cart.ts ', cursor: 13 });
    assert.deepEqual(taken('Why @ca now', { from: 4, to: 7 }, '@cart.ts'), {
      text: 'Why @cart.ts now',
      cursor: 13,
    });
    assert.deepEqual(taken('@s, b', { from: 0, to: 2 }, '@src/', ''), { text: '@src/, b', cursor: 5 });
  });
});

describe('a key of the open list', () => {
  const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
    ...{
      key,
      keyCode: 0,
      isComposing: false,
      shift: false,
      alt: false,
      ctrl: false,
      meta: false,
      repeat: false,
    },
    ...more,
  });
  const quiet = { composing: false, sinceComposition: Infinity };

  it('moves, takes, looks inside or closes', () => {
    assert.deepEqual(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Enter', 'Tab', 'Escape', 'a', 'Home'].map((key) =>
        listKey(press(key), quiet),
      ),
      [
        { kind: 'move', by: 1 },
        { kind: 'move', by: -1 },
        { kind: 'move', by: 8 },
        { kind: 'move', by: -8 },
        { kind: 'take' },
        { kind: 'enter' },
        { kind: 'close' },
        undefined,
        undefined,
      ],
    );
  });

  it('is for the text with another key, when it is held down, and for an input method', () => {
    for (const more of [{ shift: true }, { alt: true }, { ctrl: true }, { meta: true }, { repeat: true }])
      assert.equal(listKey(press('Enter', more), quiet), undefined);
    assert.equal(listKey(press('Enter', { keyCode: 229 }), quiet), undefined);
    assert.equal(listKey(press('Enter'), { composing: true, sinceComposition: Infinity }), undefined);
    assert.equal(listKey(press('Escape'), { composing: false, sinceComposition: 1 }), undefined);
  });

  it('goes around by steps, and to the ends by pages', () => {
    assert.deepEqual(
      [moved(0, -1, 3), moved(2, 1, 3), moved(1, 8, 20), moved(18, 8, 20), moved(3, -8, 20)],
      [2, 0, 9, 19, 0],
    );
    assert.equal(moved(0, 1, 0), 0);
  });
});

describe('what fits in a row', () => {
  it('is marked, and nothing is lost', () => {
    assert.deepEqual(
      marked('cartService', [
        [0, 1],
        [4, 5],
      ]),
      [
        { text: 'c', fits: true },
        { text: 'art', fits: false },
        { text: 'S', fits: true },
        { text: 'ervice', fits: false },
      ],
    );
    assert.deepEqual(marked('cart'), [{ text: 'cart', fits: false }]);
    assert.deepEqual(marked('ca', [[0, 2]]), [{ text: 'ca', fits: true }]);
  });
});

describe('what a drag carries', () => {
  const drag = (data: Readonly<Record<string, string>>): readonly string[] =>
    placesIn({ getData: (type) => data[type] ?? '' });

  it('is read where VS Code has all of it', () => {
    assert.deepEqual(
      drag({
        'application/vnd.code.uri-list': 'file:///a.ts\r\nvscode-remote://ssh/b%20c.ts\r\n',
        'text/uri-list': 'file:///a.ts',
        resourceurls: '["file:///a.ts"]',
      }),
      ['file:///a.ts', 'vscode-remote://ssh/b%20c.ts'],
    );
    assert.deepEqual(
      drag({ resourceurls: '["file:///a.ts","file:///b.ts"]', 'text/uri-list': 'file:///a.ts' }),
      ['file:///a.ts', 'file:///b.ts'],
    );
    assert.deepEqual(drag({ 'text/uri-list': '# a folder\r\nfile:///src\r\n' }), ['file:///src']);
  });

  it('is no link of a web page, and nothing that is not understood', () => {
    assert.deepEqual(drag({ 'text/uri-list': 'https://example.org/a.ts' }), []);
    assert.deepEqual(drag({ 'text/uri-list': 'javascript:alert(1)\ndata:text/plain,a\nsrc/a.ts' }), []);
    for (const resourceurls of ['{', '{"a":1}', '[1,null]']) assert.deepEqual(drag({ resourceurls }), []);
  });

  it('can be told by its types before it is dropped', () => {
    assert.ok(mayAttach(['text/plain', 'Files']));
    assert.ok(mayAttach(['ResourceURLs']));
    assert.ok(!mayAttach(['text/plain', 'text/html']));
  });
});
