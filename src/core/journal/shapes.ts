/**
 * The shapes of what is kept, checked when it is read: a journal may have been cut off, edited by hand or written by another version.
 * A value of a wrong shape is left out as a whole; a field that is not known is dropped.
 */
import * as v from 'valibot';

import type { Approval } from '../conversation/approval.ts';
import type { Beginning } from '../conversation/beginning.ts';
import type { Parent } from '../conversation/branch.ts';
import {
  attachmentKinds,
  type ContextCut,
  type Conversation,
  type Failure,
  type FileProgressed,
  type Part,
  type ProposalSummary,
  type Question,
  type RequestRecord,
  type RetryWait,
  type Turn,
  type TurnEnd,
} from '../conversation/conversation.ts';
import type { Report } from '../conversation/reports.ts';
import type { ShownEvent } from '../conversation/turnEvent.ts';
import type { Effort, ModelId } from '../responses/models.ts';
import type { Citation, WebSearch } from '../responses/webSearch.ts';
import type { HistoryItem, RequestBody } from '../responses/wire.ts';

type Shape<T> = v.GenericSchema<unknown, T>;

/** With each field there that may be absent. */
type Full<T> = T extends readonly (infer E)[]
  ? readonly Full<E>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Full<T[K]> }
    : T;

/** The shape of a `T`. A shape that lacks a field or a kind of it does not compile: what was written of that would be lost when it is read. */
export function shapeOf<T>() {
  return <O extends T>(
    shape: Shape<O> & ([Full<O>, Full<T>] extends [Full<T>, Full<O>] ? unknown : never),
  ): Shape<T> => shape;
}

const text = v.string();
/** JSON can write numbers that are read as infinite, and can't write those back. */
export const number = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** As many as a server can send: a number that was damaged must not make so many empty ones. */
const section = v.pipe(count, v.maxValue(9_999));
const yes = v.literal(true);
const flag = v.boolean();

function maybe<T>(shape: Shape<T>): v.ExactOptionalSchema<Shape<T>, undefined> {
  return v.exactOptional(shape);
}

/** A model that is no longer in the table is still the one that answered. */
export const model = v.custom<ModelId>((value) => typeof value === 'string');
const effort = v.custom<Effort>((value) => typeof value === 'string');

/** One of a kind that this version does not know is told as what it calls itself. */
const failure: Shape<Failure> = v.pipe(
  v.looseObject({ kind: text }),
  v.transform((value): Failure => {
    const known = v.safeParse(failureShape, value);
    return known.success ? known.output : { kind: 'bug', detail: value.kind };
  }),
);

const withMessage = v.object({ message: text });
const failureShape = shapeOf<Failure>()(
  v.variant('kind', [
    v.object({ kind: v.literal('noKey') }),
    v.object({
      kind: v.picklist(['badKey', 'forbidden', 'modelUnknown', 'outOfQuota']),
      ...withMessage.entries,
    }),
    v.object({
      kind: v.picklist(['contextTooLong', 'contentFilter', 'noWebSearch', 'unchanged']),
      ...withMessage.entries,
    }),
    v.object({ kind: v.literal('rateLimited'), message: text, retryAfter: maybe(number) }),
    v.object({ kind: v.literal('overloaded'), message: text, status: number, retryAfter: maybe(number) }),
    v.object({ kind: v.picklist(['refused', 'serverError']), message: text, status: number }),
    v.object({
      kind: v.literal('network'),
      code: text,
      message: text,
      sent: flag,
      untrusted: maybe(yes),
      proxy: maybe(text),
      issuer: maybe(text),
    }),
    v.object({ kind: v.literal('silence'), seconds: number }),
    v.object({ kind: v.picklist(['brokenStream', 'bug']), detail: text }),
    v.object({
      kind: v.literal('spendingLimit'),
      scope: v.picklist(['day', 'conversation']),
      limit: number,
      spent: number,
      expected: number,
    }),
    v.object({ kind: v.literal('tooManyRounds'), rounds: number }),
  ]),
);

/** As servers may tell it: what is less than nothing would make room under a limit of spending. */
export const usage = v.object({
  input: count,
  cached: count,
  cacheWrite: count,
  output: count,
  reasoning: count,
});

const beginning = shapeOf<Beginning>()(
  v.variant('kind', [
    v.object({ kind: v.literal('first') }),
    v.object({ kind: v.literal('grown') }),
    v.object({
      kind: v.literal('changed'),
      by: v.picklist(['model', 'instructions', 'effort', 'tools', 'input']),
      same: count,
      of: count,
    }),
  ]),
);

const attachment = v.object({
  id: text,
  kind: v.picklist(attachmentKinds),
  path: text,
  uri: text,
  range: maybe(v.object({ from: number, to: number })),
  languageId: text,
  name: maybe(text),
  tokens: maybe(number),
  digest: maybe(text),
  changed: maybe(yes),
  asks: maybe(v.object({ model: maybe(model), effort: maybe(effort) })),
});

const question = shapeOf<Question>()(v.object({ text, attachments: v.array(attachment) }));

export const cut = shapeOf<ContextCut>()(
  v.object({
    attachments: maybe(yes),
    files: maybe(v.array(count)),
    reasoning: maybe(yes),
    toolOutputs: maybe(yes),
    whole: maybe(yes),
  }),
);

const retry = shapeOf<RetryWait>()(
  v.object({
    failure,
    attempt: number,
    of: number,
    since: number,
    until: number,
    asked: maybe(number),
    via: maybe(text),
  }),
);

const end = shapeOf<TurnEnd>()(
  v.variant('kind', [
    v.object({ kind: v.literal('completed') }),
    v.object({ kind: v.literal('stopped'), by: maybe(v.literal('reload')) }),
    v.object({ kind: v.literal('incomplete'), reason: text }),
    v.object({ kind: v.literal('failed'), failure }),
  ]),
);

const change = v.picklist(['add', 'update', 'delete', 'move']);

const proposal = shapeOf<ProposalSummary>()(
  v.object({
    id: text,
    files: v.array(
      v.object({
        index: count,
        path: text,
        to: maybe(text),
        change,
        added: number,
        removed: number,
        state: v.picklist([
          'pending',
          'applying',
          'accepted',
          'takenBack',
          'rejected',
          'there',
          'conflict',
          'failed',
          'cancelled',
        ]),
        seen: flag,
        amended: flag,
        canTakeBack: maybe(yes),
        note: maybe(text),
        hunks: maybe(
          v.object({
            open: number,
            moved: number,
            conflicting: number,
            hidden: number,
            there: number,
            accepted: number,
            rejected: number,
          }),
        ),
        partly: maybe(flag),
        takesSecondYes: maybe(yes),
      }),
    ),
  }),
);

const progressed = shapeOf<FileProgressed>()(
  v.object({
    index: v.pipe(count, v.maxValue(99_999)),
    path: maybe(text),
    change: maybe(change),
    added: maybe(number),
    removed: maybe(number),
  }),
);

const search = shapeOf<WebSearch>()(
  v.object({
    action: v.variant('kind', [
      v.object({ kind: v.literal('search'), queries: v.array(text) }),
      v.object({ kind: v.literal('openPage'), url: maybe(text) }),
      v.object({ kind: v.literal('findInPage'), pattern: text, url: maybe(text) }),
      v.object({ kind: v.literal('other'), name: text }),
    ]),
    sources: v.array(v.object({ url: text, title: maybe(text) })),
    images: v.array(v.object({ url: text, page: maybe(text), caption: maybe(text) })),
    failed: maybe(yes),
  }),
);

const citation = shapeOf<Citation>()(
  v.object({
    section: count,
    from: number,
    to: number,
    url: text,
    title: maybe(text),
  }),
);

const answerToApproval = v.variant('kind', [
  v.object({ kind: v.literal('allow'), remember: maybe(yes) }),
  v.object({ kind: v.picklist(['mask', 'later', 'cancelled']) }),
  v.object({ kind: v.literal('deny'), reason: maybe(text) }),
]);

const approval = shapeOf<Approval>()(
  v.object({
    id: text,
    request: v.variant('kind', [
      v.object({ kind: v.literal('command'), command: text, folder: text, seconds: number }),
      v.object({
        kind: v.literal('read'),
        why: v.picklist(['outside', 'leadsOut', 'ignored']),
        path: text,
        target: maybe(text),
        folder: maybe(yes),
      }),
      v.object({ kind: v.literal('foreignTool'), owner: text, name: text, description: text, input: text }),
      v.object({
        kind: v.literal('secrets'),
        from: text,
        found: v.array(
          v.object({ what: text, service: maybe(text), line: number, hint: text, length: maybe(number) }),
        ),
      }),
    ]),
    askedAt: number,
    answer: maybe(answerToApproval),
  }),
);

const outcome = v.object({
  kind: v.picklist(['done', 'failed', 'rejected', 'cancelled', 'undecided']),
  text,
});

const textPart = {
  id: text,
  sections: v.array(text),
  openedAt: number,
  closedAt: maybe(number),
};

export const part = shapeOf<Part>()(
  v.variant('kind', [
    v.object({ kind: v.literal('reasoning'), ...textPart }),
    v.object({ kind: v.literal('answer'), ...textPart, citations: maybe(v.array(citation)) }),
    v.object({ kind: v.literal('search'), id: text, search, openedAt: number, closedAt: maybe(number) }),
    v.object({
      kind: v.literal('tool'),
      id: text,
      name: text,
      namespace: maybe(text),
      input: text,
      openedAt: number,
      askedAt: maybe(number),
      progress: maybe(
        v.object({ files: v.array(v.object({ path: text, change, added: number, removed: number })) }),
      ),
      proposal: maybe(proposal),
      approvals: maybe(v.array(approval)),
      outcome: maybe(outcome),
      closedAt: maybe(number),
    }),
  ]),
);

const request = shapeOf<RequestRecord>()(
  v.object({
    round: count,
    model,
    effort,
    sentAt: number,
    expectedInput: maybe(number),
    beginning,
    room: maybe(number),
    via: maybe(text),
    endedAt: maybe(number),
    usage: maybe(v.nullable(usage)),
    unbilled: maybe(yes),
    cacheTtl: maybe(text),
  }),
);

export const turn = shapeOf<Turn>()(
  v.object({
    id: text,
    question,
    model,
    effort,
    startedAt: number,
    endedAt: maybe(number),
    parts: v.array(part),
    cut: maybe(cut),
    removed: maybe(yes),
    elsewhere: maybe(yes),
    requests: v.array(request),
    naming: maybe(request),
    retry: maybe(retry),
    end: maybe(end),
    broken: maybe(v.array(text)),
  }),
);

export const conversation = shapeOf<Conversation>()(v.object({ id: text, turns: v.array(turn) }));

const of = { turn: text };
const ofPart = { turn: text, part: text };

export const toolReviewed = v.object({ kind: v.literal('toolReviewed'), ...ofPart, proposal });

export const shownEvent = shapeOf<ShownEvent>()(
  v.variant('kind', [
    v.object({ kind: v.literal('turnStarted'), ...of, question, model, effort, at: number }),
    v.object({
      kind: v.literal('partOpened'),
      ...ofPart,
      what: v.picklist(['reasoning', 'answer', 'search']),
      at: number,
    }),
    v.object({ kind: v.picklist(['textAdded', 'textReplaced']), ...ofPart, section, text }),
    v.object({ kind: v.literal('searchTold'), ...ofPart, search }),
    v.object({ kind: v.literal('citationsAdded'), ...ofPart, citations: v.array(citation) }),
    v.object({ kind: v.literal('partClosed'), ...ofPart, at: number }),
    v.object({ kind: v.literal('toolOpened'), ...ofPart, name: text, namespace: maybe(text), at: number }),
    v.object({ kind: v.literal('toolInputAdded'), ...ofPart, text }),
    v.object({ kind: v.literal('toolProgressed'), ...ofPart, files: v.array(progressed) }),
    v.object({ kind: v.literal('toolAsked'), ...ofPart, input: maybe(text), at: number }),
    toolReviewed,
    v.object({ kind: v.literal('approvalAsked'), ...ofPart, approval }),
    v.object({ kind: v.literal('approvalAnswered'), ...ofPart, approval: text, answer: answerToApproval }),
    v.object({ kind: v.literal('toolSettled'), ...ofPart, outcome, at: number }),
    v.object({
      kind: v.literal('turnResumed'),
      ...of,
      drop: v.array(text),
      model: maybe(model),
      effort: maybe(effort),
      at: number,
    }),
    v.object({
      kind: v.literal('requestSent'),
      ...of,
      round: count,
      model,
      effort,
      expectedInput: maybe(number),
      beginning,
      room: maybe(number),
      at: number,
    }),
    v.object({ kind: v.literal('retryScheduled'), ...of, retry }),
    v.object({ kind: v.literal('retryStarted'), ...of, via: maybe(text), at: number }),
    v.object({
      kind: v.literal('requestEnded'),
      ...of,
      usage: v.nullable(usage),
      unbilled: maybe(yes),
      cacheTtl: maybe(text),
      at: number,
    }),
    v.object({
      kind: v.literal('namingSent'),
      ...of,
      model,
      effort,
      expectedInput: number,
      room: number,
      at: number,
    }),
    v.object({
      kind: v.literal('namingEnded'),
      ...of,
      usage: v.nullable(usage),
      unbilled: maybe(yes),
      cacheTtl: maybe(text),
      at: number,
    }),
    v.object({ kind: v.literal('contextCut'), ...of, cut }),
    v.object({ kind: v.literal('turnRemoved'), ...of }),
    v.object({ kind: v.literal('turnRestored'), ...of, content: turn }),
    v.object({ kind: v.literal('turnEnded'), ...of, end, broken: maybe(v.array(text)), at: number }),
  ]),
);

const texts = <K extends string>(kind: K) => v.array(v.object({ type: v.literal(kind), text }));

export const historyItem = shapeOf<HistoryItem>()(
  v.variant('type', [
    v.variant('role', [
      v.object({
        type: v.literal('message'),
        role: v.picklist(['user', 'developer']),
        content: v.array(
          v.variant('type', [
            v.object({ type: v.literal('input_text'), text }),
            v.object({ type: v.literal('input_image'), image_url: text }),
          ]),
        ),
      }),
      v.object({
        type: v.literal('message'),
        role: v.literal('assistant'),
        content: texts('output_text'),
      }),
    ]),
    v.object({
      type: v.literal('reasoning'),
      id: maybe(text),
      summary: texts('summary_text'),
      content: maybe(texts('reasoning_text')),
      encrypted_content: maybe(text),
    }),
    v.object({
      type: v.literal('function_call'),
      id: maybe(text),
      call_id: text,
      name: text,
      namespace: maybe(text),
      arguments: text,
    }),
    v.object({ type: v.literal('function_call_output'), call_id: text, output: text }),
    v.object({
      type: v.literal('custom_tool_call'),
      id: maybe(text),
      call_id: text,
      name: text,
      namespace: maybe(text),
      input: text,
    }),
    v.object({ type: v.literal('custom_tool_call_output'), call_id: text, output: text }),
    v.object({
      type: v.literal('web_search_call'),
      id: maybe(text),
      status: v.literal('completed'),
      action: v.object({ type: v.literal('search'), query: text }),
    }),
  ]),
);

/** All of a request but its input. Its tools are compared and shown, and never run. */
export const requestHead = v.pipe(
  v.looseObject({
    model,
    stream: yes,
    instructions: text,
    tools: maybe(v.array(v.looseObject({ type: text }))),
  }),
  v.transform((head) => head as unknown as Omit<RequestBody, 'input'>),
);

export const parent = shapeOf<Parent>()(
  v.object({
    conversation: text,
    turn: text,
    kind: v.picklist(['version', 'fork']),
  }),
);

export const report = shapeOf<Report>()(v.object({ text, about: maybe(text), told: maybe(text) }));
