/** Which conversation the side bar of this window showed last, for the window that comes after it. Opens nothing and shows nothing. */
import type { JournalStore } from '../journal/journalStore.ts';
import type { OwnStorage } from '../ownStorage.ts';

/** In the storage of the window. */
const shownName = 'shown';

/** For one in which nothing was asked yet: then none comes back. */
const none = '';

export class ShownLast {
  readonly #store: Pick<JournalStore, 'noteShown' | 'lastShown' | 'isFree'>;
  readonly #own: OwnStorage | undefined;

  /**
   * @param store that all windows of the folder share
   * @param own of this window alone
   */
  constructor(store: Pick<JournalStore, 'noteShown' | 'lastShown' | 'isFree'>, own: OwnStorage | undefined) {
    this.#store = store;
    this.#own = own;
  }

  /** @param id undefined for one that is not kept yet */
  note(id: string | undefined): void {
    this.#store.noteShown(id ?? none);
    void this.#own?.keep(shownName, id ?? none);
  }

  /**
   * The one that comes back; undefined when none does. One that another window shows does not, unless this window showed it last: that one
   * may have taken it over while this was loaded anew.
   */
  async read(): Promise<{ readonly id: string; readonly isOwn: boolean } | undefined> {
    const last = await this.#store.lastShown();
    const own = (await this.#own?.readAll())?.get(shownName);
    const isOwn = typeof own === 'string' && own !== last && !(await this.#isFree(last));
    const id = isOwn ? own : last;
    return id === undefined || id === none ? undefined : { id, isOwn: id === own };
  }

  async #isFree(id: string | undefined): Promise<boolean> {
    return id !== undefined && id !== none && (await this.#store.isFree(id));
  }
}
