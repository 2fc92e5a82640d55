/** What is measured of a panel, whoever made it. */
import type { Page } from 'playwright-core';
import type { Turn } from '../../../src/core/conversation/conversation.ts';

export interface Contestant {
  readonly name: string;
  readonly page: Page;
  /** Draws the conversation in a page that is empty. Milliseconds until its end has been painted. */
  opens(turns: readonly Turn[]): Promise<number>;
  /** Adds each piece to the last answer, so many milliseconds apart, and waits until the last one is drawn. */
  streams(pieces: readonly string[], apart: number): Promise<void>;
  /** CSS of the field that is typed into. */
  readonly field: string;
  close(): Promise<void>;
}
