/**
 * What accepted patches did to files, so that just that can be taken back later. Values only, kept by us and over a reload of the
 * window; whether the files are still like this is not asked here.
 */
import { Buffer } from 'node:buffer';

import * as v from 'valibot';
import type * as vscode from 'vscode';

import type { FileEdit } from '../../../core/patch/editPlan.ts';
import { rebase } from '../../../core/patch/rebase.ts';
import type { OwnStorage } from '../../ownStorage.ts';
import type { AppliedFile } from './apply.ts';
import { withLineEnds, type Written } from './documentText.ts';
import { hasMixedLineEnds } from './lineEnds.ts';
import type { Step } from './toWorkspaceEdit.ts';

/** Patches that can be taken back. */
const maxPatches = 100;
/** Of all their texts together, in UTF-16 units. */
const maxLength = 32 * 1024 * 1024;

/** Folders that were made for the file, as addresses, the outermost first. */
const newFolders = v.optional(v.array(v.string()));

const fileSchema = v.object({
  /** In the patch's plan. */
  index: v.number(),
  /** As people and the model name it; of a moved file the old path. */
  path: v.string(),
  toPath: v.optional(v.string()),
  /** The workspace folder that it belongs to, and where it was before the patch, as addresses. */
  root: v.string(),
  uri: v.string(),
  /** Where the patch moved it. */
  to: v.optional(v.string()),
  /** Texts with the line ends they were written with. */
  change: v.variant('kind', [
    v.object({
      kind: v.literal('edit'),
      before: v.string(),
      after: v.string(),
      newFolders,
      /** `after` could not be saved: the editor had it. */
      unsaved: v.optional(v.boolean()),
    }),
    v.object({ kind: v.literal('create'), after: v.string(), newFolders }),
    v.object({
      kind: v.literal('delete'),
      before: v.string(),
      bytes: v.pipe(v.string(), v.base64()),
      /** `before` was not on the disk: the editor had it. */
      unsaved: v.optional(v.boolean()),
      /** See `modeOf`. */
      mode: v.optional(v.number()),
    }),
  ]),
  takenBack: v.boolean(),
});

const patchSchema = v.object({
  id: v.string(),
  /** Grows by one a patch: the order in which they were accepted. */
  order: v.number(),
  files: v.array(fileSchema),
});

export type AcceptedFile = v.InferOutput<typeof fileSchema>;
export type AcceptedPatch = v.InferOutput<typeof patchSchema>;

export class Journal {
  readonly #storage: OwnStorage;
  readonly #patches = new Map<string, AcceptedPatch>();
  /** Settles when what earlier windows kept is there. */
  readonly ready: Promise<void>;

  constructor(storage: OwnStorage) {
    this.#storage = storage;
    this.ready = this.#read();
  }

  /** Undefined when nothing of this patch was accepted, or it was too long ago or too large. */
  get(patch: string): AcceptedPatch | undefined {
    return this.#patches.get(patch);
  }

  /** The patch accepted last of which something can still be taken back. */
  get last(): AcceptedPatch | undefined {
    return this.#inOrder()
      .reverse()
      .find(({ files }) => files.some(({ takenBack }) => !takenBack));
  }

  /** What was written last to the file that is in this place and could not be saved. */
  unsavedAt(uri: vscode.Uri): Written | undefined {
    const place = uri.toString();
    for (const { files } of this.#inOrder().reverse()) {
      const file = files.find((each) => !each.takenBack && (each.to ?? each.uri) === place);
      if (file === undefined) continue;
      return file.change.kind === 'edit' && file.change.unsaved === true ? writtenBy(file) : undefined;
    }
    return undefined;
  }

  /** Takes note of what was written to one file. Returns whether it can be taken back: texts beyond all measure are not kept. */
  record(patch: string, written: Omit<AcceptedFile, 'takenBack'>): boolean {
    const known = this.#patches.get(patch);
    const earlier = known?.files.find(({ index }) => index === written.index);
    const file: AcceptedFile = {
      ...written,
      ...(earlier !== undefined && !earlier.takenBack && together(earlier, written)),
      takenBack: false,
    };
    if (lengthOf(file) > maxLength / 2) return false;
    const others = known?.files.filter(({ index }) => index !== file.index) ?? [];
    const order = Math.max(0, ...[...this.#patches.values()].map((each) => each.order)) + 1;
    this.#set({ id: patch, order, files: [...others, file] });
    return true;
  }

  /** Notes that a file is as it was before the patch. */
  takenBack(patch: string, index: number): void {
    const known = this.#patches.get(patch);
    if (known === undefined) return;
    const files = known.files.map((file) => (file.index === index ? { ...file, takenBack: true } : file));
    this.#set({ ...known, files });
  }

  /** Notes that of what the patch wrote to a file this is left: the text that it has with the patch and nothing else. */
  partlyTakenBack(patch: string, index: number, after: string): void {
    const known = this.#patches.get(patch);
    if (known === undefined) return;
    const files = known.files.map((file) =>
      file.index === index && file.change.kind === 'edit'
        ? { ...file, change: { ...file.change, after } }
        : file,
    );
    this.#set({ ...known, files });
  }

  #set(patch: AcceptedPatch): void {
    this.#patches.set(patch.id, patch);
    void this.#storage.keep(patch.id, patch);
    this.#bound();
  }

  /** The oldest leave first. */
  #bound(): void {
    const patches = this.#inOrder().reverse();
    let length = 0;
    for (const [index, patch] of patches.entries()) {
      length += patch.files.reduce((sum, file) => sum + lengthOf(file), 0);
      if (index === 0 || (index < maxPatches && length <= maxLength)) continue;
      this.#patches.delete(patch.id);
      void this.#storage.forget(patch.id);
    }
  }

  #inOrder(): AcceptedPatch[] {
    return [...this.#patches.values()].sort((one, other) => one.order - other.order);
  }

  async #read(): Promise<void> {
    for (const [name, value] of await this.#storage.readAll()) {
      const read = v.safeParse(patchSchema, value);
      if (!read.success) void this.#storage.forget(name);
      else if (!this.#patches.has(read.output.id)) this.#patches.set(read.output.id, read.output);
    }
    this.#bound();
  }
}

/** What the file held right after; undefined of one that is gone. */
export function writtenBy({ change }: AcceptedFile): Written | undefined {
  return change.kind === 'delete'
    ? undefined
    : { text: change.after, isUnsaved: change.kind === 'edit' && change.unsaved === true };
}

/** What a step did. What save actions made of the file is part of it; what somebody typed is not. */
export function changeOf(
  step: Step,
  { edit, text }: { readonly edit: FileEdit; readonly text: string },
  applied: AppliedFile | undefined,
): AcceptedFile['change'] {
  const differs = applied?.differs;
  switch (step.kind) {
    case 'edit':
      return {
        kind: 'edit',
        before: step.before,
        after: differs?.cause === 'changedOnSave' ? differs.text : step.after,
        ...foldersOf(step),
        ...(applied?.unsaved === true && { unsaved: true }),
      };
    case 'create':
      return { kind: 'create', after: text, ...foldersOf(step) };
    case 'delete':
      return {
        kind: 'delete',
        before: edit.kind === 'delete' ? edit.before : '',
        bytes: Buffer.from(step.bytes).toString('base64'),
        ...(step.unsaved !== undefined && { unsaved: true }),
        ...(step.mode !== undefined && { mode: step.mode }),
      };
  }
}

function foldersOf({ newFolders: made = [] }: Exclude<Step, { kind: 'delete' }>): { newFolders?: string[] } {
  return made.length === 0 ? {} : { newFolders: made.map((folder) => folder.toString()) };
}

/**
 * Two things that one patch did to one file, one after the other, as one: taking it back undoes both. When somebody else changed
 * the very lines in between, the first can't be undone any more and only the second is kept.
 */
function together(
  earlier: AcceptedFile,
  later: Omit<AcceptedFile, 'takenBack'>,
): Pick<AcceptedFile, 'path' | 'uri' | 'change'> | undefined {
  const { change } = later;
  if (change.kind !== 'edit') return undefined;
  const { path, uri } = earlier;
  if (earlier.change.kind === 'delete') return undefined;
  const made = [...(earlier.change.newFolders ?? []), ...(change.newFolders ?? [])];
  const folders = made.length === 0 ? {} : { newFolders: made };
  if (earlier.change.kind === 'create') {
    return { path, uri, change: { kind: 'create', after: change.after, ...folders } };
  }
  const before = undone(earlier.change, change.before);
  return before === undefined ? undefined : { path, uri, change: { ...change, before, ...folders } };
}

/** What `now` would be without an earlier change; undefined when somebody else has changed the very lines since. */
function undone(
  earlier: { readonly before: string; readonly after: string },
  now: string,
): string | undefined {
  if (now === earlier.after) return earlier.before;
  // Where ends are mixed each line keeps its own.
  const isMixed = [now, earlier.before, earlier.after].some(hasMixedLineEnds);
  const eol = now.includes('\r\n') ? '\r\n' : '\n';
  const like = (text: string): string => (isMixed ? text : withLineEnds(text, eol));
  const rebased = rebase(like(earlier.after), now, like(earlier.before));
  return rebased.kind === 'conflict' ? undefined : rebased.text;
}

function lengthOf({ change }: AcceptedFile): number {
  switch (change.kind) {
    case 'edit':
      return change.before.length + change.after.length;
    case 'create':
      return change.after.length;
    case 'delete':
      return change.before.length + change.bytes.length;
  }
}
