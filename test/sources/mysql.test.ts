import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findServerAccount } from '../../src/features/demo/postgres/binaries.js';
import { type Postgres, startPostgres } from '../../src/features/demo/postgres/start-postgres.js';
import { type CliWorld, createCliWorld } from '../cli/cli-world.js';
import { blocksOf } from '../docs/read-pages.js';
import { freePort } from '../pgbouncer/start-pgbouncer.js';

/**
 * What docs/queries.md says of MySQL, with a MariaDB and a Postgres that reads it: the statements of the page, and
 * what becomes of rows that change, vanish, or cannot be read.
 */

const INSTALL =
  'test:sources needs MariaDB and a Postgres with mysql_fdw. On Debian 12: apt-get install -y --no-install-recommends mariadb-server postgresql-15-mysql-fdw';
const VERSIONS = '/usr/lib/postgresql';

/** Folder of the newest Postgres that has mysql_fdw. */
function findServer(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort().reverse() : [];
  const found = versions.find((version) => existsSync(join(VERSIONS, version, 'lib', 'mysql_fdw.so')));
  if (found === undefined) throw new Error(INSTALL);
  return join(VERSIONS, found, 'bin');
}

interface MariaDb {
  readonly port: number;
  /** Runs statements as its superuser. */
  sql(text: string): void;
  /** Its process, so that a test can end it. */
  readonly server: ChildProcess;
}

/** A MariaDB in a folder of its own, whose zone is seven hours ahead of UTC. It ends with the file, or with its test. */
async function startMariaDb(atEnd: (end: () => Promise<void>) => void): Promise<MariaDb> {
  const dir = mkdtempSync(join(tmpdir(), 'placement-sync-mariadb-'));
  chmodSync(dir, 0o755);
  const account = findServerAccount();
  if (account) chownSync(dir, account.uid, account.gid);
  const as = account ? { uid: account.uid, gid: account.gid } : {};
  const socket = join(dir, 's');
  const run = (program: string, args: readonly string[], input = ''): string => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input, ...as });
    if (error) throw new Error(`${INSTALL}\n${error.message}`);
    if (status !== 0) throw new Error(`${program} ends with ${String(status)}: ${stderr}`);
    return stdout;
  };
  const root = ['--no-defaults', `--socket=${socket}`, '--user=root'];
  run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${dir}`,
    '--auth-root-authentication-method=normal',
  ]);
  const port = await freePort();
  const server = spawn(
    'mariadbd',
    [
      ...['--no-defaults', `--datadir=${dir}`, `--socket=${socket}`, `--pid-file=${join(dir, 'pid')}`],
      ...[`--port=${String(port)}`, '--bind-address=127.0.0.1', '--default-time-zone=+07:00'],
    ],
    { stdio: 'ignore', ...as },
  );
  atEnd(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    rmSync(dir, { recursive: true, force: true });
  });
  const isUp = () => spawnSync('mariadb-admin', [...root, 'ping'], as).status === 0;
  for (let tries = 0; !isUp(); tries += 1) {
    if (tries > 100) throw new Error('MariaDB did not start within 20 s.');
    await wait(200);
  }
  const sql = (text: string) => void run('mariadb', root, text);
  sql(`create database hr; create user reader@'127.0.0.1' identified by 'secret';
       grant select on hr.* to reader@'127.0.0.1'`);
  return { port, sql, server };
}

const ROWS = 2_000;
const TABLES = `
  use hr; set sql_mode = '';
  create table perusahaan (id int unsigned auto_increment primary key, nama varchar(200) not null, kota varchar(40));
  create table lowongan (id bigint unsigned auto_increment primary key, perusahaan_id int unsigned, judul varchar(200),
    status enum('open', 'closed'), aktif tinyint(1) not null default 1, tutup date, diubah timestamp null);
  insert into perusahaan (nama, kota) select concat('PT ', seq), '8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11' from seq_1_to_20;
  insert into lowongan (perusahaan_id, judul, status, tutup, diubah)
    select 1 + seq % 20, concat('Operator ', seq), 'open', '2030-12-31', '2026-06-01 08:00:00' from seq_1_to_${String(ROWS)};
  update lowongan set tutup = '0000-00-00' where id = 7;
  update lowongan set aktif = 0 where id = 8`;

const BLOCKS = blocksOf('docs/queries.md')
  .filter(({ section, kind }) => section.startsWith('MySQL') && kind === 'sql')
  .map(({ text }) => text);
const [CONNECT = '', AS_TEXT = '', QUERY = '', COPY = '', REFRESH = ''] = BLOCKS;

let postgres: Postgres;
beforeAll(async () => {
  const env = process.env;
  postgres = await startPostgres({ binDir: findServer(), env });
});
afterAll(() => postgres.stop());

interface ForeignWorld extends CliWorld {
  readonly maria: MariaDb;
  /** A statement of the superuser on the Postgres in between. */
  between(text: string): Promise<unknown[]>;
}

let databases = 0;

/** A worker whose source is the page's Postgres in front of a MariaDB; the ledger stays where it was. */
async function foreignWorld(): Promise<ForeignWorld> {
  const maria = await startMariaDb(onTestFinished);
  maria.sql(TABLES);
  databases += 1;
  const name = `between${String(databases)}`;
  const query = async (url: string, text: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const all = (await client.query(text).finally(() => client.end())) as pg.QueryResult | pg.QueryResult[];
    return ([all].flat().at(-1)?.rows ?? []) as unknown[];
  };
  if (databases === 1)
    await query(postgres.url(), `create role placement_sync_reader login password 'reader'`);
  await query(postgres.url(), `create database ${name}`);
  const between = (text: string) => query(postgres.url(name), text);
  await between(CONNECT.replace('10.0.0.5', '127.0.0.1').replace('3306', String(maria.port)));
  const world = await createCliWorld();
  const ledger = world.env.SOURCE_DATABASE_URL ?? '';
  const reader = new URL(postgres.url(name));
  reader.username = 'placement_sync_reader';
  reader.password = 'reader';
  world.env.SOURCE_DATABASE_URL = reader.href;
  world.configure('state: {', `state: { url: '${ledger}',`);
  world.configure('ids:', 'guards: { maxVanishedPercent: 90 }\nids:');
  world.write('companies.sql', 'select id as key, nama as name, kota as region_id from hr.perusahaan');
  world.write('vacancies.sql', QUERY);
  world.configure('query: vacancies.sql', 'query: vacancies.sql, onVanished: close');
  return Object.assign(world, { maria, between });
}

test('the page has the statements that are run here', () => {
  expect(BLOCKS).toHaveLength(5);
});

test('rows of MySQL are read, changes are found, and a second run sends nothing', async () => {
  const world = await foreignWorld();
  const failed = await world.run();
  expect(failed).toMatchObject({ code: 1, entities: { vacancies: { error: { code: 'query-failed' } } } });
  expect(JSON.stringify(failed)).toContain('date/time field value out of range');
  await world.between(AS_TEXT);
  expect(await world.run()).toMatchObject({
    code: 0,
    entities: { vacancies: { read: ROWS - 1, accepted: ROWS - 1 } },
  });
  expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { sent: 0, vanished: 0 } } });
  const bodies = world.sandbox.records('jobs', 'vacancies');
  expect(bodies.filter(({ body }) => !('expire_at' in (body as object)))).toHaveLength(1);

  world.maria.sql(
    `use hr; update lowongan set judul = 'Kasir' where id = 3; delete from lowongan where id = 4`,
  );
  expect(await world.run()).toMatchObject({
    code: 0,
    entities: { vacancies: { changed: 1, vanished: 1, sent: 2, accepted: 2 } },
  });
});

test('init drafts from foreign tables, doctor finds nothing that fails, and a timestamp has the zone of MySQL', async () => {
  const world = await foreignWorld();
  await world.between(AS_TEXT);
  const drafted = await world.cli('init', '--yes', '--out', join(world.folder, 'draft'));
  expect(drafted.stdout + drafted.stderr).toContain('hr.lowongan');
  expect(drafted.exitCode).toBe(0);
  const { exitCode, stdout } = await world.cli('doctor');
  expect(stdout.match(/^fail .*/gm) ?? []).toEqual([]);
  expect(exitCode).toBe(0);
  expect(await world.between('select diubah::text from hr.lowongan where id = 1')).toEqual([
    { diubah: '2026-06-01 08:00:00' },
  ]);
});

test('while MySQL is away nothing counts as vanished, and a copy keeps its rows', async () => {
  const world = await foreignWorld();
  await world.between(AS_TEXT);
  await world.between(COPY);
  const compare = async (what: string) => {
    const begunAt = performance.now();
    const rows = await world.between(`select count(*), sum(length(l::text)) from ${what} l`);
    return `${what}: ${(performance.now() - begunAt).toFixed(0)} ms for ${JSON.stringify(rows)} rows`;
  };
  process.stdout.write(`${await compare('hr.lowongan')}; ${await compare('hr.lowongan_copy')}\n`);
  expect((await world.run()).code).toBe(0);
  world.maria.server.kill('SIGKILL');
  await once(world.maria.server, 'exit');
  const away = await world.run();
  expect(away).toMatchObject({
    code: 1,
    entities: { vacancies: { vanished: 0, sent: 0, error: { code: 'query-failed' } } },
  });
  await expect(world.between(REFRESH)).rejects.toThrow(/connect/);
  world.write(
    'companies.sql',
    'select distinct perusahaan_id as key, perusahaan_id as name from hr.lowongan_copy',
  );
  world.write('vacancies.sql', QUERY.replace('hr.lowongan l', 'hr.lowongan_copy l'));
  expect(await world.run('--entity', 'vacancies')).toMatchObject({
    code: 0,
    entities: { vacancies: { read: ROWS - 1, unchanged: ROWS - 1 } },
  });
});
