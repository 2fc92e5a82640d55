/** Paths as a model might write them, most of them meant to lead out, or to what looks like another name. */
import type { Chance } from './chance.ts';

const pathParts = [
  ...[
    '..',
    '.',
    '',
    'a',
    'b',
    'src',
    'work',
    'C:',
    'c:',
    '~',
    '.git',
    '.GIT',
    '.g\u200cit',
    'git~1',
    'config',
  ],
  ...[
    'CON',
    'nul.txt',
    'x:y',
    'x. ',
    'x.',
    '\u202etxt.exe',
    '\0',
    '...',
    '.. ',
    '%2e%2e',
    'a.txt',
    '\\',
    '\\\\',
    '//',
  ],
  ...['server', 'share', 'file:', '\uff0e\uff0e', '\u2024\u2024', '․․', '．．', '/', 'K', 'ſ'],
] as const;

/** @param more names that lead somewhere where it is tried */
export function anyPath(chance: Chance, more: readonly string[] = []): string {
  const names = [...pathParts, ...more, ...more];
  const parts = Array.from({ length: 1 + chance.below(6) }, () => chance.pick(names));
  return (chance.once(4) ? '/' : '') + parts.join(chance.once(4) ? '\\' : '/');
}
