import { engineSchema } from '../../domain/engine-schema.js';
import { SyncError } from '../../domain/errors.js';
import type { PurgedTenant } from '../../ports/tenants.js';
import type { StateDatabase, Statements } from '../database/state-database.js';
import { lockTenants } from './apply-tenants.js';
import { LEDGER_TABLES } from './ledger-tables.js';

/** `Tenants.purge`. */
export async function purgeTenant(database: StateDatabase, name: string): Promise<PurgedTenant | null> {
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

/** Deletes the schema if it is a ledger and has nothing else. False: it is none. */
async function dropLedger(statements: Statements, tenant: string, schema: string): Promise<boolean> {
  const tables = (
    await statements.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = :ledger and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
      { ledger: schema },
    )
  ).map(({ name }) => name);
  if (!['sync_state', 'lease', 'migration'].every((name) => tables.includes(name))) return false;
  const others = tables.filter((name) => !LEDGER_TABLES.includes(name));
  if (others.length > 0)
    throw new SyncError(
      'usage',
      `The schema "${schema}" of the tenant "${tenant}" has tables that are not of a ledger (${others.slice(0, 5).join(', ')}), so nothing was deleted.`,
      { scope: 'usage', hint: 'Move these tables to another schema, or drop them. Then purge again.' },
    );
  const held = await statements.query<{ holder: string }>(
    `select holder from ${quotedName(schema)}.lease where expires_at > clock_timestamp()`,
  );
  if (held[0])
    throw new SyncError(
      'busy',
      `A run of the tenant "${tenant}" is under way (${held[0].holder}), so nothing was deleted.`,
      { scope: 'run', hint: 'Wait until it has ended. Then purge again.' },
    );
  await statements.query(`drop schema ${quotedName(schema)} cascade`);
  return true;
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
