/** A fence names a language, and sometimes the file that the code is for. */
import assert from 'node:assert/strict';
import { codeInfo } from '../../src/webview/markdown/codeInfo.ts';

describe('what stands behind a fence', () => {
  for (const [info, language, file] of [
    ['', '', undefined],
    ['ts', 'ts', undefined],
    ['c++', 'c++', undefined],
    ['objective-c', 'objective-c', undefined],
    ['asp.net', 'asp.net', undefined],
    ['ts src/cart.ts', 'ts', 'src/cart.ts'],
    ['ts:src/cart.ts', 'ts', 'src/cart.ts'],
    ['js {1,3-5}', 'js', undefined],
    ['rust,no_run', 'rust', undefined],
    ['tsx title="src/a b.tsx" {1}', 'tsx', 'src/a b.tsx'],
    ["py filename='main.py'", 'py', 'main.py'],
    ['json file=package.json', 'json', 'package.json'],
    ['src/cart.ts', 'ts', 'src/cart.ts'],
    ['Dockerfile', 'Dockerfile', undefined],
    ['diff a/*.ts', 'diff', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(info)}`, () =>
      assert.deepEqual(codeInfo(info), { language, ...(file !== undefined && { file }) }));
  }
});
