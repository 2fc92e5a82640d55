/** A broken rule, as data: it becomes an error body, and a test can read it from the journal. */

export interface Violation {
  /** The rule's name. */
  readonly rule: string;
  /** Where, as `input[3].call_id`; empty for the body as a whole. */
  readonly param: string;
  /** Starts with the place. */
  readonly message: string;
  readonly status: number;
  readonly type: string;
  readonly code: string;
}
