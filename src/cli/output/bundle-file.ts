import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SyncError } from '../../domain/errors.js';
import { io } from '../io.js';
import { replaceFile } from '../../runtime/replace-file.js';

/** What a bundle says of itself; a later form has a higher number. */
export const BUNDLE_FORMAT = 'placement-sync-bundle/1';

const OWNER_ONLY = 0o600;

/**
 * Gives what writes a bundle to a file, readable by its owner alone, at once or not at all. What is there already is
 * replaced only when it is a bundle itself (or empty), so that a slip of the hand costs nobody a configuration.
 * Errors: SyncError `usage`, at once for what is there already, later for what the file system refuses.
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
  if (!found.isFile()) throw refusal(`--bundle ${file} is there and is no regular file.`);
  const content = found.size === 0 ? '' : readFileSync(path, 'utf8');
  if (content !== '' && !content.includes(`"format": "placement-sync-bundle/`))
    throw refusal(`--bundle ${file} is there and is no bundle, so it is not replaced.`);
}

function refusal(message: string): SyncError {
  return new SyncError('usage', message, {
    scope: 'usage',
    hint: 'Name a new file, in a folder that this user may write: --bundle placement-sync-bundle.json',
  });
}
