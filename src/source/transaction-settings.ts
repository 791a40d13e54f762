import type { PostgresSourceOptions } from './postgres-source-options.js';

/**
 * Opens the transaction and settles how values are printed. Only SET LOCAL: a pooler in transaction mode refuses
 * start-up options and would leak a session's SET to other clients. `row_security = off` turns rows that the role
 * may not see into an error, because a hidden row would look like a deleted one.
 */
export function transactionSettings(options: Omit<PostgresSourceOptions, 'url' | 'poolMax'>): readonly string[] {
  const zone = options.platformTimeZone.replaceAll("'", "''");
  return [
    'begin isolation level repeatable read read only',
    `set local timezone = '${zone}'`,
    `set local datestyle = 'ISO, YMD'`,
    `set local intervalstyle = 'postgres'`,
    `set local extra_float_digits = 1`,
    `set local bytea_output = 'hex'`,
    `set local standard_conforming_strings = on`,
    `set local statement_timeout = ${Math.max(1, Math.round(options.statementTimeoutMs))}`,
    `set local idle_in_transaction_session_timeout = 0`,
    ...(options.rowSecurity === 'refuse' ? ['set local row_security = off'] : []),
  ];
}
