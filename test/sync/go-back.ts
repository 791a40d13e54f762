import { setTimeout as wait } from 'node:timers/promises';
import type { World } from './world.js';

/** Tables of the state schema that a sync works with. */
const TABLES = [
  'sync_state',
  'lease',
  'entity_state',
  'sync_run',
  'staged_finding',
  'environment',
  'schedule',
];

/**
 * Keeps all rows of the state schema as they are now, and gives what puts them back in one transaction: what a restored
 * backup, or a replica that was behind, looks like to the processes that live on. `elsewhere`: the rows were written by
 * another server, or before another fail-over, as the lease says that they were.
 */
export async function keepRows(world: World): Promise<(options?: { elsewhere?: boolean }) => Promise<void>> {
  const columns = await world.sql<{ table: string; list: string }>(
    `select table_name as "table", string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
     from information_schema.columns
     where table_schema = 'placement_sync' and table_name = any($1) and is_generated = 'NEVER' group by 1`,
    [TABLES],
  );
  await world.sql('drop schema if exists backup cascade');
  await world.sql('create schema backup');
  for (const { table, list } of columns)
    await world.sql(`create table backup.${table} as select ${list} from placement_sync.${table}`);
  return async ({ elsewhere = false } = {}) => {
    const statements = columns.map(
      ({ table, list }) =>
        `delete from placement_sync.${table};
         insert into placement_sync.${table} (${list}) overriding system value select ${list} from backup.${table};`,
    );
    const origin = elsewhere ? `update placement_sync.lease set origin = 'another server';` : '';
    // It waits for no lock while it has another, so that it and a process that works are never in each other's way.
    const lock = `lock table ${columns.map(({ table }) => `placement_sync.${table}`).join(', ')} in exclusive mode nowait;`;
    const goBack = `do $$ begin ${lock} ${statements.join('\n')} ${origin} end $$`;
    while (!(await triedUnlocked(world, goBack))) await wait(10);
  };
}

/** False: another transaction has one of the tables. */
async function triedUnlocked(world: World, statement: string): Promise<boolean> {
  try {
    await world.sql(statement);
    return true;
  } catch (error) {
    if ((error as { readonly code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
