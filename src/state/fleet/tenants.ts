import { escapeIdentifier } from 'pg';
import { FLEET_MIGRATIONS } from '../../../migrations/fleet/all.js';
import { SyncError, usageError } from '../../domain/errors.js';
import { engineSchema, SLICE_MS } from '../../domain/fleet.js';
import type {
  AppliedTenants,
  Lane,
  PurgedTenant,
  TenantDefinition,
  TenantRun,
  Tenants,
  TenantSummary,
} from '../../ports/tenants.js';
import { batched } from '../../domain/group-by.js';
import type { SchemaKind } from '../database/migrate.js';
import type { StateDatabase, Statements } from '../database/state-database.js';

/**
 * The tenants of a fleet, one row each. `apply` writes what the files say, all or nothing. A replica that runs a tenant
 * notes it (`begin`), asks between two requests whether it may go on (`mayGoOn`), and notes how the run ended (`end`), by
 * which a tenant also changes its lane. `remove` only marks a tenant; `purge` deletes it with its ledger, if the ledger is
 * in this database and has nothing else in its schema.
 */

type SummaryRow = Omit<TenantSummary, 'lastRun' | 'running'> & {
  readonly lastRun: StoredRun | null;
  readonly replica: string | null;
  readonly since: Date;
};

type StoredRun = Omit<TenantRun, 'startedAt' | 'finishedAt'> & Record<'startedAt' | 'finishedAt', string>;

const SUMMARY = `name, ledger_schema as "schema", cast(period_ms as double precision) as "periodMs",
  lane_setting as "laneSetting", lane, enabled, paused, removed_at is not null as removed, revision,
  revision <> begun_revision as "isChanged",
  added_at as "addedAt", last_run as "lastRun", last_success_at as "lastSuccessAt",
  running_replica as replica, running_since as since`;

type TenantRow = SummaryRow & Pick<TenantDefinition, 'configuration' | 'files' | 'ledgerHere'>;

const DEFINITION = `configuration, files, ledger_here as "ledgerHere"`;

const MAY_RUN = 'enabled and not paused and removed_at is null';

/** SQL: the long runs in a row, or below zero those that were not, after one more run. One that was kept out is none. */
const IN_A_ROW = `case when cast(:busy as boolean) then slices_in_a_row when cast(:isLong as boolean) then greatest(slices_in_a_row, 0) + 1
  else least(slices_in_a_row, 0) - 1 end`;

/** SQL: so many runs in a row move a tenant. */
const MOVES_AFTER = '3';

export function createTenants(database: StateDatabase): Tenants {
  const changes = async (sql: string, parameters: Readonly<Record<string, unknown>>): Promise<boolean> =>
    (await database.query(sql, parameters)).length > 0;
  const laneBy = async (sql: string, name: string): Promise<Lane | null> =>
    (await database.query<{ lane: Lane }>(sql, { name }))[0]?.lane ?? null;

  return {
    async list({ removed = false } = {}) {
      const rows = await database.query<SummaryRow>(
        `select ${SUMMARY} from :schema:.tenant where removed_at is null or cast(:removed as boolean) order by name`,
        { removed },
      );
      return rows.map(toSummary);
    },

    async read(name) {
      const [row] = await database.query<TenantRow>(
        `select ${SUMMARY}, ${DEFINITION} from :schema:.tenant where name = :name and removed_at is null`,
        { name },
      );
      return row ? toTenant(row) : null;
    },

    apply: (definitions, { removeOthers }) => applyTenants(database, definitions, removeOthers),

    remove: (name) =>
      changes(
        `update :schema:.tenant set removed_at = coalesce(removed_at, clock_timestamp())
         where name = :name returning name`,
        { name },
      ),

    purge: (name) => purgeTenant(database, name),

    setPaused: (name, paused) =>
      changes(
        `update :schema:.tenant set paused = :paused,
           begun_revision = case when cast(:paused as boolean) then begun_revision else 0 end
         where name = :name and removed_at is null returning name`,
        { name, paused },
      ),

    async begin(name, replica) {
      const [row] = await database.query<TenantRow>(
        `update :schema:.tenant set running_replica = :replica, running_since = clock_timestamp(), begun_revision = revision,
           last_run = case when begun_revision = revision then last_run else last_run || '{"usedUpSlice": false}' end
         where name = :name and ${MAY_RUN} returning ${SUMMARY}, ${DEFINITION}`,
        { name, replica },
      );
      return row ? toTenant(row) : null;
    },

    async end(name, replica, run) {
      const [ended] = await database.query<{ lane: Lane }>(
        `update :schema:.tenant set running_replica = null, running_since = null,
           last_run = cast(:run as jsonb) || case when cast(:busy as boolean)
             then jsonb_build_object('usedUpSlice', coalesce(last_run -> 'usedUpSlice', 'false')) else '{}' end,
           last_success_at = case when cast(:succeeded as boolean) then clock_timestamp() else last_success_at end,
           slices_in_a_row = ${IN_A_ROW},
           lane = case when cast(:busy as boolean) then lane when lane_setting <> 'auto' then lane_setting
             when cast(:outgrewLane as boolean) or ${IN_A_ROW} >= ${MOVES_AFTER} then 'large'
             when ${IN_A_ROW} <= -${MOVES_AFTER} then 'sync' else lane end
         where name = :name
           and (running_replica = :replica or (running_replica is null and last_run ->> 'outcome' = 'busy'))
         returning lane`,
        {
          name,
          replica,
          run: JSON.stringify(run),
          busy: run.outcome === 'busy',
          succeeded: run.exitCode === 0 && !run.usedUpSlice,
          outgrewLane: run.outgrewLane ?? false,
          // Also if it had nothing to send: its slot was held up.
          isLong: run.usedUpSlice || run.finishedAt.getTime() - run.startedAt.getTime() >= SLICE_MS,
        },
      );
      return (
        ended?.lane ?? (await laneBy('select lane from :schema:.tenant where name = :name', name)) ?? 'sync'
      );
    },

    laneOf: (name) => laneBy(`select lane from :schema:.tenant where name = :name and ${MAY_RUN}`, name),

    mayGoOn: (name, revision) =>
      changes(`select 1 from :schema:.tenant where name = :name and revision = :revision and ${MAY_RUN}`, {
        name,
        revision,
      }),
  };
}

function toSummary({ lastRun, replica, since, ...summary }: SummaryRow): TenantSummary {
  return {
    ...summary,
    lastRun: lastRun && {
      ...lastRun,
      startedAt: new Date(lastRun.startedAt),
      finishedAt: new Date(lastRun.finishedAt),
    },
    running: replica === null ? null : { replica, since },
  };
}

function toTenant({
  configuration,
  files,
  ledgerHere,
  ...row
}: TenantRow): Awaited<ReturnType<Tenants['read']>> {
  const { name, schema, periodMs, laneSetting: lane, enabled } = row;
  return {
    summary: toSummary(row),
    definition: { name, configuration, files, periodMs, lane, enabled, schema, ledgerHere },
  };
}

/** Definitions in one statement: the texts of all files of 2,000 tenants are too much for one. */
const BATCH = 250;

/** SQL: definitions that change nothing are left alone. A tenant that was removed comes back with its runs. */
const WRITE = `
  insert into :schema:.tenant as t
    (name, configuration, files, period_ms, lane_setting, lane, enabled, ledger_schema, ledger_here)
  select g.name, g.configuration, g.files, g."periodMs", g.lane, case g.lane when 'large' then 'large' else 'sync' end,
    g.enabled, g.schema, coalesce(g."ledgerHere", false)
  from jsonb_to_recordset(cast(:given as jsonb)) as g(name text, configuration text, files jsonb, "periodMs" bigint,
    lane text, enabled boolean, schema text, "ledgerHere" boolean)
  on conflict (name) do update set
    configuration = excluded.configuration, files = excluded.files, period_ms = excluded.period_ms,
    lane_setting = excluded.lane_setting,
    lane = case excluded.lane_setting when 'auto' then t.lane else excluded.lane_setting end,
    enabled = excluded.enabled, ledger_schema = excluded.ledger_schema, ledger_here = excluded.ledger_here,
    added_at = case when t.removed_at is null then t.added_at else excluded.added_at end,
    removed_at = null, revision = t.revision + 1
  where t.removed_at is not null
    or (t.configuration, t.files, t.period_ms, t.lane_setting, t.enabled, t.ledger_schema, t.ledger_here)
      is distinct from (excluded.configuration, excluded.files, excluded.period_ms, excluded.lane_setting,
        excluded.enabled, excluded.ledger_schema, excluded.ledger_here)
  returning name`;

/** `Tenants.apply`. Errors: also SyncError `usage` for two tenants of one name, or with one schema. */
async function applyTenants(
  database: StateDatabase,
  definitions: readonly TenantDefinition[],
  removeOthers: boolean,
): Promise<AppliedTenants> {
  const names = definitions.map(({ name }) => name).sort();
  const twice = names.find((name, index) => name === names[index + 1]);
  if (twice !== undefined)
    throw refused(`The tenant "${twice}" is defined twice.`, 'Leave one of the two out.');

  return database.transaction(async (statements) => {
    await lockTenants(statements);
    const before = new Set(
      await namesOf(statements, 'select name from :schema:.tenant where removed_at is null'),
    );
    const written = new Set<string>();
    for (const batch of batched(definitions, BATCH)) {
      const given = JSON.stringify(batch);
      (await namesOf(statements, WRITE, { given })).forEach((name) => written.add(name));
    }
    const removed = removeOthers
      ? await namesOf(
          statements,
          `update :schema:.tenant set removed_at = clock_timestamp()
           where removed_at is null and name <> all(cast(:names as text[])) returning name`,
          { names },
        )
      : [];
    await refuseSharedSchemas(statements, database.schema);
    return {
      added: names.filter((name) => !before.has(name)),
      changed: names.filter((name) => before.has(name) && written.has(name)),
      removed: removed.sort(),
      unchanged: names.filter((name) => !written.has(name)),
    };
  });
}

function refused(problem: string, hint: string): SyncError {
  return usageError(`${problem} Nothing was changed.`, hint);
}

/** Others may read meanwhile. Two that write see each other's tenants. */
async function lockTenants(statements: Statements): Promise<void> {
  await statements.query('lock table :schema:.tenant in share row exclusive mode');
}

async function namesOf(
  statements: Statements,
  sql: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  return (await statements.query<{ readonly name: string }>(sql, parameters)).map(({ name }) => name);
}

/** Wherever the ledgers are: an address that a file names may be that of the fleet's database, or of another tenant's. */
async function refuseSharedSchemas(statements: Statements, own: string): Promise<void> {
  const jobs = engineSchema(own);
  const [shared] = await statements.query<{ schema: string; names: string[] }>(
    `select ledger_schema as "schema", array_agg(cast(name as text) order by name) as names from :schema:.tenant
     where removed_at is null
     group by ledger_schema having count(*) > 1 or ledger_schema in (:own, :jobs) order by 1 limit 1`,
    { own, jobs },
  );
  if (!shared) return;
  const { schema, names } = shared;
  const [first = '', second] = names;
  throw refused(
    schema === own || schema === jobs
      ? `The ledger of the tenant "${first}" has the schema of the fleet ${schema === own ? 'itself' : 'for its jobs'}, "${schema}".`
      : `The ledgers of the tenants "${first}" and "${second}" have the same schema, "${schema}".`,
    'Give each tenant a schema of its own (state.schema), also if their databases differ.',
  );
}

async function purgeTenant(database: StateDatabase, name: string): Promise<PurgedTenant | null> {
  return database.transaction(async (statements) => {
    // Nobody waits for long at the table of tenants behind somebody who reads the ledger.
    await statements.query(`select set_config('lock_timeout', '3s', true)`);
    await lockTenants(statements);
    const [purged] = await statements.query<{ schema: string; here: boolean; other: string | null }>(
      `delete from :schema:.tenant t where name = :name and removed_at is not null
       returning ledger_schema as "schema", ledger_here as here, (
         select min(o.name) from :schema:.tenant o
         where o.name <> t.name and o.ledger_schema = t.ledger_schema) as other`,
      { name },
    );
    if (!purged) return null;
    const { schema, here, other } = purged;
    if (!here) return { schema, ledger: 'elsewhere', other };
    if (other !== null) return { schema, ledger: 'of-another', other };
    const isOfFleet = schema === database.schema || schema === engineSchema(database.schema);
    const isDeleted = !isOfFleet && (await dropLedger(statements, name, schema));
    return { schema, ledger: isDeleted ? 'deleted' : 'none', other };
  });
}

interface Relation {
  readonly name: string;
  readonly isView: boolean;
}

/** Tables and views of a ledger's schema, with those that knex keeps there. */
export const LEDGER_TABLES: readonly string[] = [
  'address_secret',
  'area_state',
  'delivery',
  'entity_state',
  'environment',
  'job_application',
  'journal_gap',
  'lease',
  'migration',
  'migration_lock',
  'notice',
  'observation',
  'push_hour',
  'record',
  'refused_webhook',
  'schedule',
  'staged_finding',
  'sync_run',
  'sync_state',
  'unstored_webhook',
];

/** Deletes the schema if it is a ledger and has nothing else. False: it is none. */
async function dropLedger(statements: Statements, tenant: string, schema: string): Promise<boolean> {
  const relations = await statements.query<Relation>(
    `select c.relname as name, c.relkind = 'v' as "isView"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = :ledger and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    { ledger: schema },
  );
  const tables = relations.map(({ name }) => name);
  if (!['sync_state', 'lease', 'migration'].every((name) => tables.includes(name))) return false;
  const others = tables.filter((name) => !LEDGER_TABLES.includes(name));
  if (others.length > 0)
    throw usageError(
      `The schema "${schema}" of the tenant "${tenant}" has tables that are not of a ledger (${others.slice(0, 5).join(', ')}), so nothing was deleted.`,
      'Move these tables to another schema, or drop them. Then purge again.',
    );
  const held = await statements.query<{ holder: string }>(
    `select holder from ${escapeIdentifier(schema)}.lease where expires_at > clock_timestamp()`,
  );
  if (held[0])
    throw new SyncError(
      'busy',
      `A run of the tenant "${tenant}" is under way (${held[0].holder}), so nothing was deleted.`,
      { scope: 'run', hint: 'Wait until it has ended. Then purge again.' },
    );
  await dropRelations(statements, tenant, schema, relations);
  return true;
}

/** SQLSTATE: something else depends on it. */
const DEPENDENT_OBJECTS = '2BP01';

/** All at once, so that they may refer to each other; what others made of them or beside them is refused, not dropped. */
async function dropRelations(
  statements: Statements,
  tenant: string,
  schema: string,
  relations: readonly Relation[],
): Promise<void> {
  const listed = (views: boolean) =>
    relations
      .filter(({ isView }) => isView === views)
      .map(({ name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`)
      .join(', ');
  try {
    if (relations.some(({ isView }) => isView)) await statements.query(`drop view ${listed(true)}`);
    await statements.query(`drop table ${listed(false)}`);
    await statements.query(`drop schema ${escapeIdentifier(schema)}`);
  } catch (error) {
    const { details, cause } = error as SyncError;
    if (details?.code !== DEPENDENT_OBJECTS) throw error;
    const { detail } = (cause ?? {}) as { detail?: string };
    throw usageError(
      `Something else needs the ledger of the tenant "${tenant}" (${(detail ?? '').split('\n').slice(0, 5).join('; ')}), so nothing was deleted.`,
      'Drop what is named, or change it so that it needs nothing of this schema. Then purge again.',
    );
  }
}

/** The fleet's own schema, for `migrate` and `pendingMigrations`. */
export const FLEET_SCHEMA: SchemaKind = {
  migrations: FLEET_MIGRATIONS,
  recordView: false,
  setting: 'fleet.schema',
  command: 'placement-sync fleet migrate',
};
