import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { io } from '../io.js';
import { replaceFile } from '../../runtime/files.js';

/** The format's name in a bundle; a later format has a higher number. */
export const BUNDLE_FORMAT = 'placement-sync-bundle/1';

const OWNER_ONLY = 0o600;

/**
 * Gives a function that writes a bundle to a file: whole or not at all, readable only by its owner. An existing file is
 * replaced only if it is a bundle or empty, so that a typing error cannot destroy a configuration.
 * Errors: SyncError `usage`, at once for an existing file of another kind, later for errors of the file system.
 */
export function openBundleFile(file: string): (content: unknown) => void {
  const path = resolve(io().cwd, file);
  refuseOther(path, file);
  return (content) => {
    try {
      replaceFile(path, `${JSON.stringify(content, null, 2)}\n`, OWNER_ONLY);
    } catch (error) {
      throw refusal(`--bundle ${file}: ${(error as Error).message}.`);
    }
  };
}

function refuseOther(path: string, file: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw refusal(`--bundle ${file} exists and is not a regular file.`);
  const content = found.size === 0 ? '' : readFileSync(path, 'utf8');
  if (content !== '' && !content.includes(`"format": "placement-sync-bundle/`))
    throw refusal(`--bundle ${file} exists and is not a bundle, so it is not replaced.`);
}

function refusal(message: string): SyncError {
  return new SyncError('usage', message, {
    scope: 'usage',
    hint: 'Name a new file, in a folder that this user can write to: --bundle placement-sync-bundle.json',
  });
}
