import { type SyncError, usageError } from '../../../core/domain/errors.js';
import { engineSchema, OWN_LEDGER } from '../fleet.js';
import { batched } from '../../../core/domain/group-by.js';
import type { StateDatabase, Statements } from '../../../core/ledger/database/state-database.js';
import type { TenantDefinition } from './types.js';

/** What `apply` changed, by name. */
export interface AppliedTenants {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/** Definitions in one statement: the texts of all files of 2,000 tenants are too much for one. */
const BATCH = 250;

/** SQL: definitions that change nothing are left alone. A tenant that was removed comes back with its runs; its ledger stays where it is. */
const WRITE = `
  insert into :schema:.tenant as t
    (name, configuration, files, period_ms, lane_setting, lane, enabled, ledger_schema, ledger_here, ledger)
  select g.name, g.configuration, g.files, g."periodMs", g.lane, case g.lane when 'large' then 'large' else 'sync' end,
    g.enabled, g.schema, coalesce(g."ledgerHere", false), g.ledger
  from jsonb_to_recordset(cast(:given as jsonb)) as g(name text, configuration text, files jsonb, "periodMs" bigint,
    lane text, enabled boolean, schema text, "ledgerHere" boolean, ledger text)
  on conflict (name) do update set
    configuration = excluded.configuration, files = excluded.files, period_ms = excluded.period_ms,
    lane_setting = excluded.lane_setting,
    lane = case excluded.lane_setting when 'auto' then t.lane else excluded.lane_setting end,
    enabled = excluded.enabled, ledger_schema = excluded.ledger_schema, ledger_here = excluded.ledger_here,
    added_at = case when t.removed_at is null then t.added_at else excluded.added_at end,
    removed_at = null, revision = t.revision + 1, next_at = clock_timestamp()
  where t.removed_at is not null
    or (t.configuration, t.files, t.period_ms, t.lane_setting, t.enabled, t.ledger_schema, t.ledger_here)
      is distinct from (excluded.configuration, excluded.files, excluded.period_ms, excluded.lane_setting,
        excluded.enabled, excluded.ledger_schema, excluded.ledger_here)
  returning name`;

export interface ApplyOptions {
  /** Tenants that are not named are removed. */
  readonly removeOthers: boolean;
  /** The database for the ledger of a new tenant; default: the fleet's own. */
  readonly place?: (tenant: string) => string;
}

/** Errors: also SyncError `usage` for two tenants of one name, or with one schema. */
export async function applyTenants(
  database: StateDatabase,
  definitions: readonly TenantDefinition[],
  { removeOthers, place = () => OWN_LEDGER }: ApplyOptions,
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
    await refuseWhileMoving(statements, definitions);
    const written = new Set<string>();
    for (const batch of batched(definitions, BATCH)) {
      const given = JSON.stringify(
        batch.map((one) => ({ ...one, ledger: one.ledgerHere ? place(one.name) : OWN_LEDGER })),
      );
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
export async function lockTenants(statements: Statements): Promise<void> {
  await statements.query('lock table :schema:.tenant in share row exclusive mode');
}

async function namesOf(
  statements: Statements,
  sql: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  return (await statements.query<{ readonly name: string }>(sql, parameters)).map(({ name }) => name);
}

/** What is being copied is the ledger that the file named before. */
async function refuseWhileMoving(
  statements: Statements,
  definitions: readonly TenantDefinition[],
): Promise<void> {
  const moving = await statements.query<Pick<TenantDefinition, 'name' | 'schema' | 'ledgerHere'>>(
    `select name, ledger_schema as "schema", ledger_here as "ledgerHere" from :schema:.tenant where move is not null`,
  );
  for (const { name, schema, ledgerHere } of moving) {
    const given = definitions.find((definition) => definition.name === name);
    if (!given || (given.schema === schema && given.ledgerHere === ledgerHere)) continue;
    throw refused(
      `The ledger of the tenant "${name}" is being moved, and its file names another one now.`,
      'Wait for the end of fleet move, or repeat it if it was cut off; then apply again.',
    );
  }
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
