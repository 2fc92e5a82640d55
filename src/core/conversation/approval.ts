/** What a tool asks the person before it does something, and what they answer. Plain JSON; host and panel hold the same value. */

/** What is asked. Every text in it is shown whole: what a person allows is what they see. */
export type ApprovalRequest =
  /** A command for the shell, with the folder it runs in and after how many seconds it is ended. */
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly folder: string;
      readonly seconds: number;
    }
  /** A file or folder that is not read without asking. Once allowed, it is not asked about again in this conversation. */
  | {
      readonly kind: 'read';
      readonly why: 'outside' | 'leadsOut' | 'ignored';
      /** With `/` on every system, as the next is. */
      readonly path: string;
      /** Where it really is, when links lead there: that is what is read. */
      readonly target?: string;
      /** It is a folder, asked for with all that is in it. */
      readonly folder?: true;
    }
  /** A tool of another extension or of a server, with its arguments as JSON. */
  | {
      readonly kind: 'foreignTool';
      readonly owner: string;
      readonly name: string;
      readonly description: string;
      readonly input: string;
    }
  /** What a tool returned holds something that looks secret. `from` is where it was read. */
  | { readonly kind: 'secrets'; readonly from: string; readonly found: readonly FoundSecret[] };

/** Something that looks secret, without the secret itself. */
export interface FoundSecret {
  /** What it seems to be, such as `privateKey`. */
  readonly what: string;
  /** Whose it is, where that is known: a name, which is not translated. */
  readonly service?: string;
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** What stands before it and its beginning, no more than tells a person which one it is. */
  readonly hint: string;
  /** Of the secret without its public beginning, in UTF-16 units, where one length says something. */
  readonly length?: number;
}

export type ApprovalAnswer =
  /** `remember`: the same is not asked again in this workspace. */
  | { readonly kind: 'allow'; readonly remember?: true }
  /** Goes on with the secrets blotted out. */
  | { readonly kind: 'mask' }
  | { readonly kind: 'deny'; readonly reason?: string }
  /** The person went on without answering. */
  | { readonly kind: 'later' }
  /** The turn was stopped. */
  | { readonly kind: 'cancelled' };

/** A question to the person and, once there is one, the answer. */
export interface Approval {
  /** Unique over all conversations, made by the host. */
  readonly id: string;
  readonly request: ApprovalRequest;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly answer?: ApprovalAnswer;
}

/** Whether a person can give this answer to this question. */
export function canAnswer(request: ApprovalRequest, answer: ApprovalAnswer): boolean {
  switch (answer.kind) {
    case 'allow':
      return answer.remember !== true || request.kind === 'command';
    case 'mask':
      return request.kind === 'secrets';
    case 'deny':
      return true;
    case 'later':
    case 'cancelled':
      return false;
  }
}
