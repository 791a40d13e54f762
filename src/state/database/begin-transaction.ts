import { NAME_LOOKUP } from './name-lookup.js';

/** Bounds that the server itself keeps, milliseconds. */
export interface TransactionLimits {
  /** Longest time of one statement. */
  readonly statementTimeoutMs: number;
  /** Longest wait for a lock. */
  readonly lockTimeoutMs: number;
}

/**
 * SQL that begins a transaction with all its settings, as one message. All by SET LOCAL, because there may be a pooler.
 * - Read committed: the statements rely on it, whatever the default of database or role.
 * - No statement and no wait for a lock goes on at the server after this process gave up. A process that was stopped
 *   inside a transaction must not delay the next run for longer than its lease.
 */
export function beginTransaction({ statementTimeoutMs, lockTimeoutMs }: TransactionLimits): string {
  return [
    'begin isolation level read committed',
    NAME_LOOKUP.safe,
    // `webhook.sql` was parsed under this setting.
    'set local standard_conforming_strings = on',
    `set local statement_timeout = ${Math.max(1, Math.round(statementTimeoutMs))}`,
    `set local lock_timeout = ${Math.max(1, Math.round(lockTimeoutMs))}`,
    'set local idle_in_transaction_session_timeout = 10000',
  ].join('; ');
}
