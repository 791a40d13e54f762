import pg from 'pg';
import type {
  Lane,
  TenantDefinition,
  TenantRun,
  Tenants,
  TenantSummary,
} from '../../../src/ports/tenants.js';

/** Tenants in the table `tenant` of a test's database: what the replicas of a test need of them. */
export interface TableTenants extends Pick<Tenants, 'list' | 'laneOf' | 'begin' | 'end' | 'mayGoOn'> {
  close(): Promise<void>;
}

export const TENANTS_SQL = `create table tenant (
  name text primary key, lane text not null default 'sync', period_ms int not null default 60000,
  paused boolean not null default false, revision int not null default 1, last_run jsonb, replica text)`;

interface Row {
  readonly name: string;
  readonly lane: Lane;
  readonly period_ms: number;
  readonly paused: boolean;
  readonly revision: number;
  readonly last_run: Record<string, unknown> | null;
}

export function tableTenants(url: string): TableTenants {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on('error', () => undefined);
  const query = async (sql: string, params: unknown[] = []) => (await pool.query<Row>(sql, params)).rows;
  return {
    list: async () => (await query('select * from tenant order by name')).map(summaryOf),
    laneOf: async (name) =>
      (await query('select * from tenant where name = $1 and not paused', [name]))[0]?.lane ?? null,
    begin: async (name, replica) => {
      const [row] = await query('update tenant set replica = $2 where name = $1 and not paused returning *', [
        name,
        replica,
      ]);
      return row ? { summary: summaryOf(row), definition: { name } as TenantDefinition } : null;
    },
    end: async (name, _replica, run) => {
      const [row] = await query(
        'update tenant set replica = null, last_run = $2 where name = $1 returning *',
        [name, JSON.stringify(run)],
      );
      return row?.lane ?? 'sync';
    },
    mayGoOn: async (name, revision) =>
      (await query('select * from tenant where name = $1 and not paused and revision = $2', [name, revision]))
        .length > 0,
    close: () => pool.end(),
  };
}

function summaryOf({ name, lane, period_ms, paused, revision, last_run }: Row): TenantSummary {
  const lastRun =
    last_run && ({ ...last_run, startedAt: new Date(String(last_run.startedAt)) } as unknown as TenantRun);
  return {
    name,
    lane,
    paused,
    revision,
    lastRun,
    periodMs: period_ms,
    schema: name,
    laneSetting: lane,
    enabled: true,
    removed: false,
    isChanged: false,
    addedAt: new Date(0),
    lastSuccessAt: null,
    running: null,
  };
}
