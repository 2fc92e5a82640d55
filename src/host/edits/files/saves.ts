/**
 * Saves documents and looks at how much of each has reached the disk; what was saved can be put back as it was. Knows nothing of other
 * steps.
 */
import type * as vscode from 'vscode';

import { bytesAt, bytesOf, isBeginning, isCutShort, isSame } from './diskBytes.ts';
import { takenUp } from './documentText.ts';
import type { EditStep } from './effects.ts';
import { fewAtOnce } from './fewAtOnce.ts';
import { cutOff, noRoom, type Reason } from './sentences.ts';
import type { Step } from './toWorkspaceEdit.ts';
import { markUnsaved, putText, writeBack } from './workspaceWrites.ts';

/** A document that was to be saved, and how much of it the disk has. */
export interface Save {
  readonly step: EditStep;
  readonly document: vscode.TextDocument;
  /** The whole. */
  readonly text: string;
  /** What VS Code says. It does not always notice that a disk is full. */
  readonly isSaved: boolean;
  /** Somebody has typed into it meanwhile. */
  readonly isTyped: boolean;
  /** It was marked as unsaved before. */
  readonly wasDirty: boolean;
  readonly arrived: Arrived;
  /** Of what the disk has now, in bytes. */
  readonly size: number;
}

/** How long a disk has to be quiet before what it has is taken for all that comes, in milliseconds. */
const quietTime = 100;

/** `nothing` when the disk has what it had, `other` when that is neither. */
type Arrived = 'all' | 'beginning' | 'nothing' | 'other';

export async function saveOf(
  step: EditStep,
  document: vscode.TextDocument,
  seen: Pick<Save, 'isTyped' | 'wasDirty'>,
): Promise<Save> {
  const isSaved = await document.save();
  const text = document.getText();
  if (!isSaved && step.unwritten === true) await writeRest(document, [step.before, text]);
  const save = { step, document, text, isSaved, ...seen };
  let before: Uint8Array | undefined;
  for (;;) {
    const found = await bytesAt(document.uri);
    const arrived = await arrivedOf(found, save);
    // Of what another program writes just now only the beginning may be there yet.
    if (arrived !== 'beginning' || (before !== undefined && isSame(found, before))) {
      return { ...save, arrived, size: found?.length ?? 0 };
    }
    before = found;
    await new Promise((resolve) => setTimeout(resolve, quietTime));
  }
}

async function arrivedOf(
  found: Uint8Array | undefined,
  { step, document, text, isSaved }: Pick<Save, 'step' | 'document' | 'text' | 'isSaved'>,
): Promise<Arrived> {
  if (found === undefined) return 'other';
  if (isSame(found, await bytesOf(text, document))) return 'all';
  if (!isSaved && isSame(found, await bytesOf(step.before, document))) return 'nothing';
  // What was typed since is not to be there.
  for (const whole of document.isDirty ? [text, step.after] : [text]) {
    if (!isBeginning(found, await bytesOf(whole, document))) continue;
    // Another program may have taken something from the end since it was saved.
    if (!isSaved || found.length === 0 || (await isCutShort(found, whole, document))) return 'beginning';
  }
  return 'other';
}

/** VS Code does not save over what it takes for another program's. It is ours when it is the beginning of one of these, the last of them whole. */
async function writeRest(document: vscode.TextDocument, ours: readonly string[]): Promise<void> {
  const found = await bytesAt(document.uri);
  const all = await Promise.all(ours.map((text) => bytesOf(text, document)));
  const whole = all.at(-1);
  if (whole !== undefined && all.some((bytes) => isBeginning(found, bytes)))
    await writeBack(document.uri, whole);
}

/**
 * What somebody else has written since is not for us to judge. What was marked as unsaved may stay so: VS Code refuses to save it when
 * another program has written the same text.
 */
export function isLost({ arrived, isSaved, wasDirty }: Save): boolean {
  if (arrived === 'nothing') return !wasDirty;
  return arrived === 'beginning' || (arrived === 'other' && !isSaved);
}

/**
 * Puts back what was there before it was saved, on the disk and in the editor. An editor would cut the text off once more as soon as it
 * saves by itself.
 * @returns what could not be put back; undefined when all is left as it is, so that nothing of anybody's is lost
 */
export async function unsave(saves: readonly Save[]): Promise<ReadonlySet<Step> | undefined> {
  const isOurs = saves.every(
    ({ arrived, isTyped, isSaved, document }) =>
      arrived !== 'other' && !isTyped && !(isSaved && document.isDirty),
  );
  if (!isOurs) return undefined;
  // What needs less than it has now makes room for the others.
  const sized = await fewAtOnce(saves, async (save) => {
    const bytes = await bytesOf(save.step.before, save.document);
    return { save, bytes, growth: bytes.length - save.size };
  });
  const stuck = new Set<Step>();
  for (const [index, { save, bytes }] of sized.sort((a, b) => a.growth - b.growth).entries()) {
    if (await putBack(save, bytes)) continue;
    if (index === 0 && save.arrived === 'beginning') return undefined;
    stuck.add(save.step);
    await markUnsaved(save.document, save.step.before);
  }
  return stuck;
}

/** @param bytes what was on the disk */
async function putBack({ step, document, isSaved, arrived }: Save, bytes: Uint8Array): Promise<boolean> {
  const { uri, encoding } = document;
  const { before } = step;
  if (step.unwritten === true && arrived === 'beginning') {
    await markUnsaved(document, before);
    return true;
  }
  // In any other encoding it can't be had to load what is written beneath it.
  if (!isSaved || encoding !== 'utf8') {
    await putText(document, before);
    if (!isSaved && arrived !== 'nothing') await writeBack(uri, bytes);
    // It may be saving by itself just now, and does what it is asked for after that.
    if (!(await document.save()) && arrived !== 'nothing') {
      await writeBack(uri, bytes);
      await document.save();
    }
  }
  if (!isSame(await bytesAt(uri), bytes)) await writeBack(uri, bytes);
  if (!isSame(await bytesAt(uri), bytes)) return false;
  if (!document.isDirty) await takenUp(document, before);
  return true;
}

/** When only the beginning of something has arrived. */
export function whyNotKept(saves: readonly Save[]): Reason | undefined {
  const cut = saves.filter(({ arrived }) => arrived === 'beginning');
  if (cut.length === 0) return undefined;
  return cut.some(({ step }) => step.unwritten === true) ? cutOff() : noRoom();
}
