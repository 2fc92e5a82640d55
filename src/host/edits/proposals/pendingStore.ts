/**
 * Proposals that wait, kept over a reload of the window: what they would change, and what the person has made of them so far. Values
 * only; whether their files are still there is not asked here.
 */
import * as v from 'valibot';

import type { FileEdit } from '../../../core/patch/editPlan.ts';
import type { OwnStorage } from '../../ownStorage.ts';
import { followedOf, type PendingFile, type PendingProposal } from './pendingProposal.ts';

/** Longer ones, in UTF-16 units of all their texts, live until the window closes. */
const maxLength = 8 * 1024 * 1024;
const maxProposals = 20;

const path = v.object({ root: v.number(), relative: v.string(), display: v.string() });
const edit = v.variant('kind', [
  v.object({ kind: v.literal('add'), path, after: v.string() }),
  v.object({ kind: v.literal('delete'), path, before: v.string() }),
  v.object({
    kind: v.literal('update'),
    path,
    to: v.exactOptional(path),
    before: v.string(),
    after: v.string(),
    replacements: v.array(v.object({ start: v.number(), end: v.number(), text: v.string() })),
    places: v.array(
      v.object({
        from: v.number(),
        to: v.number(),
        pass: v.picklist([
          'exact',
          'trailingBlanks',
          'punctuation',
          'indentation',
          'indentationAndPunctuation',
          'endOfFile',
        ]),
      }),
    ),
  }),
]);
const at = v.object({ root: v.string(), uri: v.string() });

const fileSchema = v.object({
  edit,
  at,
  to: v.exactOptional(at),
  /** The document of ours that shows it: tabs name it. */
  document: v.string(),
  text: v.string(),
  followed: v.exactOptional(
    v.object({ origin: v.string(), proposal: v.string(), planned: v.string(), live: v.string() }),
  ),
  taken: v.object({ accepted: v.number(), rejected: v.number() }),
  seen: v.boolean(),
  stayed: v.exactOptional(v.literal(true)),
  isUndermined: v.exactOptional(v.literal(true)),
  moved: v.exactOptional(v.literal(true)),
});
const schema = v.object({ id: v.string(), order: v.number(), files: v.array(fileSchema) });

export type KeptProposal = v.InferOutput<typeof schema>;
export type KeptFile = v.InferOutput<typeof fileSchema>;

export class PendingStore {
  readonly #storage: OwnStorage;
  /** What is kept, in the order in which it came. */
  readonly #kept = new Map<string, number>();
  #count = 0;

  constructor(storage: OwnStorage) {
    this.#storage = storage;
  }

  get keeps(): boolean {
    return this.#storage.keeps;
  }

  /** What earlier windows left, oldest first. It stays kept until it is forgotten. */
  async read(): Promise<readonly KeptProposal[]> {
    const found: KeptProposal[] = [];
    for (const [name, value] of await this.#storage.readAll()) {
      const read = v.safeParse(schema, value);
      if (read.success && read.output.id === name) found.push(read.output);
      else void this.#storage.forget(name);
    }
    found.sort((one, other) => one.order - other.order);
    for (const { id, order } of found) {
      this.#kept.set(id, order);
      this.#count = Math.max(this.#count, order);
    }
    return found;
  }

  /** Keeps what is still to be decided of a proposal, as it is now. */
  keep({ id, files }: Pick<PendingProposal, 'id' | 'files'>): void {
    const open = files.filter(({ outcome }) => outcome === undefined);
    const length = open.reduce((sum, file) => sum + lengthOf(file), 0);
    if (open.length === 0 || length > maxLength) {
      this.forget(id);
      return;
    }
    const order = this.#kept.get(id) ?? (this.#count += 1);
    this.#kept.set(id, order);
    const value: KeptProposal = { id, order, files: open.map(keptFile) };
    void this.#storage.keep(id, value);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxProposals && oldest !== undefined) this.forget(oldest);
  }

  forget(id: string): void {
    if (this.#kept.delete(id)) void this.#storage.forget(id);
  }
}

function keptFile(file: PendingFile): KeptFile {
  const followed = followedOf(file);
  const place = (one: PendingFile['at']): KeptFile['at'] => ({
    root: one.root.toString(),
    uri: one.uri.toString(),
  });
  return {
    edit: plain(file.edit),
    at: place(file.at),
    ...(file.to !== undefined && { to: place(file.to) }),
    document: file.document.uri.toString(),
    text: file.document.text,
    ...(followed !== undefined && {
      followed: {
        origin: followed.origin,
        proposal: followed.proposal,
        planned: followed.planned,
        live: followed.live,
      },
    }),
    taken: { ...file.taken },
    seen: file.seen,
    ...(file.stayed === true && { stayed: true }),
    ...(file.isUndermined === true && { isUndermined: true }),
    ...(file.moved === true && { moved: true }),
  };
}

/** The same value, with lists that the schema may name as its own. */
function plain(one: FileEdit): KeptFile['edit'] {
  if (one.kind !== 'update') return one;
  return { ...one, replacements: [...one.replacements], places: [...one.places] };
}

function lengthOf({ edit: one, document, followed }: PendingFile): number {
  const before = one.kind === 'add' ? 0 : one.before.length;
  const after = one.kind === 'delete' ? 0 : one.after.length;
  return before + after + document.text.length + (followed === undefined ? 0 : 4 * followed.text.length);
}
