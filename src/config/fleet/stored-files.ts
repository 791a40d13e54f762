import { normalize } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import type { NamedFiles } from '../named-files.js';

/** The files that are stored with a tenant, by path as its configuration names them. */
export function storedFiles(files: Readonly<Record<string, string>>): NamedFiles {
  return {
    shown: normalize,
    read(name) {
      const text = Object.hasOwn(files, name) ? files[name] : undefined;
      if (text !== undefined) return text;
      const message = `${name} is not stored with the tenant; apply the tenant's file again`;
      throw new SyncError('config-invalid', message, { scope: 'usage' });
    },
  };
}
