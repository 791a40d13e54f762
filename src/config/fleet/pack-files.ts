import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { certificatesIn } from '../certificates-in.js';
import { leadsOut } from '../leads-out.js';
import type { FileKind, NamedFiles } from '../named-files.js';
import { readText } from '../read-text.js';

const MIB = 1024 * 1024;
/** Of one file, in bytes. */
export const MAX_FILE = MIB;
/** Of a tenant's file with all files that it names, in bytes. */
export const MAX_TENANT = 4 * MIB;

/** Files on disk that remember what was read, to be stored with their tenant. */
export interface PackedFiles extends NamedFiles {
  /** What was read until now, by path as it was asked for. */
  packed(): Readonly<Record<string, string>>;
}

/**
 * The files of a tenant: in the folder of its own file or below, and no larger than a database should store.
 *
 * @param used bytes of the tenant's own file
 */
export function packFiles(folder: string, used: number): PackedFiles {
  const texts = new Map<string, string>();
  let total = used;
  const shown = (name: string) => resolve(folder, name);
  return {
    shown,
    read(name, kind) {
      const known = texts.get(name);
      if (known !== undefined) return known;
      if (isAbsolute(name) || leadsOut(folder, shown(name)))
        throw refusal(
          `${name} must be in the tenant's folder (${folder}), because it is stored with the tenant`,
        );
      const stats = statSync(shown(name));
      if (!stats.isFile()) throw refusal(`${shown(name)} is not a file`);
      if (stats.size > MAX_FILE) throw refusal(`${shown(name)} is larger than ${MAX_FILE / MIB} MiB`);
      total += stats.size;
      if (total > MAX_TENANT)
        throw refusal(`with ${shown(name)} the files of this tenant are larger than ${MAX_TENANT / MIB} MiB`);
      const text = textOf(shown(name), kind);
      if (text.includes('\0'))
        throw refusal(`${shown(name)} has the character U+0000, which Postgres cannot take`);
      texts.set(name, text);
      return text;
    },
    packed: () => Object.fromEntries(texts),
  };
}

/** Of certificates nothing else is stored: such files may hold their keys too. */
function textOf(file: string, kind: FileKind): string {
  return kind === 'certificates' ? certificatesIn(readFileSync(file, 'latin1')).join('\n') : readText(file);
}

function refusal(message: string): SyncError {
  return new SyncError('config-invalid', message, { scope: 'usage' });
}
