import { NAME_LOOKUP } from './name-lookup.js';

/** Bounds that the server itself keeps, milliseconds. */
export interface TransactionLimits {
  /** Longest time of one statement. */
  readonly statementTimeoutMs: number;
  /** Longest wait for a lock. */
  readonly lockTimeoutMs: number;
}

/**
 * SQL that begins a transaction with all its settings, as one message. All by SET LOCAL, because a pooler may stand
 * between.
 * - Read committed: what the statements are made for, whatever is the default of database or role.
 * - No statement and no wait for a lock goes on at the server after this process gave up. A process that was stopped in
 *   the middle of a transaction must not keep the next run waiting for longer than its lease does.
 */
export function beginTransaction({ statementTimeoutMs, lockTimeoutMs }: TransactionLimits): string {
  return [
    'begin isolation level read committed',
    NAME_LOOKUP.safe,
    // What `webhook.sql` was read by.
    'set local standard_conforming_strings = on',
    `set local statement_timeout = ${Math.max(1, Math.round(statementTimeoutMs))}`,
    `set local lock_timeout = ${Math.max(1, Math.round(lockTimeoutMs))}`,
    'set local idle_in_transaction_session_timeout = 10000',
  ].join('; ');
}
