import assert from 'node:assert/strict';

import { resultOf } from '../../../src/core/tools/foreignResult.ts';
import { maxResult } from '../../../src/core/tools/resultText.ts';

describe('what somebody else’s tool returned', () => {
  it('is one text of all parts', () => {
    assert.equal(
      resultOf([
        { kind: 'text', text: 'Two files.' },
        { kind: 'text', text: '' },
        { kind: 'bytes', mime: 'image/png', size: 2048 },
        { kind: 'link', address: 'mcp-resource://server/a', mime: 'text/plain' },
        { kind: 'link', address: 'file:///b' },
      ]),
      'Two files.\n[image/png, 2 KB: not shown here]\n[mcp-resource://server/a (text/plain)]\n[file:///b]',
    );
  });

  it('is said to be nothing when it is nothing', () => {
    for (const parts of [
      [],
      [{ kind: 'text', text: '' }] as const,
      [{ kind: 'other', value: undefined }] as const,
    ])
      assert.equal(resultOf(parts), 'The tool returned nothing.');
  });

  it('is cut in the middle when it is long', () => {
    const text = resultOf([{ kind: 'text', text: `begin${'x'.repeat(maxResult * 2)}end` }]);
    assert.ok(text.length < maxResult + 100);
    assert.match(text, /^begin.*\n\[40,008 characters left out here\]\n.*end$/);
  });

  it('is the text of the elements of a prompt', () => {
    const value = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'Three ', lineBreakBefore: false },
          {
            type: 1,
            children: [
              { type: 2, text: 'problems' },
              { type: 2, text: 'in a.ts', lineBreakBefore: true },
            ],
          },
          { type: 2, text: 'and b.ts', lineBreakBefore: 1 },
          null,
        ],
      },
    };
    assert.equal(resultOf([{ kind: 'elements', value }]), 'Three problems\nin a.ts\nand b.ts');
    assert.equal(resultOf([{ kind: 'elements', value: { other: 1 } }]), '{"other":1}');
  });

  it('is read however deep those are', () => {
    let node: object = { type: 2, text: 'deep' };
    for (let depth = 0; depth < 50_000; depth++) node = { type: 1, children: [node] };
    assert.equal(resultOf([{ kind: 'elements', value: { node } }]), 'deep');
  });

  it('is shown as far as it can be where its kind is new', () => {
    const loop: { self?: object } = {};
    loop.self = loop;
    assert.equal(resultOf([{ kind: 'other', value: 'plain' }]), 'plain');
    assert.equal(resultOf([{ kind: 'other', value: { value: 'held' } }]), 'held');
    assert.equal(resultOf([{ kind: 'other', value: { a: [1] } }]), '{"a":[1]}');
    assert.equal(resultOf([{ kind: 'other', value: loop }]), '[a result that can’t be shown]');
  });
});
