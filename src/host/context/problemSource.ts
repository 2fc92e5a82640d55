/** A chip of what VS Code shows as problems, with the lines that they are about. */
import * as vscode from 'vscode';

import { problemsText, type AttachedProblem } from '../../core/conversation/contextTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { attachedScheme, pathOf, type SourceParts } from './describe.ts';
import type { AttachProblem } from './problem.ts';

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
  const problems = found.map(({ file, diagnostic }) => problemOf(file, diagnostic, parts));
  const id = parts.newId();
  if (uri === undefined) {
    return ok([
      {
        ...{ id, kind: 'problems', path: vscode.l10n.t('Problems of the workspace') },
        uri: vscode.Uri.from({ scheme: attachedScheme, path: '/problems' }).toString(),
        languageId: 'plaintext',
        ...problemsText(problems),
      },
    ]);
  }
  const path = pathOf(uri, parts);
  return ok([
    {
      ...{ id, kind: 'problems', path: vscode.l10n.t('Problems of {0}', path), uri: uri.toString() },
      ...(range !== undefined && { range: { from: range.start.line + 1, to: range.end.line + 1 } }),
      languageId: 'plaintext',
      ...problemsText(problems, path),
    },
  ]);
}

function problemOf(
  file: vscode.Uri,
  { range, severity, message, source, code, relatedInformation = [] }: vscode.Diagnostic,
  parts: SourceParts,
): AttachedProblem {
  const number = typeof code === 'object' ? code.value : code;
  const { line, character } = range.start;
  const document = openDocument(file);
  return {
    path: pathOf(file, parts),
    line: line + 1,
    column: character + 1,
    severity: severities[severity],
    source: [source, number].filter((part) => part !== undefined && part !== '').join(' '),
    message,
    ...(document !== undefined && line < document.lineCount && { code: document.lineAt(line).text }),
    related: relatedInformation.map(({ location, message: said }) => ({
      path: pathOf(location.uri, parts),
      line: location.range.start.line + 1,
      message: said,
    })),
  };
}
