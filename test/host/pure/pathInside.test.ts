/** What counts as inside a folder, by the paths alone. */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';

import { pathInside } from '../../../src/host/pathInside.ts';

describe('A path inside a folder', () => {
  const folder = resolve('/home/me/project');

  it('is told as the way there', () => {
    assert.equal(pathInside(folder, folder), '');
    assert.equal(pathInside(folder, join(folder, 'a', 'b.txt')), join('a', 'b.txt'));
    assert.equal(pathInside(resolve('/'), join(folder, 'a')), join('home', 'me', 'project', 'a'));
  });

  it('may begin with two dots', () => {
    assert.equal(pathInside(folder, join(folder, '..a')), '..a');
    assert.equal(pathInside(folder, join(folder, '...', 'a')), join('...', 'a'));
  });

  it('is none around it, or beside it', () => {
    for (const path of ['/', '/home/me', '/home/me/project2', '/home/me/other/project', '/home/me/..a'])
      assert.equal(pathInside(folder, resolve(path)), undefined, path);
  });
});
