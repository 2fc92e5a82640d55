/** What the model reads of things that are attached and no text by themselves: a diff, a folder, problems, a notebook, a terminal. Pure. */

import { shownName } from '../shownName.ts';

/** What an attachment sends, and what the model is told it is. */
export interface ContextText {
  readonly heading: string;
  readonly text: string;
}

export interface AttachedChanges {
  readonly staged: boolean;
  /** Of one file only. */
  readonly path?: string;
  /** A unified diff. */
  readonly diff: string;
  /** Files that git does not know, with their texts where they are shown. */
  readonly added: readonly { readonly path: string; readonly text?: string }[];
  /** How many files are left out. */
  readonly hidden: number;
}

/** Files that git does not know are written as it would write them were they added. Undefined when there is no change. */
export function changesText({ staged, path, diff, added, hidden }: AttachedChanges): ContextText | undefined {
  const of = path === undefined ? '' : ` of ${shownName(path)}`;
  const named = added.filter(({ text }) => text === undefined).map((file) => shownName(file.path));
  const parts = [
    ...(diff === '' ? [] : [diff]),
    ...added.flatMap((file) => (file.text === undefined ? [] : [newFile(file.path, file.text)])),
    ...(named.length > 0 ? [`New files that git does not know, not shown:\n${named.join('\n')}`] : []),
  ];
  if (parts.length === 0) return undefined;
  if (hidden > 0) parts.push(`[${hidden} left out: outside the workspace or ignored]`);
  return {
    heading: staged
      ? `Staged changes${of}, from git diff --cached`
      : `Changes in the working tree that are not staged${of}, from git diff, with new files`,
    text: parts.join('\n'),
  };
}

function newFile(path: string, text: string): string {
  const [old, now] = [shownName(`a/${path}`), shownName(`b/${path}`)];
  const head = `diff --git ${old} ${now}\nnew file\n--- /dev/null\n+++ ${now}`;
  if (text === '') return head;
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  return `${head}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`;
}

export interface NotebookCell {
  /** From 0. */
  readonly index: number;
  readonly languageId: string;
  readonly source: string;
  /** What of it is text. */
  readonly output: string;
}

/** Longest text of the outputs of one cell, in UTF-16 units. */
const maxOutput = 4_000;

/** Cells without text are left out. */
export function notebookText(path: string, cells: readonly NotebookCell[]): ContextText {
  return {
    heading: `${shownName(path)} (a notebook: its cells and their text outputs, not the file as it is stored)`,
    text: cells
      .filter(({ source }) => source.trim() !== '')
      .map(cellText)
      .join('\n\n'),
  };
}

function cellText({ index, languageId, source, output }: NotebookCell): string {
  const head = `[cell ${index + 1}, ${languageId}]\n${source.replaceAll('\r\n', '\n')}`;
  const all = output.replaceAll('\r\n', '\n').trimEnd();
  if (all === '') return head;
  const shown = all.length > maxOutput ? `${all.slice(0, maxOutput)}\n[The rest was left out.]` : all;
  return `${head}\n[output of cell ${index + 1}]\n${shown}`;
}

export interface AttachedNames {
  readonly path: string;
  readonly files: readonly string[];
  /** With those that are not named. */
  readonly total: number;
  /** How many of all are where. */
  readonly places: readonly { readonly name: string; readonly files: number }[];
  /** The folder was not looked through to its end. */
  readonly unfinished: boolean;
}

/** Most folders whose number of files is told. */
const maxPlaces = 200;

export function folderNames({ path, files, total, places, unfinished }: AttachedNames): ContextText {
  const others = total - files.length;
  return {
    heading: `The files in ${shownName(`${path}/`)}, by name; ignored ones are left out`,
    text: [
      ...files.map(shownName),
      ...(others > 0
        ? [
            `[${others} more. All of them, by folder:]`,
            ...places.slice(0, maxPlaces).map((place) => `${shownName(place.name)} ${place.files}`),
          ]
        : []),
      ...(unfinished ? ['[There are more: the folder is so large that looking through it was ended.]'] : []),
    ].join('\n'),
  };
}

export interface AttachedTexts {
  readonly path: string;
  /** Each as `fileSection` makes it. */
  readonly sections: readonly string[];
  /** Files that are no text or too long. */
  readonly leftOut: readonly string[];
  /** There are more files than fit. */
  readonly isCut: boolean;
}

export function folderTexts({ path, sections, leftOut, isCut }: AttachedTexts): ContextText {
  return {
    heading: `The files in ${shownName(`${path}/`)} with their texts; ignored ones are left out`,
    text: [
      ...sections,
      ...(leftOut.length > 0
        ? [
            `[Not shown, as they are no text or too long: ${leftOut.slice(0, maxPlaces).map(shownName).join(', ')}]`,
          ]
        : []),
      ...(isCut ? ['[There are more files in this folder: it is too large to be attached whole.]'] : []),
    ].join('\n'),
  };
}

/** One file among others, in a fence that its text can't close. */
export function fileSection(file: string, text: string): string {
  const extension = /\.(\w+)$/.exec(file)?.[1] ?? '';
  const fence = fenceFor(text);
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${shownName(file)}:\n${fence}${extension}\n${body}${fence}\n`;
}

/** A fence longer than any run of backticks inside, so that the text cannot close it. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(3, longest + 1));
}

export interface AttachedProblem {
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  /** Such as `ts 2322`; empty where none is told. */
  readonly source: string;
  readonly message: string;
  /** What stands in the line, where that is known. */
  readonly code?: string;
  readonly related: readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** Longest text of all problems, in UTF-16 units. */
const maxProblems = 60_000;
/** Of one message or line. */
const maxLine = 1_000;
const maxRelated = 3;

/** Of problems that came with a patch that was accepted. */
export const broughtHeading = 'Problems that the patch brought, as the editor shows them';

/** @param path of the file that they are of; of the workspace when absent */
export function problemsText(problems: readonly AttachedProblem[], path?: string): ContextText {
  const entries = problems.map(problemEntry);
  let length = 0;
  const end = entries.findIndex((entry) => (length += entry.length + 1) > maxProblems);
  const shown = end < 0 ? entries : entries.slice(0, Math.max(1, end));
  const others = entries.length - shown.length;
  return {
    heading: `Problems that the editor shows in ${path === undefined ? 'the workspace' : shownName(path)}`,
    text: [...shown, ...(others > 0 ? [`[${others} more problems left out]`] : [])].join('\n'),
  };
}

function problemEntry({
  path,
  line,
  column,
  severity,
  source,
  message,
  code,
  related,
}: AttachedProblem): string {
  const from = source === '' ? '' : ` (${source})`;
  const standing = code?.trim() ?? '';
  return [
    `${shownName(path)}:${line}:${column} ${severity}${from}: ${inOneLine(message)}`,
    ...(standing === '' ? [] : [`    ${standing.slice(0, maxLine)}`]),
    ...related
      .slice(0, maxRelated)
      .map((more) => `    see ${shownName(more.path)}:${more.line}: ${inOneLine(more.message)}`),
  ].join('\n');
}

function inOneLine(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029]/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .slice(0, maxLine);
}

/** @param name of the terminal */
export function selectionHeading(name: string): string {
  return `Selected in the terminal ${JSON.stringify(name)}`;
}

/** @param exitCode of the command, where that is known */
export function commandHeading(name: string, exitCode: number | undefined): string {
  const ended = exitCode === undefined ? '' : ` (exit code ${exitCode})`;
  return `The last command in the terminal ${JSON.stringify(name)}${ended} and its output`;
}
