/** Changes of files on a faulty disk, prepared and applied as accepting does. */
import assert from 'node:assert/strict';

import type { FileEdit, WorkspacePath } from '../../src/core/patch/editPlan.ts';
import { lineReplacements } from '../../src/core/patch/lineDiff.ts';
import { applySteps, type Applied } from '../../src/host/edits/files/apply.ts';
import { withLineEnds, type Written } from '../../src/host/edits/files/documentText.ts';
import { prepare, type Prepared } from '../../src/host/edits/files/prepare.ts';
import type { Step } from '../../src/host/edits/files/toWorkspaceEdit.ts';
import type { FileAt } from '../../src/host/edits/files/workspaceFiles.ts';
import type { FaultyFiles } from './filesFaulty.ts';

export interface UpdateOptions {
  readonly to?: string;
  readonly written?: Written;
}

export class FileSteps {
  readonly #disk: () => FaultyFiles;

  constructor(disk: () => FaultyFiles) {
    this.#disk = disk;
  }

  update(
    name: string,
    before: string,
    after: string,
    { to, written }: UpdateOptions = {},
  ): Promise<Prepared> {
    const edit: FileEdit = {
      kind: 'update',
      path: named(name),
      ...(to !== undefined && { to: named(to) }),
      before,
      after,
      replacements: lineReplacements(before, after),
      places: [],
    };
    return prepare({
      edit,
      at: this.#at(name),
      ...(to !== undefined && { to: this.#at(to) }),
      text: withLineEnds(after, '\n'),
      ...(written !== undefined && { written }),
    });
  }

  add(name: string, after: string): Promise<Prepared> {
    return prepare({ edit: { kind: 'add', path: named(name), after }, at: this.#at(name), text: after });
  }

  remove(name: string, before: string, written?: Written): Promise<Prepared> {
    const edit: FileEdit = { kind: 'delete', path: named(name), before };
    return prepare({ edit, at: this.#at(name), text: '', ...(written !== undefined && { written }) });
  }

  async apply(...wanted: readonly Promise<Prepared>[]): Promise<Applied> {
    return applySteps((await Promise.all(wanted)).map(stepOf));
  }

  #at(name: string): FileAt {
    const disk = this.#disk();
    return { uri: disk.uri(name), root: disk.root };
  }
}

export function named(name: string): WorkspacePath {
  return { root: 0, relative: name, display: name };
}

/** Fails when nothing is to be written. */
function stepOf(prepared: Prepared): Step {
  assert.ok(prepared.kind === 'ready', JSON.stringify(prepared));
  return prepared.step;
}
