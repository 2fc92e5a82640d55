/** The plan that takes a plan back. A value like any other: whether the files still are as the plan left them is not asked here. */
import { indexLines, lineAt } from '../lines.ts';
import type { EditPlan, FileEdit, HunkPlace, Replacement } from './editPlan.ts';
import { invertReplacements } from './replacements.ts';

export function invertPlan(plan: EditPlan): EditPlan {
  return { files: plan.files.map(invertEdit), notes: [] };
}

function invertEdit(edit: FileEdit): FileEdit {
  switch (edit.kind) {
    case 'add':
      return { kind: 'delete', path: edit.path, before: edit.after };
    case 'delete':
      return { kind: 'add', path: edit.path, after: edit.before };
    case 'update': {
      const replacements = invertReplacements(edit.before, edit.replacements);
      return {
        kind: 'update',
        path: edit.to ?? edit.path,
        ...(edit.to ? { to: edit.path } : {}),
        before: edit.after,
        after: edit.before,
        replacements,
        places: placesOf(edit.after, replacements),
      };
    }
  }
}

/** An inverse has no hunks; each of its ranges is a place. */
function placesOf(text: string, replacements: readonly Replacement[]): HunkPlace[] {
  const lines = indexLines(text);
  return replacements.map(({ start, end }) => {
    const from = start === text.length ? lines.count + 1 : lineAt(lines, start) + 1;
    return { from, to: start === end ? from - 1 : lineAt(lines, end - 1) + 1, pass: 'exact' };
  });
}
