import type { PostgresSourceOptions } from './postgres-source-options.js';

/** `transaction_timeout` exists from 17 on. A transaction of two passes may take longer than the partner's limit. */
const SET_ALL = `select pg_catalog.set_config(key, value, true)
  from pg_catalog.json_each_text(cast($1 as pg_catalog.json))
  union all select pg_catalog.set_config(name, '0', true) from pg_catalog.pg_settings
  where name OPERATOR(pg_catalog.=) 'transaction_timeout'`;

/**
 * Sets how values are printed and how long statements may take, for the current transaction only:
 * a pooler in transaction mode refuses start-up options and would leak a session's SET to other clients. One statement,
 * because SET takes no parameters and each would be a round trip. `row_security = off` makes rows that the role may not
 * see an error, because a hidden row would look like a deleted one.
 */
export function transactionSettings(options: Omit<PostgresSourceOptions, 'url' | 'poolMax'>): {
  readonly text: string;
  readonly values: readonly string[];
} {
  const settings = {
    // Without a setting the session's zone stays the server's, so that a query gives the same rows as in psql.
    ...(options.sessionTimeZone === null ? {} : { timezone: options.sessionTimeZone }),
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    extra_float_digits: '1',
    bytea_output: 'hex',
    // The check of the query's quotes treats backslashes in '…' as plain characters.
    standard_conforming_strings: 'on',
    // We read cursors to their end; the default plan favours an early first row.
    cursor_tuple_fraction: '1',
    statement_timeout: String(Math.max(1, Math.round(options.statementTimeoutMs))),
    idle_in_transaction_session_timeout: '0',
    ...(options.rowSecurity === 'refuse' ? { row_security: 'off' } : {}),
  };
  return { text: SET_ALL, values: [JSON.stringify(settings)] };
}
