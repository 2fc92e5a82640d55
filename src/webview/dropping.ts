/** What a drag or the clipboard carries, as far as it is to be attached. Pure but for reading what it is given. */

/** A drag, as far as it is read here. */
export type Carried = Pick<DataTransfer, 'getData'>;

/**
 * Addresses of files and folders that were dragged within VS Code or from the system. VS Code's own list comes first: the standard
 * one has only the first of several, and folders are missing from the third.
 */
export function placesIn(data: Carried): readonly string[] {
  const own = listed(data.getData('application/vnd.code.uri-list'));
  if (own.length > 0) return own.filter(isPlace);
  const resources = jsonTexts(data.getData('resourceurls'));
  if (resources.length > 0) return resources.filter(isPlace);
  return listed(data.getData('text/uri-list')).filter(isPlace);
}

/** Links of web pages are text. */
function isPlace(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^(?:https?|mailto|data|blob|javascript):/i.test(address);
}

function listed(list: string): readonly string[] {
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function jsonTexts(json: string): readonly string[] {
  if (json === '') return [];
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether a drag may carry something to be attached: until it is dropped, only the types are told. */
export function mayAttach(types: readonly string[]): boolean {
  const attached = ['files', 'application/vnd.code.uri-list', 'resourceurls', 'text/uri-list'];
  return types.some((type) => attached.includes(type.toLowerCase()));
}
