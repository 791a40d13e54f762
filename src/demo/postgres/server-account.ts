import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getuid, platform } from 'node:process';

/** The operating-system user that the server runs as, when it is not the current one. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root, so root uses an existing account without rights: `postgres`, else `nobody`.
 * Null for other users: the server then runs as the current user. No account is ever created.
 */
export function findServerAccount(): ServerAccount | null {
  if (platform === 'win32' || getuid?.() !== 0) return null;
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new Error(
      'Postgres does not run as root, and neither of the users postgres and nobody exists here.',
    );
  }
  return account;
}

function lookUp(name: string): ServerAccount | null {
  return parsePasswd(name, readPasswd()) ?? askId(name);
}

/** Finds a user's ids in text of the form of /etc/passwd. */
export function parsePasswd(name: string, passwd: string): ServerAccount | null {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([user]) => user === name);
  const [, , uid, gid] = fields ?? [];
  return uid && gid && /^\d+$/.test(uid) && /^\d+$/.test(gid) ? { uid: Number(uid), gid: Number(gid) } : null;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

/** Users of a directory service are in no file. */
function askId(name: string): ServerAccount | null {
  const ask = (flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }));
  try {
    const account = { uid: ask('-u'), gid: ask('-g') };
    return Number.isInteger(account.uid) && account.uid > 0 ? account : null;
  } catch {
    return null;
  }
}
