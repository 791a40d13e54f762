import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from './create-cluster.js';
import { leaveNothingBehind } from './leave-nothing-behind.js';
import { prepareBinaries } from './prepare-binaries.js';
import type { ProgramRun } from './run-program.js';
import { findServerAccount } from './server-account.js';
import { startServerProcess, type ServerProcess } from './server-process.js';
import { makeWorkFolder } from './work-folder.js';

export interface PostgresOptions {
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
  /** `18.4` */
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
