import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a file is outside of a folder, by its path or by the links on its way. Errors: those of the file system. */
export function leadsOut(folder: string, file: string): boolean {
  return isOutside(folder, file) || isOutside(realpathSync(folder), realpathSync(file));
}

function isOutside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
