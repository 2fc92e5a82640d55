/** Lists files for `list_files`: those of the disk in a thread, others through the editor. */
import type { CancelSignal } from '../../core/cancel.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Glob } from '../../core/tools/glob.ts';
import type { Listing, ListRequest, Refusal } from '../../core/tools/readingPorts.ts';
import type { Places } from './places.ts';
import { diskRootOf, scopesOf, type Scope } from './scopes.ts';
import { fitting } from './searchJob.ts';
import { runInThread } from './searchThread.ts';
import { walkVirtual, type VirtualWalk } from './virtualWalk.ts';

/** Milliseconds after which a walk is ended. */
const limit = 30_000;

export async function listFiles(
  request: ListRequest,
  {
    places,
    worker,
    signal,
  }: { readonly places: Places; readonly worker: string; readonly signal: CancelSignal },
): Promise<Result<Listing, Refusal>> {
  const found = await scopesOf(request.folder, places);
  if (!found.ok) return found;
  if (found.value.kind === 'file') return err({ kind: 'notFolder', path: found.value.file.display });
  const { scopes } = found.value;
  const include = request.pattern === undefined ? [] : [request.pattern];
  const onDisk = scopes.filter(({ root }) => root.scheme === 'file');
  const roots = await Promise.all(onDisk.map(diskRootOf));
  const task = {
    ...{
      include: include.map(({ text }) => text),
      exclude: [],
      skip: [],
      caseSensitive: true,
      limit: request.limit,
    },
    roots,
  };
  const walked =
    onDisk.length === 0 ? undefined : await runInThread(task, [], { file: worker, limit, signal });
  const files = [...(walked?.files ?? [])];
  const state = { cut: false };
  const walk = { signal, onCut: () => (state.cut = true) };
  for (const scope of scopes) {
    if (scope.root.scheme !== 'file') files.push(...(await virtualFiles(scope, include, walk)));
  }
  const [single] = scopes;
  const base = scopes.length === 1 && single !== undefined ? single.display + single.start : '';
  return ok({
    files: files.toSorted().slice(0, request.limit),
    total: files.length,
    places: placesIn(files, base),
    unfinished: state.cut || walked?.end === 'timeout',
  });
}

async function virtualFiles(scope: Scope, include: readonly Glob[], walk: VirtualWalk): Promise<string[]> {
  const fits = fitting(include, []);
  const files: string[] = [];
  for await (const { relative } of walkVirtual(scope, walk)) {
    const shown = scope.display + relative;
    if (fits([relative, relative.slice(scope.start.length), shown])) files.push(shown);
  }
  return files;
}

/** Files by the folder that they are in below `base`, those with the most first. */
function placesIn(files: readonly string[], base: string): Listing['places'] {
  const sums = new Map<string, number>();
  for (const file of files) {
    const slash = file.indexOf('/', base.length);
    const name = slash < 0 ? base || './' : file.slice(0, slash + 1);
    sums.set(name, (sums.get(name) ?? 0) + 1);
  }
  return [...sums]
    .map(([name, sum]) => ({ name, files: sum }))
    .toSorted((one, other) => other.files - one.files);
}
