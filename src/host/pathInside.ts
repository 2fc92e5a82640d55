/** Whether one path of the disk lies below another, by the paths alone: links are the caller's. Knows no editor. */
import { isAbsolute, relative, sep } from 'node:path';

/**
 * @param folder absolute, as is `path`
 * @returns the way from the folder to the path, with the separators of the platform and empty for the folder itself; undefined where the
 * path lies elsewhere
 */
export function pathInside(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside;
}
