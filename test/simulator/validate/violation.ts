/** A broken rule, as data: it becomes an error body, and a test can read it from the journal. */
import type { JsonObject } from '../wire.ts';

/** What a rule says against a body. */
export interface Complaint {
  /** Where, as `input[3].call_id`; empty for the body as a whole. */
  readonly param: string;
  readonly says: string;
  /** Given when it is not a plain 400. */
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
}

/** Checks one thing. It may rely on nothing another rule checks: bodies can be wrong in several ways at once. */
export type Rule = (body: JsonObject) => Iterable<Complaint>;

export interface Violation {
  /** The rule's name. */
  readonly rule: string;
  readonly param: string;
  /** Starts with the place. */
  readonly message: string;
  readonly status: number;
  readonly type: string;
  readonly code: string;
}

export function violationOf(rule: string, complaint: Complaint): Violation {
  return {
    rule,
    param: complaint.param,
    message: complaint.param === '' ? complaint.says : `${complaint.param}: ${complaint.says}`,
    status: complaint.status ?? 400,
    type: complaint.type ?? 'invalid_request_error',
    code: complaint.code ?? 'invalid_request',
  };
}
