/** Whatever path is written: what it is taken for lies in a folder of the workspace, as the systems themselves read paths, and not in its `.git`. */
import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { misleads } from '../../src/core/misleadingNames.ts';
import { pathKey, resolveFolder, resolvePath, type Root } from '../../src/core/workspacePath.ts';
import { check } from './patchTexts.ts';

const roots: readonly Root[] = [
  { name: 'app', path: '/home/me/app', caseInsensitive: false },
  { name: 'web', path: '/home/me/app/web', caseInsensitive: true },
  { name: 'app', path: 'C:\\work\\app', caseInsensitive: true },
  { name: 'share', path: '\\\\server\\share\\app', caseInsensitive: true },
];

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'src', 'app', 'web', 'home', 'me', 'work', 'server', 'share'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom('..', '.', '', '...', '.. ', ' ..', '..\u200b', '．．', '‥', '~', '%2e%2e'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('.git', '.GIT', 'git~1', '.git.', '.g\u200cit', '.gіt', '.git:x', '.ｇit'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'C:',
      'c:a',
      'con',
      'NUL.txt',
      'a:b',
      '?',
      '.',
      'file:',
      'a\u202eb',
      'a\u0000b',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
const separator = fc.constantFrom('/', '\\', '//', '/./', '\\\\');
const start = fc.constantFrom(
  '',
  '',
  '/',
  '//',
  '\\\\',
  'C:\\',
  'c:/',
  'C:',
  '~/',
  '/home/me/app/',
  'C:/work/app/',
  '\\\\server\\share\\app\\',
  'file:///',
  '\\\\?\\C:\\',
  '\\\\.\\',
);
const written = fc
  .tuple(start, fc.array(fc.tuple(segment, separator), { maxLength: 8 }), segment)
  .map(([first, middle, last]) => first + middle.map(([name, sign]) => name + sign).join('') + last);

describe('a written path', () => {
  it('never leads out of its folder, into its repository or to a device', () => {
    let taken = 0;
    let saidAgain = 0;
    check(
      fc.tuple(written, fc.subarray([...roots], { minLength: 1 })),
      ([text, some]) => {
        for (const resolve of [resolvePath, resolveFolder]) {
          const paths = resolve(text, some);
          if (!paths.ok) continue;
          for (const found of paths.value) {
            const root = some[found.root];
            assert.ok(root);
            taken += 1;
            const system = root.path.startsWith('/') ? path.posix : path.win32;
            const place = system.join(root.path, found.relative);
            assert.ok(place === root.path || place.startsWith(root.path + system.sep), place);
            assert.equal(system.relative(root.path, place).split(system.sep).join('/'), found.relative);
            assert.ok(!misleads(found.relative));
            assert.doesNotMatch(found.relative, /(?:^|\/)\.git[. ]*(?:$|\/)/i);
            if (system === path.win32)
              assert.doesNotMatch(found.relative, /[:*?"<>|]|(?:^|\/)(?:con|nul)(?:$|[/. ])/i);
            // Said again as it is shown, it is the same place, where it is not taken for something else, as `C:` is, and refused.
            if (some.length > 1) continue;
            const again = resolve(found.display, some);
            if (!again.ok) continue;
            saidAgain += 1;
            assert.equal(pathKey(again.value[0] ?? found, some), pathKey(found, some));
          }
        }
      },
      2_000,
    );
    assert.ok(taken > 100, `only ${taken} paths were taken for anything`);
    assert.ok(saidAgain > 0, 'none of them could be said again');
  });
});
