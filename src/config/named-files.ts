import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import { describeFileError } from './describe-file-error.js';
import { readLookupFile } from './read-lookup-file.js';
import { readText } from './read-text.js';

/** What a file is read as. Certificates may have any bytes around them, so they are read byte by byte. */
export type FileKind = 'sql' | 'lookup' | 'certificates';

/** The files that a configuration names, by the path as it is written there. */
export interface NamedFiles {
  /** Its name in messages; the same for each way to write its path. */
  shown(name: string): string;
  /** Its text. Errors: SyncError `config-invalid` with a whole sentence; those of the file system; those of `readText`. */
  read(name: string, kind: FileKind): string;
}

/** Files on disk. Relative paths start at `folder`, the configuration's own. */
export function filesOnDisk(folder: string): NamedFiles {
  const pathOf = (name: string) => resolve(folder, name);
  return {
    shown: pathOf,
    read(name, kind) {
      if (kind === 'lookup') return readLookupFile(folder, name);
      return kind === 'certificates' ? readFileSync(pathOf(name), 'latin1') : readText(pathOf(name));
    },
  };
}

/** Why a file could not be read, as a sentence with its name. */
export function whyUnread(files: NamedFiles, name: string, error: unknown): string {
  return error instanceof SyncError ? error.message : `${files.shown(name)} ${describeFileError(error)}`;
}
