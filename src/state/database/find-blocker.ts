import { createHash } from 'node:crypto';
import type { StateDatabase } from './state-database.js';

/** The first key of the lock of every migration. Any number, never another one. */
const MIGRATION_LOCKS = 746_100_211;

/**
 * The advisory lock that serialises migrations of one schema, so that those of other schemas go on at the same time. It
 * is released with the transaction, so it cannot stay behind.
 */
export function migrationLock(schema: string): { readonly group: number; readonly key: number } {
  return {
    group: MIGRATION_LOCKS,
    // 31 bits: the server shows keys as numbers without sign.
    key: createHash('sha256').update(schema).digest().readUInt32BE() >>> 1,
  };
}

interface HolderRow {
  readonly pid: number | null;
  readonly role: string | null;
  readonly application: string | null;
  readonly minutes: number | null;
}

/**
 * The session that has held a lock on the state schema, or on its migration, for longest: program, process and role,
 * such as "pg_dump (process 4711, role backup, for 12 min)". Null: no session holds one any more.
 */
export async function findBlocker(database: StateDatabase): Promise<string | null> {
  const [holder] = await database.query<HolderRow>(
    `select l.pid, a.usename as role, nullif(a.application_name, '') as application,
       cast(floor(extract(epoch from clock_timestamp() - a.xact_start) / 60) as integer) as minutes
     from pg_locks l
     left join pg_stat_activity a on a.pid = l.pid
     left join pg_class c on l.locktype = 'relation' and c.oid = l.relation
     where l.granted and l.pid is distinct from pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and (c.relnamespace = (select oid from pg_namespace where nspname = :name)
         or l.locktype = 'advisory' and l.objsubid = 2
           and l.classid = cast(:group as bigint) and l.objid = cast(:key as bigint))
     order by a.xact_start nulls last limit 1`,
    { name: database.schema, ...migrationLock(database.schema) },
  );
  if (!holder) return null;
  // A transaction prepared for two-phase commit has no process.
  if (holder.pid === null) return 'a prepared transaction (see pg_prepared_xacts)';
  const { pid, role, application, minutes } = holder;
  const known = [`process ${pid}`, role && `role ${role}`, minutes && `for ${minutes} min`].filter(Boolean);
  return `${application ?? 'a session'} (${known.join(', ')})`;
}
