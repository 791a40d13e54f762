import pg from 'pg';
import type { PostgresSourceOptions } from './postgres-source-options.js';

/**
 * Opens the transaction and settles how values are printed, in one round trip. Only SET LOCAL: a pooler in
 * transaction mode refuses start-up options and would leak a session's SET to other clients.
 * `row_security = off` turns rows that the role may not see into an error, because a hidden row would look like
 * a deleted one.
 */
export function transactionSettings(options: Omit<PostgresSourceOptions, 'url' | 'poolMax'>): string {
  return [
    'begin isolation level repeatable read read only',
    `set local timezone = ${pg.escapeLiteral(options.platformTimeZone)}`,
    `set local datestyle = 'ISO, YMD'`,
    `set local intervalstyle = 'postgres'`,
    `set local extra_float_digits = 1`,
    `set local bytea_output = 'hex'`,
    // The check of the query's quotes takes backslashes in '…' for what they are.
    `set local standard_conforming_strings = on`,
    // Cursors are read to their end; by default they are planned for an early first row.
    `set local cursor_tuple_fraction = 1`,
    `set local statement_timeout = ${Math.max(1, Math.round(options.statementTimeoutMs))}`,
    `set local idle_in_transaction_session_timeout = 0`,
    ...(options.rowSecurity === 'refuse' ? ['set local row_security = off'] : []),
    // Only from version 17 on. A transaction of two passes may be longer than the partner allows by default.
    `select pg_catalog.set_config(name, '0', true) from pg_catalog.pg_settings where name OPERATOR(pg_catalog.=) 'transaction_timeout'`,
  ].join(';\n');
}
