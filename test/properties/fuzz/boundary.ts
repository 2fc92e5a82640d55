/** What a boundary is to those who try it: something that takes whatever comes from outside, one case after another. */
import type { Chance } from './chance.ts';

/** Throws, or rejects, when the case ended otherwise than it should have. */
export type TryCase = (chance: Chance) => void | Promise<void>;

/** By what they are called where they are told of. */
export const boundaries = {
  'bytes of the service': async () => (await import('./answers.ts')).tryAnswer,
  'messages of the panel': async () => (await import('./panelMessages.ts')).tryMessage,
  journals: async () => (await import('./journals.ts')).tryJournal,
  'files to import': async () => (await import('./importedFiles.ts')).tryFile,
  patches: async () => (await import('./patches.ts')).tryPatch,
  'arguments of tools': async () => (await import('./toolArguments.ts')).tryArguments,
} satisfies Readonly<Record<string, () => Promise<TryCase>>>;

export type BoundaryName = keyof typeof boundaries;
