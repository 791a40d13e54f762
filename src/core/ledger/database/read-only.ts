import type { Statements } from './state-database.js';

/** Why the state database cannot be written. Names no host, port or role. */
export interface ReadOnlyState {
  readonly message: string;
  readonly hint: string;
}

/**
 * Whether the server is a standby, this session only reads, or sessions from now on do: a connection that is open already
 * keeps its setting. What `state.url` itself sets counts for all of them.
 */
const READ_ONLY = `select pg_catalog.pg_is_in_recovery() as standby,
  pg_catalog.current_setting('transaction_read_only') = 'on' or coalesce((
    select lower(pg_catalog.split_part(setting, '=', 2)) in ('on', 'true', 'yes', '1')
    from pg_catalog.pg_db_role_setting s, unnest(s.setconfig) setting
    where setting like 'default_transaction_read_only=%'
      and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
      and s.setrole in (0, (select oid from pg_catalog.pg_roles where rolname = session_user))
      and (select source <> 'client' from pg_catalog.pg_settings where name = 'default_transaction_read_only')
    order by s.setrole <> 0 and s.setdatabase <> 0 desc, s.setrole <> 0 desc, s.setdatabase <> 0 desc limit 1
  ), false) as "readOnly"`;

const HINT =
  'Nothing is stored, so nothing is sent, until it can be written. state.url must lead to the primary; without a fail-over, look for default_transaction_read_only of the server, the database and the role.';

/** Why the ledger cannot be written although its database answers; null: it can. Writes nothing. */
export async function whyReadOnly(database: Statements): Promise<ReadOnlyState | null> {
  const [row] = await database.query<{ standby: boolean; readOnly: boolean }>(READ_ONLY);
  if (!row?.standby && !row?.readOnly) return null;
  const cause = row.standby ? 'its server is a standby (in recovery)' : 'default_transaction_read_only is on';
  return { message: `The state database is read-only: ${cause}.`, hint: HINT };
}
