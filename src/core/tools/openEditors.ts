/** The tool `open_editors`. */
import { ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import type { OpenEditor, ReadingPorts } from './readingPorts.ts';
import { count, fitting } from './resultText.ts';
import type { Tool } from './tool.ts';

export function openEditorsTool(ports: Pick<ReadingPorts, 'openEditors'>): Tool {
  return functionTool({
    name: 'open_editors',
    description: 'The files that the person has open, which of them is in front, and what is selected in it.',
    fields: {},
    async run() {
      const { editors, hidden } = await ports.openEditors();
      const lines = fitting(editors.map(editorLine));
      const left = editors.length - lines.length + hidden;
      return ok(
        [
          editors.length === 0 ? 'No file of the workspace is open.' : `${count(editors.length, 'file')}:`,
          ...lines,
          ...(left > 0
            ? [`[${count(left, 'other editor')}: outside the workspace, ignored or left out]`]
            : []),
        ].join('\n'),
      );
    },
  });
}

function editorLine({ path, active, unsaved, selected }: OpenEditor): string {
  const facts = [
    ...(active ? ['in front'] : []),
    ...(unsaved ? ['with changes that are not saved yet'] : []),
    ...(selected === undefined
      ? []
      : [
          selected.from === selected.to
            ? `line ${selected.from} selected`
            : `lines ${selected.from} to ${selected.to} selected`,
        ]),
  ];
  return shownName(path) + (facts.length > 0 ? ` (${facts.join(', ')})` : '');
}
