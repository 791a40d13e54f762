import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  leaveNothingBehind,
  makeWorkFolder,
  startPostgres,
} from '../../src/features/demo/postgres/start-postgres.js';
import { findServerAccount, prepareBinaries } from '../../src/features/demo/postgres/binaries.js';
import { startServerProcess } from '../../src/features/demo/postgres/server-process.js';

export interface Replicated {
  readonly primaryUrl: string;
  /** Of the hot standby that follows it; it cancels at once what stands in the way of that. */
  readonly replicaUrl: string;
  /** One statement at the primary. */
  write(sql: string): Promise<unknown[]>;
  /** Waits until the standby has replayed what the primary has written so far. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A primary, and a hot standby that is fed by streaming replication. Takes about five seconds. */
export async function startReplica(): Promise<Replicated> {
  const primary = await startPostgres({
    env: process.env,
    settings: { wal_level: 'replica', max_wal_senders: '4', full_page_writes: 'on', autovacuum: 'off' },
  });
  const account = findServerAccount();
  const dir = makeWorkFolder(null, account);
  const release = leaveNothingBehind(dir);
  const data = join(dir, 'data');
  const client = new pg.Client({ connectionString: primary.superUrl });
  await client.connect();
  // What pg_basebackup does, which is not among the embedded programs.
  await client.query(`select pg_backup_start('replica', true)`);
  execFileSync('cp', ['-a', join(primary.dir, 'data'), data]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  const place = (name: string, text: string) => {
    writeFileSync(join(data, name), text);
    if (account) chownSync(join(data, name), account.uid, account.gid);
  };
  place('backup_label', rows[0]?.labelfile ?? '');
  place('standby.signal', '');
  rmSync(join(data, 'postmaster.pid'));
  const { username, password } = new URL(primary.superUrl);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${String(primary.port)} user=${username} password=${password}'\n`,
  );
  const run = { cwd: dir, account, env: process.env };
  const { binDir } = await prepareBinaries({ env: process.env }, run);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '200',
    max_wal_senders: '4',
    max_standby_streaming_delay: '0',
    wal_receiver_status_interval: '100ms',
  };
  const server = await startServerProcess(binDir, data, settings, run);
  const replicaUrl = Object.assign(new URL(primary.superUrl), { port: String(server.port) }).href;
  return {
    primaryUrl: primary.superUrl,
    replicaUrl,
    write: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    async caughtUp() {
      const standby = new pg.Client({ connectionString: replicaUrl });
      await standby.connect();
      const written = await client.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
      const done = async () =>
        (
          await standby.query<{ done: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [
            written.rows[0]?.lsn,
          ])
        ).rows[0]?.done;
      while (!(await done()));
      await standby.end();
    },
    async stop() {
      await client.end();
      const ended = once(server.child, 'exit');
      server.child.kill('SIGINT');
      await ended;
      await primary.stop();
      rmSync(dir, { recursive: true, force: true });
      release();
    },
  };
}
