/** All slash commands that there are: those that come with the chat, and prompt files of the workspace and of the person. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import type { Candidate, SlashCommands } from '../completion/candidate.ts';
import { isBinary } from '../binary.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { closedGate, Places } from '../tools/places.ts';
import { readText } from '../tools/readText.ts';
import { builtInPrompts } from './builtInPrompts.ts';
import { promptName, readPromptFile, type PromptFile } from './promptFile.ts';
import { promptUri } from './promptUris.ts';

export interface Prompt {
  /** Without a slash. */
  readonly name: string;
  readonly source: 'builtIn' | 'workspace' | 'user';
  /** As a chip names it: `/fix`, `.github/prompts/release.prompt.md`. */
  readonly path: string;
  readonly uri: string;
  readonly file: PromptFile;
}

export interface PromptsParts {
  readonly settings: Pick<Settings, 'promptsFolder'>;
  readonly log: Log;
  /** As the window has them by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  readonly trusted?: () => boolean;
}

const folderOfWorkspace = '.github/prompts';
const ending = '.prompt.md';
/** Of one folder. More are no list that anybody looks through. */
const mostFiles = 200;
/** In bytes. */
const longest = 256 * 1024;
/** Milliseconds for which a list is good enough to be offered: it is asked for at each key. */
const fresh = 2_000;

export class Prompts implements SlashCommands {
  readonly #parts: PromptsParts;
  #listed: { readonly at: number; readonly prompts: Promise<readonly Prompt[]> } | undefined;
  readonly #told = new Set<string>();

  constructor(parts: PromptsParts) {
    this.#parts = parts;
  }

  /** As they are on the disk now. A person's own prompt stands in the place of ours of the same name, a workspace's in that of both. */
  async list(): Promise<readonly Prompt[]> {
    const own = [...(await this.#ofWorkspace()), ...(await this.#ofPerson())];
    const byName = new Map<string, Prompt>();
    for (const prompt of own) if (!byName.has(prompt.name)) byName.set(prompt.name, prompt);
    const ours = builtInPrompts().map(({ name, description, body }): Prompt => {
      const file = { description, body, ignored: [] };
      return { name, source: 'builtIn', path: `/${name}`, uri: promptUri(name), file };
    });
    const first = ours.map((prompt) => byName.get(prompt.name) ?? prompt);
    const others = [...byName.values()].filter((prompt) => !first.includes(prompt));
    return [...first, ...others.toSorted((a, b) => a.name.localeCompare(b.name))];
  }

  /** The one of this name, whatever the case of its letters where that leaves no doubt. */
  async find(name: string): Promise<Prompt | undefined> {
    const prompts = await this.list();
    const same = prompts.find((one) => one.name === name);
    if (same !== undefined) return same;
    const alike = prompts.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    return alike.length === 1 ? alike[0] : undefined;
  }

  async candidates(): Promise<readonly Candidate[]> {
    const now = Date.now();
    if (this.#listed === undefined || now - this.#listed.at > fresh)
      this.#listed = { at: now, prompts: this.list() };
    return (await this.#listed.prompts).map(({ name, source, path, file }) => {
      const what = file.description ?? (source === 'builtIn' ? undefined : path);
      const detail = [file.argumentHint, what].filter((one) => one !== undefined).join(' · ');
      return {
        kind: source === 'builtIn' ? 'command' : 'prompt',
        label: `/${name}`,
        insert: `/${name}`,
        ...(detail !== '' && { detail }),
      };
    });
  }

  async #ofWorkspace(): Promise<readonly Prompt[]> {
    const {
      folders = () => vscode.workspace.workspaceFolders ?? [],
      trusted = () => vscode.workspace.isTrusted,
    } = this.#parts;
    // What such a folder asks for is not what the person asks for.
    if (!trusted()) return [];
    const places = new Places(closedGate, folders());
    const prompts: Prompt[] = [];
    for (const { uri: root } of places.folders) {
      const folder = vscode.Uri.joinPath(root, folderOfWorkspace);
      for (const uri of await promptFilesIn(folder)) {
        const path = places.pathOf(uri)?.display;
        const found = path === undefined ? undefined : await places.locate(path, 'file');
        if (found?.ok !== true || found.value.size > longest) continue;
        const text = await readText(found.value);
        if (text.ok) prompts.push(...promptOf('workspace', uri, found.value.display, text.value.text));
      }
    }
    return prompts;
  }

  async #ofPerson(): Promise<readonly Prompt[]> {
    const { settings, log } = this.#parts;
    const written = settings.promptsFolder;
    const path = written.replace(/^~(?=$|[\\/])/, () => homedir());
    if (path === '') return [];
    if (!isAbsolute(path)) {
      if (this.#isNews(written)) log.warn('The folder of kimiChat.promptsFolder is no absolute path');
      return [];
    }
    const folder = vscode.Uri.file(path);
    const prompts: Prompt[] = [];
    for (const uri of await promptFilesIn(folder)) {
      try {
        if ((await vscode.workspace.fs.stat(uri)).size > longest) continue;
        const bytes = await vscode.workspace.fs.readFile(uri);
        if (isBinary(bytes)) continue;
        const shown = join(written, basename(uri.path)).replaceAll('\\', '/');
        prompts.push(...promptOf('user', uri, shown, new TextDecoder().decode(bytes)));
      } catch (error) {
        if (this.#isNews(uri.path)) log.warn('A prompt file could not be read', error);
      }
    }
    return prompts;
  }

  /** The same thing is told once: lists are made often. */
  #isNews(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }
}

/** None where there is no such folder. */
async function promptFilesIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([name, type]) => name.endsWith(ending) && (type & vscode.FileType.File) !== 0)
      .map(([name]) => name)
      .toSorted()
      .slice(0, mostFiles)
      .map((name) => vscode.Uri.joinPath(folder, name));
  } catch {
    return [];
  }
}

/** None of a file without words, or without a name that can be typed. */
function promptOf(source: Prompt['source'], uri: vscode.Uri, path: string, text: string): readonly Prompt[] {
  const file = readPromptFile(text);
  const base = basename(uri.path).slice(0, -ending.length);
  const name = promptName(file.name ?? '') ?? promptName(base);
  return name === undefined || file.body === '' ? [] : [{ name, source, path, uri: uri.toString(), file }];
}
