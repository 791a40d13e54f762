import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { findServerAccount } from '../../src/features/demo/postgres/binaries.js';

/** Debian puts it where only root looks. */
const PLACES = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** The program, null when there is none that starts. */
export function findPgBouncer(): string | null {
  return PLACES.find((place) => spawnSync(place, ['--version']).status === 0) ?? null;
}

interface PgBouncer {
  /** The address of a database through the pooler, in transaction mode. */
  through(url: string): string;
  /** What it logged. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * PgBouncer in transaction mode in front of the server of `postgresUrl`, with `poolSize` connections a database. Fewer
 * than the worker's own pools want, so that the statements of one process meet on the same connections.
 */
async function startPgBouncer(postgresUrl: string, poolSize: number): Promise<PgBouncer> {
  const server = new URL(postgresUrl);
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'placement-sync-pgbouncer-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    if (account) chownSync(join(dir, name), account.uid, account.gid);
    return join(dir, name);
  };
  // As Postgres it refuses to run as root.
  const account = findServerAccount();
  if (account) chownSync(dir, account.uid, account.gid);
  chmodSync(dir, 0o700);
  const logFile = file('log', '');
  const users = file('users.txt', `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const settings = file(
    'pgbouncer.ini',
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${String(poolSize)}
max_client_conn = 200
logfile = ${logFile}
`,
  );
  const program = findPgBouncer() ?? 'pgbouncer';
  const child = spawn(program, ['-q', settings], { cwd: dir, stdio: 'ignore', ...account });
  const ended = once(child, 'exit');
  const log = () => readFileSync(logFile, 'utf8');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} did not start:\n${log()}`);
    await wait(20);
  }
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    log,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A port of 127.0.0.1 that was free a moment ago, for programs that cannot choose one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** PgBouncer for the tests of this file or block, as of `startPgBouncer`. Gives an address of a database through it. */
export function usePgBouncer(poolSize: number): PgBouncer['through'] {
  let pooler: PgBouncer | undefined;
  beforeAll(async () => {
    pooler = await startPgBouncer(inject('postgresUrl'), poolSize);
  });
  afterAll(async () => {
    if (!pooler) return;
    // A pooler that ended by itself was ended by what a test did.
    expect(pooler.log()).not.toContain('FATAL');
    await pooler.stop();
  });
  return (url) => {
    if (!pooler) throw new Error('PgBouncer runs while tests do.');
    return pooler.through(url);
  };
}
