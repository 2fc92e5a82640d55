/** What a conversation begins with, and what there is to keep of it: plain data. Knows no conversation that goes on. */
import type { Origin, Parent } from '../../core/conversation/branch.ts';
import type { Turn } from '../../core/conversation/conversation.ts';
import type { Report } from '../../core/conversation/reports.ts';
import type { ChosenRule } from '../../core/conversation/rules.ts';
import type { JournalChange } from '../journal/journal.ts';

/** What a conversation begins with that does not begin empty. Plain data. */
export interface SessionSeed extends Origin {
  /** Deleted turns as they were, for those who think better of it. */
  readonly removed: readonly Turn[];
  readonly reports: readonly Report[];
  readonly parent?: Parent;
  /** Whether the web is searched, where that is settled. */
  readonly webSearch?: boolean;
  /** What the person said of standing instructions. */
  readonly ruleChoices?: readonly ChosenRule[];
  /** Where it does not begin but goes on: how many requests each turn had with which it began. */
  readonly begunWith?: ReadonlyMap<string, number>;
  /** Another window writes it. */
  readonly elsewhere?: true;
}

/** What there is to keep of a conversation, beside what it began with. */
export type SessionChange = Exclude<JournalChange, { kind: 'conversation' | 'title' | 'pinned' }>;
