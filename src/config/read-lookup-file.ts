import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { SyncError } from '../domain/errors.js';
import { leadsOut } from './leads-out.js';
import { readText } from './read-text.js';

/**
 * The text of a lookup. A relative name stays in the configuration's folder, whatever links are on its way: other
 * people often supply lookups, and messages show their wrong lines. A file elsewhere needs its absolute path.
 *
 * Errors: SyncError `config-invalid` for a relative name that leads out; those of `readText`.
 */
export function readLookupFile(folder: string, name: string): string {
  const file = resolve(folder, name);
  if (!isAbsolute(name) && leadsOut(folder, file)) {
    throw new SyncError(
      'config-invalid',
      `${name} leads out of the configuration's folder (${folder}); put the file there, or give its absolute path`,
      { scope: 'usage' },
    );
  }
  // Reading a pipe could wait forever.
  if (!statSync(file).isFile())
    throw new SyncError('config-invalid', `${name} is not a file`, { scope: 'usage' });
  return readText(file);
}
