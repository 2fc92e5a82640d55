/** Files that the text of a prompt names, to be attached with it: `#file:src/a.ts`, `[the rules](../rules.md)`. Pure. */

export interface PromptReference {
  /** With slashes; one in front stands for the workspace folder. */
  readonly path: string;
  /** Nothing else can be meant. What is written as a link may as well be a part of what the prompt wants written. */
  readonly isSure: boolean;
}

/** More are no prompt that somebody wrote for this. */
const most = 20;

const pattern =
  /#file:(?:'(?<single>[^'\n]{1,500})'|"(?<double>[^"\n]{1,500})"|(?<plain>[^\s'"`<>|()[\],;]{1,500}))|(?<!!)\[[^[\]\n]{0,500}\]\((?<link>[^()\s<>]{1,500})\)/g;

/** Each once, in the order in which they stand. */
export function referencesIn(body: string): readonly PromptReference[] {
  const found = new Map<string, PromptReference>();
  for (const { groups = {} } of body.matchAll(pattern)) {
    const { single, double, plain, link } = groups;
    // What ends the sentence is no part of the name.
    const named = single ?? double ?? plain?.replace(/[.:!?]+$/, '');
    const path = (named ?? linkedPath(link ?? ''))?.replaceAll('\\', '/');
    if (path === undefined || path === '') continue;
    const isSure = named !== undefined || found.get(path)?.isSure === true;
    if (found.has(path) || found.size < most) found.set(path, { path, isSure });
  }
  return [...found.values()];
}

/** Undefined for what leads to a page, or to a place in the text itself. */
function linkedPath(href: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return undefined;
  const path = href.replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
