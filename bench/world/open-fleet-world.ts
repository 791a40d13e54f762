import { join } from 'node:path';
import type { Postgres } from '../../src/features/demo/postgres/start-postgres.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { migrateDown, MIGRATION_DATABASE } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { createDatabase } from './create-database.js';
import { startProgram, type Program } from './start-program.js';
import { runTool, type ToolRun } from './tool.js';
import { uuidSql } from './uuid-sql.js';
import { FLEET_SCHEMA, writeFleet } from './write-fleet.js';

/** Tenants with their ledgers in one database; from this on there are several. */
const LEDGERS_EACH = 3_000;

/** Many tenants with one source and one credential. */
export interface FleetWorld {
  readonly tenants: number;
  /** Of each. */
  readonly records: number;
  /** Databases of `fleet.ledgers`; 0: all ledgers are in the fleet's own. */
  readonly ledgers: number;
  /** A command of the fleet, to its end. */
  fleet(...words: string[]): Promise<ToolRun>;
  /** `fleet apply` of the folder with all files. */
  apply(): Promise<ToolRun>;
  /** A command of the fleet that lasts. */
  start(words: readonly string[], onLine?: (text: string) => void): Program;
  /** Undoes the last migration of every ledger in the fleet's database. */
  undoLast(): Promise<void>;
  /** The first column of the first row in the fleet's database. `tenant` there is the table of tenants. */
  number(sql: string): Promise<number>;
  /** The same as text; null: there is no row. */
  text(sql: string): Promise<string | null>;
}

export interface FleetWorldOptions {
  readonly tenants: number;
  readonly records: number;
  readonly postgres: Postgres;
  readonly baseUrl: string;
  readonly folder: string;
}

const SOURCE = `
  create table company (tenant integer, key text collate "C", name text, region_id uuid, about text, changed_at timestamptz,
    primary key (tenant, key))`;

export async function openFleetWorld(options: FleetWorldOptions): Promise<FleetWorld> {
  const { tenants, records, postgres, baseUrl } = options;
  const ledgers = tenants > LEDGERS_EACH ? Math.ceil(tenants / LEDGERS_EACH) : 0;
  const url = await createDatabase(postgres, 'bench_fleet');
  await withClient(url, (client) =>
    client.query('create schema statistics; create extension pg_stat_statements schema statistics'),
  );
  const source = new URL(await createDatabase(postgres, 'bench_fleet_source'));
  await withClient(source.href, async (client) => {
    await client.query(SOURCE);
    await client.query(
      `insert into company select t, 'C' || lpad(n::text, 6, '0'), 'Company ' || n || ' of ' || t, ${uuidSql(`'city' || n`)}, md5(t || '-' || n),
         timestamptz '2026-01-01' + n * interval '1 second'
       from generate_series(1, $1) t, generate_series(1, $2) n`,
      [tenants, records],
    );
    await client.query('vacuum analyze company');
  });
  // A tenant's file has no secret, but the name of one.
  const env = {
    BENCH_FLEET_URL: url,
    BENCH_SOURCE_PASSWORD: decodeURIComponent(source.password),
    BENCH_SECRET: 'bench',
    ...(await createLedgers(postgres, ledgers)),
  };
  source.password = 'PASSWORD';
  const sourceUrl = source.href.replace('PASSWORD', '${BENCH_SOURCE_PASSWORD}');
  const folder = join(options.folder, 'fleet');
  const files = writeFleet({ folder, tenants, sourceUrl, baseUrl, ledgers });
  const fleet = (...words: string[]) =>
    runTool(['fleet', ...words], { config: files.config, postgres: postgres.pid, env });
  const text = (sql: string) =>
    withClient(url, async (client) => {
      await client.query(`set search_path to ${FLEET_SCHEMA}`);
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
      return rows[0] === undefined ? null : String(rows[0][0]);
    });
  return {
    ...{ tenants, records, ledgers, fleet, text },
    apply: () => fleet('apply', files.tenants),
    start: (words, onLine) =>
      startProgram(['fleet', ...words], { config: files.config, env, ...(onLine && { onLine }) }),
    number: async (sql) => Number(await text(sql)),
    async undoLast() {
      const names = await text(`select string_agg(ledger_schema, ',') from tenant`);
      const database = createStateDatabase({ url, schema: '', ...MIGRATION_DATABASE });
      for (const schema of names?.split(',') ?? []) await migrateDown(database.inSchema(schema));
      await database.close();
    },
  };
}

/** Databases for ledgers, as the variables that fleet.yaml names. */
async function createLedgers(postgres: Postgres, count: number): Promise<Record<string, string>> {
  const urls: Record<string, string> = {};
  for (let n = 0; n < count; n += 1)
    urls[`BENCH_LEDGER_${n}`] = await createDatabase(postgres, `bench_fleet_${n}`);
  return urls;
}
