import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SyncError } from '../../domain/errors.js';

/** Name of the lock in the folder. */
export const LOCK_FILE = 'sandbox.lock';

/** Who holds a folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start of the process as the system counts it; null where it does not say. A pid is used again, the pair is not. */
  readonly started: string | null;
}

/**
 * Takes a folder that exists for this process alone. A lock whose process is gone is taken over.
 * @returns gives the folder back Errors: SyncError `usage` when another sandbox has the folder, or may have it;
 *   Node's own when the folder cannot be written.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE);
  const own = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) });
  while (!placed(path, own)) {
    const found = textOf(path);
    if (found === null) continue;
    refuseUnlessStale(folder, path, found);
    takeAway(path, found);
  }
  return () => {
    if (textOf(path) === own) rmSync(path, { force: true });
  };
}

/** False: there is one already. */
function placed(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null: it was taken away. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function refuseUnlessStale(folder: string, path: string, text: string): void {
  const holder = holderOf(text);
  const refuse = (why: string, hint: string): SyncError =>
    new SyncError('usage', `${folder} ${why}.`, { scope: 'usage', hint });
  const ifSure = `If you are sure that no sandbox uses it, delete ${path}.`;
  if (holder === null) throw refuse('is locked, and the lock does not say by which process', ifSure);
  if (holder.host !== hostname()) {
    throw refuse(`is in use by a sandbox on ${holder.host} (process ${holder.pid})`, ifSure);
  }
  if (!isAlive(holder)) return;
  throw refuse(
    `is in use by another sandbox (process ${holder.pid})`,
    'Give each sandbox a folder of its own, or end the other one.',
  );
}

/** Moved away first and looked at then: between the look and now, another process may have taken the folder over. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== stale) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function holderOf(text: string): Holder | null {
  try {
    const { pid, host, started } = JSON.parse(text) as Partial<Holder>;
    if (!Number.isSafeInteger(pid) || Number(pid) < 1 || typeof host !== 'string') return null;
    return { pid: Number(pid), host, started: typeof started === 'string' ? started : null };
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return started === null || now === null || started === now;
}

/** Clock ticks from the start of the system to that of the process (Linux only). */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the 22nd field is the 20th behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
