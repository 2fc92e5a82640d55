/**
 * A patch and the texts it names, made into one plan or one failure. Sections run in order over a view in memory, so that several of
 * them may touch one file; nothing is read or written here, and a failure leaves nothing half done.
 */
import { bomLength, firstTerminator, joinLines } from '../lines.ts';
import { err, ok, type Result } from '../result.ts';
import type { PathFault, WorkspacePath } from '../workspacePath.ts';
import { Budget } from './budget.ts';
import type { EditPlan, FileEdit, FileState, HunkPlace, Replacement } from './editPlan.ts';
import { lineReplacements } from './lineDiff.ts';
import type { AddSection, DeleteSection, FileSection, Patch, UpdateSection } from './patch.ts';
import type { PatchError, PatchFailure, SectionRef } from './patchError.ts';
import { placesIn, type LandedSection } from './places.ts';
import { planUpdate } from './planUpdate.ts';
import { applyReplacements, composeReplacements } from './replacements.ts';

/** The files as they are, already read. Asked only for paths that the patch names, and for the folders above them. */
export interface FileView {
  /** What a written path means. */
  resolve(written: string): Result<WorkspacePath, PathFault>;
  /** Equal for two paths that are one file. */
  key(path: WorkspacePath): string;
  read(path: WorkspacePath): FileState;
}

/** Hunks explained at length in one failure: each costs a walk over its file, and no message has room for more. */
const maxExplanations = 5;
/** Notes kept of one plan. */
const maxNotes = 30;

export function planPatch(patch: Patch, view: FileView): Result<EditPlan, PatchFailure> {
  return new Planner(view, patch.notes).plan(patch.sections);
}

/** What is at a path, before and after the sections read so far. */
interface Slot {
  readonly key: string;
  readonly path: WorkspacePath;
  readonly before: FileState;
  /** The header that named it first, for messages. */
  readonly written: string;
  readonly line: number;
  now: Content | undefined;
  /** A section on it failed, so later ones can't be judged. */
  broken: boolean;
}

/** A text and where it comes from. */
interface Content {
  /** Key of the path at which this file was before the patch; undefined for a new file. */
  readonly origin: string | undefined;
  /** As spelled by the last header that gave the file its place. */
  readonly path: WorkspacePath;
  readonly text: string;
  /** Edits of the original text, if there is one. */
  readonly replacements: readonly Replacement[];
  /** Where the hunks of the sections read so far went. */
  readonly landed: readonly LandedSection[];
}

interface Located {
  readonly slot: Slot;
  readonly path: WorkspacePath;
}

class Planner {
  readonly #view: FileView;
  readonly #slots = new Map<string, Slot>();
  readonly #problems: PatchError[] = [];
  readonly #fine: SectionRef[] = [];
  readonly #unchecked: SectionRef[] = [];
  readonly #notes: string[];
  readonly #budget = new Budget();
  readonly #explanations = { left: maxExplanations };

  constructor(view: FileView, notes: readonly string[]) {
    this.#view = view;
    this.#notes = [...notes];
  }

  plan(sections: readonly FileSection[]): Result<EditPlan, PatchFailure> {
    for (const section of sections) this.#section(section);
    const files = this.#problems.length === 0 ? this.#files() : [];
    return this.#problems.length === 0
      ? ok({ files, notes: this.#notes })
      : err({ problems: this.#problems, fine: this.#fine, unchecked: this.#unchecked });
  }

  #section(section: FileSection): void {
    const ref = { change: section.kind, file: section.path, line: section.line };
    const source = this.#locate(section.path, section.line);
    if (!source.ok) {
      this.#problems.push(source.error);
      return;
    }
    const { slot } = source.value;
    if (slot.broken || this.#budget.isSpent) {
      this.#unchecked.push(ref);
      return;
    }
    const problems = this.#apply(section, slot);
    slot.broken = problems.length > 0;
    if (slot.broken) for (const problem of problems) this.#problems.push(problem);
    else this.#fine.push(ref);
  }

  #locate(written: string, line: number): Result<Located, PatchError> {
    const path = this.#view.resolve(written);
    if (!path.ok) return err(pathProblem(written, line, path.error));
    const key = this.#view.key(path.value);
    let slot = this.#slots.get(key);
    if (!slot) {
      const before = this.#view.read(path.value);
      const now =
        before.kind === 'text'
          ? { origin: key, path: path.value, text: before.text, replacements: [], landed: [] }
          : undefined;
      slot = { key, path: path.value, before, written, line, now, broken: false };
      this.#slots.set(key, slot);
    }
    return ok({ slot, path: path.value });
  }

  #apply(section: FileSection, slot: Slot): readonly PatchError[] {
    if (slot.before.kind === 'refused') {
      return [{ kind: 'file-refused', file: section.path, line: section.line, reason: slot.before.reason }];
    }
    switch (section.kind) {
      case 'add':
        return this.#add(section, slot);
      case 'delete':
        return this.#delete(section, slot);
      case 'update':
        return this.#update(section, slot);
    }
  }

  /** Over an empty file an addition loses nothing. A file deleted before by the same patch keeps its BOM and its line ends. */
  #add(section: AddSection, slot: Slot): readonly PatchError[] {
    const { now } = slot;
    if (now && now.text.length > bomLength(now.text)) {
      return [{ kind: 'file-exists', file: section.path, line: section.line, change: 'add' }];
    }
    const model = now?.text ?? textOf(slot) ?? '';
    const text = model.slice(0, bomLength(model)) + joinLines(section.lines, firstTerminator(model));
    const replacements = now ? composeReplacements(now.replacements, lineReplacements(model, text)) : [];
    slot.now = { origin: now?.origin, path: slot.path, text, replacements, landed: [] };
    return [];
  }

  #delete(section: DeleteSection, slot: Slot): readonly PatchError[] {
    if (!slot.now)
      return [{ kind: 'file-missing', file: section.path, line: section.line, change: 'delete' }];
    slot.now = undefined;
    return [];
  }

  #update(section: UpdateSection, slot: Slot): readonly PatchError[] {
    const { now } = slot;
    if (!now) return [{ kind: 'file-missing', file: section.path, line: section.line, change: 'update' }];
    const target = section.moveTo ? this.#target(section.moveTo, slot) : ok({ slot, path: now.path });
    const planned = planUpdate(now.text, section, {
      budget: this.#budget,
      explanations: this.#explanations,
      afterEarlierSection: now.replacements.length > 0,
    });
    if (!target.ok) return [target.error, ...(planned.ok ? [] : planned.error)];
    if (!planned.ok) {
      target.value.slot.broken = true;
      return planned.error;
    }

    const { replacements, places: hunks, notes } = planned.value;
    for (const note of notes) this.#note(`${section.path}: ${note}`);
    slot.now = undefined;
    target.value.slot.now = {
      origin: now.origin,
      path: target.value.path,
      text: applyReplacements(now.text, replacements),
      replacements: composeReplacements(now.replacements, replacements),
      landed: [...now.landed, { edits: now.replacements, hunks }],
    };
    return [];
  }

  /** The place a file moves to: its own, perhaps in another spelling, or one where nothing is. */
  #target(
    moveTo: { readonly path: string; readonly line: number },
    source: Slot,
  ): Result<Located, PatchError> {
    const located = this.#locate(moveTo.path, moveTo.line);
    if (!located.ok || located.value.slot === source) return located;
    const { before, now } = located.value.slot;
    const at = { file: moveTo.path, line: moveTo.line };
    if (before.kind === 'refused') return err({ kind: 'file-refused', ...at, reason: before.reason });
    return now ? err({ kind: 'file-exists', ...at, change: 'move' }) : located;
  }

  /**
   * What is left to do for every path that was or is a file. No path is emptied and filled again by two entries, so the entries can
   * be carried out in any order: content that comes to a path where a file was before is an update of that path.
   */
  #files(): readonly FileEdit[] {
    const placeOf = new Map<string | undefined, Slot>();
    for (const slot of this.#slots.values()) placeOf.set(slot.now?.origin, slot);
    return [...this.#slots.values()].flatMap((slot) => this.#edit(slot, placeOf.get(slot.key)) ?? []);
  }

  /** `moved` is where the file that was at this path is now. */
  #edit(slot: Slot, moved: Slot | undefined): FileEdit | undefined {
    const before = textOf(slot);
    if (before === undefined) return this.#addition(slot);
    const { now } = slot;
    if (now) return this.#replacement(slot, before, now);
    if (!moved?.now || textOf(moved) !== undefined) return { kind: 'delete', path: slot.path, before };
    this.#checkAbove(moved);
    const { text: after, replacements, landed, path: to } = moved.now;
    return withPlaces({ kind: 'update', path: slot.path, to, before, after, replacements }, landed);
  }

  #addition(slot: Slot): FileEdit | undefined {
    const { now } = slot;
    if (!now) return undefined;
    const origin = now.origin === undefined ? undefined : this.#slots.get(now.origin);
    // A file that moved here is listed with the path it came from.
    if (origin && !origin.now) return undefined;
    this.#checkAbove(slot);
    return { kind: 'add', path: now.path, after: now.text };
  }

  #replacement(slot: Slot, before: string, now: Content): FileEdit | undefined {
    // Its own path in another spelling, where the file system takes both for one.
    const renamed = now.path.relative !== slot.path.relative;
    if (now.text === before && !renamed) {
      this.#note(`${slot.written}: the patch changes nothing in it.`);
      return undefined;
    }
    const own = now.origin === slot.key;
    const update = {
      kind: 'update',
      path: slot.path,
      ...(renamed ? { to: now.path } : {}),
      before,
      after: now.text,
      replacements: own ? now.replacements : lineReplacements(before, now.text),
    } as const;
    return withPlaces(update, own ? now.landed : []);
  }

  /** A new file can't stand below a path that is, or was until this patch, a file. */
  #checkAbove({ path, written, line }: Slot): void {
    const segments = path.relative.split('/');
    for (let length = 1; length < segments.length; length += 1) {
      const relative = segments.slice(0, length).join('/');
      const above = this.#slots.get(this.#view.key({ ...path, relative }));
      if (!above || (!above.now && textOf(above) === undefined)) continue;
      this.#problems.push({
        kind: 'file-exists',
        file: written,
        line,
        change: 'add',
        blockedBy: above.written,
      });
    }
  }

  #note(text: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(text);
  }
}

type Update = FileEdit & { readonly kind: 'update' };

/** As a property like the others, whose value is made when it is read for the first time. */
function withPlaces(update: Omit<Update, 'places'>, landed: readonly LandedSection[]): Update {
  let made: readonly HunkPlace[] | undefined;
  return {
    ...update,
    get places() {
      made ??= placesIn(update.before, landed);
      return made;
    },
  };
}

function textOf(slot: Slot): string | undefined {
  return slot.before.kind === 'text' ? slot.before.text : undefined;
}

function pathProblem(file: string, line: number, why: PathFault): PatchError {
  if (why === 'protected') return { kind: 'file-refused', file, line, reason: 'protected' };
  return { kind: why === 'outside' ? 'path-outside-workspace' : 'path-unusable', file, line, why };
}
