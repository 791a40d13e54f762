import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { platform } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  findServerAccount,
  prepareBinaries,
  programFile,
  type ProgramRun,
  runProgram,
  type ServerAccount,
} from './binaries.js';
import { type ServerProcess, startServerProcess } from './server-process.js';

interface PostgresOptions {
  /** Folder of `initdb` and `postgres`; without it, they are searched for. */
  readonly binDir?: string | null;
  /** The caller's environment: `PG_BIN_DIR` and `PATH` are read, the programs inherit all but `PG…`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Server settings beside or instead of the defaults below. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the work folder is made; the system's temporary folder when absent. */
  readonly tempDir?: string | null;
}

export interface Postgres {
  /** URL of a database (default `postgres`) for the superuser, with its password. Databases are not created. */
  url(database?: string): string;
  readonly superUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  /** Which of the machine's Postgres it is, for messages. */
  readonly origin: string;
  /** The work folder: data, log and staged programs. Removed by `stop`. */
  readonly dir: string;
  /** Ends the server with its connections and removes the folder. May be called again. */
  stop(): Promise<void>;
}

/** The data is deleted at the end, so the server need not survive a crash. */
const THROW_AWAY_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '128MB',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts a separate Postgres server for the demo and for tests. No other user can log in, and it leaves nothing
 * behind. Takes about two seconds. Works as root (the server then runs as `postgres` or `nobody`),
 * with a read-only node_modules, and in a project folder that other users cannot enter.
 * Throws an Error with the places searched, or with what initdb or the server printed.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const account = findServerAccount();
  const dir = makeWorkFolder(options.tempDir ?? null, account);
  const release = leaveNothingBehind(dir);
  const run: ProgramRun = { cwd: dir, account, env: options.env };
  const remove = () => {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    release();
  };
  try {
    const binaries = await prepareBinaries({ binDir: options.binDir, env: options.env }, run);
    const password = randomBytes(24).toString('base64url');
    const dataDir = await createCluster(binaries.binDir, password, run);
    const settings = { ...THROW_AWAY_SETTINGS, ...options.settings };
    const server = await startServerProcess(binaries.binDir, dataDir, settings, run);
    const url = (database = 'postgres') =>
      `postgres://postgres:${password}@127.0.0.1:${String(server.port)}/${encodeURIComponent(database)}`;
    let stopped: Promise<void> | null = null;
    return {
      url,
      superUrl: url(),
      port: server.port,
      pid: server.pid,
      version: binaries.version,
      origin: binaries.origin,
      dir,
      stop: () => (stopped ??= stopServer(server).then(remove)),
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Fast shutdown, then the ways that do not wait. */
async function stopServer({ child }: ServerProcess): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    const giveUp = new AbortController();
    await Promise.race([
      ended,
      sleep(patienceMs, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ]);
    giveUp.abort();
  }
}

/**
 * Makes the data folder `data` below `run.cwd` with the superuser `postgres`, UTF-8, and password logins only
 * (other users of this machine can reach a loopback port). Returns the folder. Throws an Error with what
 * initdb printed.
 */
async function createCluster(binDir: string, password: string, run: ProgramRun): Promise<string> {
  const dataDir = path.join(run.cwd, 'data');
  const passwordFile = path.join(run.cwd, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (run.account) chownSync(passwordFile, run.account.uid, run.account.gid);
  try {
    let output = '';
    // Not every system has C.UTF-8 (macOS); plain C sorts the same and only knows less of upper and lower case.
    for (const locale of ['C.UTF-8', 'C']) {
      const args = ['-D', dataDir, '-U', 'postgres', '--encoding=UTF8', `--locale=${locale}`, '--no-sync'];
      const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
      const end = await runProgram(programFile(binDir, 'initdb'), [...args, ...auth], run);
      if (end.code === 0) return dataDir;
      output = end.output;
      rmSync(dataDir, { recursive: true, force: true });
    }
    throw new Error(`initdb in ${binDir} failed:\n${output}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

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

/**
 * Makes sure that the server of a work folder, and the folder itself, do not outlive this process:
 * - at an ordinary exit, also after an uncaught error, both are removed before the process is gone;
 * - after an unhandled signal or a kill, no code of ours runs. Therefore a small shell waits for the end of
 *   its standard input, which the system closes with this process, and then removes both.
 * Gives a function that removes the guards; call it when the folder is gone.
 */
export function leaveNothingBehind(workFolder: string): () => void {
  const onExit = () => removeNow(workFolder);
  process.on('exit', onExit);
  const releaseGuard = platform === 'win32' ? () => undefined : startGuard(workFolder);
  return () => {
    process.off('exit', onExit);
    releaseGuard();
  };
}

const pidFileOf = (workFolder: string) => path.join(workFolder, 'data', 'postmaster.pid');

/** The event loop has ended: everything here has to happen synchronously. */
function removeNow(workFolder: string): void {
  const pidFile = pidFileOf(workFolder);
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    signal(pid, 'SIGQUIT');
    // The server removes the file as its last act. Checking the process does not work: it stays a zombie.
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; existsSync(pidFile) && waitedMs < 5000; waitedMs += 10)
      Atomics.wait(never, 0, 0, 10);
    if (existsSync(pidFile)) signal(pid, 'SIGKILL');
  }
  rmSync(workFolder, { recursive: true, force: true, maxRetries: 5 });
}

function signal(pid: number, name: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    if (Number.isInteger(pid) && pid > 1) process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

const GUARD_SCRIPT = `
  read -r _
  pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
  tries=0
  while [ -e "$1/data/postmaster.pid" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  rm -rf "$1"
`;

function startGuard(workFolder: string): () => void {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'placement-sync-guard', workFolder], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell only the handler of the ordinary exit remains.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => guard.stdin.end();
}
