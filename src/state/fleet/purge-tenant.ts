import { escapeIdentifier } from 'pg';
import { SyncError, usageError } from '../../domain/errors.js';
import { engineSchema } from '../../domain/fleet.js';
import type { PurgedTenant } from '../../ports/tenants.js';
import type { Statements } from '../database/state-database.js';

/**
 * Deletes a removed tenant, in the caller's transaction: the row first, then the ledger, if that is in this database, no other
 * tenant has a schema of this name, and nothing else is in it.
 */
export async function purgeTenant(
  statements: Statements,
  fleetSchema: string,
  name: string,
): Promise<PurgedTenant | null> {
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
  const isOfFleet = schema === fleetSchema || schema === engineSchema(fleetSchema);
  const isDeleted = !isOfFleet && (await dropLedger(statements, name, schema));
  return { schema, ledger: isDeleted ? 'deleted' : 'none', other };
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
  'operator_action',
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
