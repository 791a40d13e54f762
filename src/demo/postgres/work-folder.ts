import { chownSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ServerAccount } from './server-account.js';

/**
 * Makes an empty folder, readable only by the server's user, for data, log and staged programs. Its parent is
 * `parent` or the system's temporary folder, or /tmp when the server's user cannot get there (root's TMPDIR
 * may lie below /root).
 */
export function makeWorkFolder(parent: string | null, account: ServerAccount | null): string {
  const preferred = parent ?? os.tmpdir();
  const reached = account && !isReachable(preferred) ? '/tmp' : preferred;
  const folder = mkdtempSync(path.join(realpathSync(reached), 'placement-sync-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Whether any user may pass through every folder down to this one. */
function isReachable(folder: string): boolean {
  for (let place = realpathSync(folder); ; place = path.dirname(place)) {
    if ((statSync(place).mode & 0o001) === 0) return false;
    if (place === path.dirname(place)) return true;
  }
}
