/** What host tests, inside VS Code, tell the program that started VS Code: one JSON text a line, over loopback. */
import type { TestRecords } from '../support/testRecords.ts';

export type HostTestMessage =
  | { readonly kind: 'began' }
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'ended'; readonly passed: number; readonly failed: number } & TestRecords)
  /** The tests could not be run at all, or `ended` said that they failed. */
  | { readonly kind: 'broke'; readonly text: string };
