/** One setting changes; the person's text around it stays. */
import assert from 'node:assert/strict';
import { withSetting } from './settingsText.ts';

describe('withSetting', () => {
  it('replaces an entry where it stands', () => {
    assert.equal(
      withSetting('{ "x": 1, "a.b" : "old \\" one", // keep\n}', 'a.b', 'new'),
      '{ "x": 1, "a.b": "new", // keep\n}',
    );
  });

  it('adds an entry in front, behind comments', () => {
    assert.equal(
      withSetting('// { mine }\n/* { */ {\n  "x": 1\n}', 'a.b', 'new'),
      '// { mine }\n/* { */ {\n  "a.b": "new",\n  "x": 1\n}',
    );
    assert.equal(withSetting('{}', 'a.b', 'new'), '{\n  "a.b": "new",}');
  });

  it('takes value and key literally', () => {
    assert.equal(withSetting('{"aXb":"1","a.b":"2"}', 'a.b', '$& "x"'), '{"aXb":"1","a.b": "$& \\"x\\""}');
  });

  it('refuses text without an object', () => {
    assert.throws(() => withSetting('', 'a.b', 'new'), /no JSON object/);
  });
});
