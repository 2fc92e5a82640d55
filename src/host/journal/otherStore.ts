/** The conversations of another workspace, whose own window tells of what goes wrong with them. */
import { JournalStore } from './journalStore.ts';

/** @param clock milliseconds since the epoch */
export function otherStore(folder: string, clock: () => number): JournalStore {
  return new JournalStore({
    ...{ folder, clock },
    onDidFail: () => undefined,
    onDidRecover: () => undefined,
  });
}

/** The store is closed when the work is done, however it ends. */
export async function withOtherStore<T>(
  folder: string,
  clock: () => number,
  work: (store: JournalStore) => Promise<T>,
): Promise<T> {
  const store = otherStore(folder, clock);
  try {
    return await work(store);
  } finally {
    store.closeNow();
  }
}
