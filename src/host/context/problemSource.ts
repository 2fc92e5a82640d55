/** A chip of what VS Code shows as problems, with the lines that they are about. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { openDocument } from '../edits/documentText.ts';
import { attachedScheme, pathOf, withLineFeeds, type SourceParts } from './describe.ts';
import type { AttachProblem } from './problem.ts';

/** Longest text, in UTF-16 units. */
const maxText = 60_000;
/** Of one message or line. */
const maxLine = 1_000;

const severities = ['error', 'warning', 'information', 'hint'] as const;

export function attachProblems(
  parts: SourceParts,
  uri?: vscode.Uri,
  range?: vscode.Range,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  return Promise.resolve(problemsOf(parts, uri, range));
}

function problemsOf(
  parts: SourceParts,
  uri: vscode.Uri | undefined,
  range: vscode.Range | undefined,
): Result<readonly Attachment[], AttachProblem> {
  const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] =
    uri === undefined ? vscode.languages.getDiagnostics() : [[uri, vscode.languages.getDiagnostics(uri)]];
  const found = all
    .flatMap(([file, diagnostics]) => diagnostics.map((diagnostic) => ({ file, diagnostic })))
    .filter(({ diagnostic }) => range === undefined || diagnostic.range.intersection(range) !== undefined)
    // Hints are such as “never read”: not what one asks about a workspace.
    .filter(
      ({ diagnostic }) => uri !== undefined || diagnostic.severity <= vscode.DiagnosticSeverity.Information,
    )
    .toSorted((one, other) => one.diagnostic.severity - other.diagnostic.severity);
  if (found.length === 0) return err('noProblems');
  const entries = found.map(({ file, diagnostic }) => entryOf(pathOf(file, parts), file, diagnostic));
  const shown = fitting(entries);
  const left = entries.length - shown.length;
  const text = [...shown, ...(left > 0 ? [`[${left} more problems left out]`] : [])].join('\n');
  const id = parts.newId();
  if (uri === undefined) {
    return ok([
      {
        ...{ id, kind: 'problems', path: vscode.l10n.t('Problems of the workspace'), text },
        uri: vscode.Uri.from({ scheme: attachedScheme, path: '/problems' }).toString(),
        languageId: 'plaintext',
        heading: `Problems that the editor shows in the workspace (${entries.length})`,
      },
    ]);
  }
  const path = pathOf(uri, parts);
  return ok([
    {
      ...{ id, kind: 'problems', path: vscode.l10n.t('Problems of {0}', path), text },
      uri: uri.toString(),
      ...(range !== undefined && { range: { from: range.start.line + 1, to: range.end.line + 1 } }),
      languageId: 'plaintext',
      heading: `Problems that the editor shows in ${path}`,
    },
  ]);
}

function entryOf(
  path: string,
  file: vscode.Uri,
  { range, severity, message, source, code, relatedInformation }: vscode.Diagnostic,
): string {
  const number = typeof code === 'object' ? code.value : code;
  const from = [source, number].filter((part) => part !== undefined && part !== '').join(' ');
  const place = `${path}:${range.start.line + 1}:${range.start.character + 1}`;
  const said = withLineFeeds(message).replaceAll('\n', ' ').slice(0, maxLine);
  const document = openDocument(file);
  const line =
    document !== undefined && range.start.line < document.lineCount && document.lineAt(range.start.line);
  const lines = [`${place} ${severities[severity]}${from === '' ? '' : ` (${from})`}: ${said}`];
  if (line !== false && !line.isEmptyOrWhitespace) lines.push(`    ${line.text.trim().slice(0, maxLine)}`);
  for (const { location, message: more } of (relatedInformation ?? []).slice(0, 3)) {
    lines.push(
      `    see line ${location.range.start.line + 1}${
        location.uri.toString() === file.toString() ? '' : ` of ${location.uri.path}`
      }: ${withLineFeeds(more).replaceAll('\n', ' ').slice(0, maxLine)}`,
    );
  }
  return lines.join('\n');
}

function fitting(entries: readonly string[]): readonly string[] {
  let length = 0;
  const end = entries.findIndex((entry) => (length += entry.length + 1) > maxText);
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}
