import { escapeIdentifier } from 'pg';
import { SyncError, usageError } from '../../../core/domain/errors.js';
import { engineSchema } from '../fleet.js';
import type { StateDatabase, Statements } from '../../../core/ledger/database/state-database.js';

/** What became of the ledger of a tenant that was purged. */
export interface PurgedTenant {
  readonly schema: string;
  /**
   * `deleted`; otherwise nothing was. `none`: the schema has no ledger in this database. `elsewhere`: it is at the
   * tenant's `state.url`. `of-another`: the tenant `other` has a ledger in a schema of this name.
   */
  readonly ledger: 'deleted' | 'none' | 'elsewhere' | 'of-another';
  /** Null: nobody else has the schema. */
  readonly other: string | null;
}

/**
 * Deletes a removed tenant, in the caller's transaction: the row first, then the ledger, if that is in this database or in one
 * of `fleet.ledgers`, no other tenant has a schema of this name, here or elsewhere, removed or not, and nothing else is in it.
 * `ledgerAt`: null for this database.
 */
export async function purgeTenant(
  statements: Statements,
  fleetSchema: string,
  name: string,
  ledgerAt: (ledger: string, tenant: string) => StateDatabase | null,
): Promise<PurgedTenant | null> {
  const [purged] = await statements.query<PurgedRow>(
    `delete from :schema:.tenant t where name = :name and removed_at is not null
     returning ledger_schema as "schema", ledger_here as here, ledger, move is not null as "isMoving", (
       select min(o.name) from :schema:.tenant o
       where o.name <> t.name and o.ledger_schema = t.ledger_schema) as other`,
    { name },
  );
  if (!purged) return null;
  const { schema, here, other, ledger, isMoving } = purged;
  if (isMoving)
    throw usageError(
      `A move of the ledger of "${name}" was cut off, so nothing was deleted.`,
      'Add the tenant again, and end the move: placement-sync fleet move. Then purge.',
    );
  if (!here) return { schema, ledger: 'elsewhere', other };
  if (other !== null) return { schema, ledger: 'of-another', other };
  const isOfFleet = schema === fleetSchema || schema === engineSchema(fleetSchema);
  const elsewhere = ledgerAt(ledger, name);
  // Ends before the row is gone: after a kill between the two it is called again, and finds no ledger.
  const drop = (within: Statements) => dropLedger(within, name, schema);
  const isDeleted =
    elsewhere === null ? !isOfFleet && (await drop(statements)) : await elsewhere.transaction(drop);
  return { schema, ledger: isDeleted ? 'deleted' : 'none', other };
}

interface PurgedRow {
  readonly schema: string;
  readonly here: boolean;
  readonly ledger: string;
  readonly isMoving: boolean;
  /** Another tenant with this schema. */
  readonly other: string | null;
}

export interface Relation {
  readonly name: string;
  readonly isView: boolean;
}

/** Tables and views of a ledger's schema, with those that knex keeps there. */
export const LEDGER_TABLES: readonly string[] = [
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
  const relations = await relationsOf(statements, schema);
  if (!isLedger(relations)) return false;
  const others = relations.map(({ name }) => name).filter((name) => !LEDGER_TABLES.includes(name));
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
  await dropRelations(statements, tenant, schema, relations, `drop schema ${escapeIdentifier(schema)}`);
  return true;
}

/** Tables and views of a schema, by name. */
export function relationsOf(statements: Statements, schema: string): Promise<readonly Relation[]> {
  return statements.query<Relation>(
    `select c.relname as name, c.relkind = 'v' as "isView"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = :ledger and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    { ledger: schema },
  );
}

export function isLedger(relations: readonly Relation[]): boolean {
  return ['sync_state', 'lease', 'migration'].every((table) => relations.some(({ name }) => name === table));
}

/** SQLSTATE: something else depends on it. */
const DEPENDENT_OBJECTS = '2BP01';

/** All at once, so that they may refer to each other; what others made of them or beside them is refused, not dropped. */
export async function dropRelations(
  statements: Statements,
  tenant: string,
  schema: string,
  relations: readonly Relation[],
  /** SQL after that. */
  more?: string,
): Promise<void> {
  const listed = (views: boolean) =>
    relations
      .filter(({ isView }) => isView === views)
      .map(({ name }) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`)
      .join(', ');
  try {
    if (relations.some(({ isView }) => isView)) await statements.query(`drop view ${listed(true)}`);
    await statements.query(`drop table ${listed(false)}`);
    if (more !== undefined) await statements.query(more);
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
