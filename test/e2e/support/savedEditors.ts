/** Which editors VS Code saved in the browser, to open them again after a reload. Must not make it save them. */
import type { Page } from 'playwright-core';

/** What VS Code keeps of a group of editors. */
interface SavedGroup {
  readonly editors: readonly unknown[];
  /** Places in `editors`, the one that is in front first. */
  readonly mru: readonly number[];
}

/** Whether VS Code has saved these tabs of one group, and which of them is in front. Of several groups, only how many tabs they have. */
export async function areSaved(tabs: readonly { readonly active: boolean }[], page: Page): Promise<boolean> {
  const texts = await savedTexts(page);
  // Before the first editor was opened there is nothing to be saved.
  if (tabs.length === 0 && texts.length === 0) return true;
  return texts.some((text) => {
    const groups = groupsIn(text);
    const count = groups.reduce((sum, { editors }) => sum + editors.length, 0);
    const front = tabs.findIndex(({ active }) => active);
    return count === tabs.length && (groups.length !== 1 || front === -1 || groups[0]?.mru[0] === front);
  });
}

/** Of each workspace that was open in this browser, JSON. */
function savedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined || !name.startsWith('vscode-web-state-db-')) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error(name)));
      });
      // What VS Code writes is ahead of this in the queue of the same store.
      const transaction = database.transaction([...database.objectStoreNames], 'readwrite');
      const ended = new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('error', () => reject(transaction.error ?? new Error(name)));
      });
      for (const store of database.objectStoreNames) {
        const editors = transaction.objectStore(store).get('memento/workbench.parts.editor');
        editors.addEventListener('success', () => {
          if (typeof editors.result === 'string') texts.push(editors.result);
        });
      }
      await ended;
      database.close();
    }
    return texts;
  });
}

function groupsIn(text: string): readonly SavedGroup[] {
  const groups: SavedGroup[] = [];
  JSON.parse(text, (_key, value: unknown) => {
    if (isGroup(value)) groups.push(value);
    return value;
  });
  return groups;
}

function isGroup(value: unknown): value is SavedGroup {
  return (
    typeof value === 'object' &&
    value !== null &&
    'editors' in value &&
    Array.isArray(value.editors) &&
    'mru' in value &&
    Array.isArray(value.mru)
  );
}
