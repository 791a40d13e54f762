import { setTimeout as wait } from 'node:timers/promises';
import { SyncError } from '../../core/domain/errors.js';
import { createPlaceQueue } from '../../core/runtime/place-queue.js';
import { untilFirstAbort } from '../../core/runtime/time.js';
import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import { interruptedState } from '../../core/ledger/database/translate-state-error.js';

/**
 * Limits the load of outside callers, such as browsers, on a state database. A transaction of a caller waits for one of a
 * few places, runs, and is cancelled when the caller leaves or the database closes.
 */

/** How long `close` waits for the server, milliseconds; a little longer than a cancellation may take. */
const CLOSE_MS = 2_500;

interface BoundDatabaseOptions {
  /** Transactions at a time; at most the pool's connections. */
  readonly places: number;
  /** How many may wait for a place; further ones are refused. */
  readonly maxWaiting: number;
  /** How long `close` waits before it cancels what is under way, milliseconds; default 0. */
  readonly closeGraceMs?: number;
}

/** A state database for any number of callers, who may leave early. */
export interface BoundDatabase {
  /**
   * For one caller: everything ends when the signal aborts (SyncError `interrupted`), also a wait in the queue; absent:
   * never. One caller too many gets SyncError `state-unavailable` with `details.busy`. Its `close` does nothing: others
   * use the database too. Another schema of it (`inSchema`) has the same bounds.
   */
  until(signal?: AbortSignal): StateDatabase;
  /** Ends everything that is under way, then the connections. */
  close(): Promise<void>;
}

export function boundDatabase(
  database: StateDatabase,
  { places: count, maxWaiting, closeGraceMs = 0 }: BoundDatabaseOptions,
): BoundDatabase {
  const places = createPlaceQueue(count, maxWaiting);
  const underWay = new Map<AbortController, Promise<unknown>>();

  const inPlace = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const entry = await places.enter(signal);
    if (entry === 'aborted') throw interruptedState();
    if (entry === 'full') throw busy();
    try {
      return await work();
    } finally {
      places.leave();
    }
  };

  const bind = (bound: StateDatabase, signal: AbortSignal | undefined): StateDatabase => {
    const transaction: StateDatabase['transaction'] = async (work) => {
      const closing = new AbortController();
      const working = untilFirstAbort(signal ? [signal, closing.signal] : [closing.signal], (ends) =>
        inPlace(ends, () => bound.transaction(work, ends)),
      );
      underWay.set(closing, working);
      try {
        return await working;
      } finally {
        underWay.delete(closing);
      }
    };
    return {
      ...bound,
      transaction,
      query: (sql, parameters) => transaction((alone) => alone.query(sql, parameters)),
      inSchema: (schema) => bind(bound.inSchema(schema), signal),
      close: () => Promise.resolve(),
    };
  };

  return {
    until: (signal) => bind(database, signal),
    async close() {
      if (closeGraceMs > 0 && underWay.size > 0)
        await Promise.race([Promise.allSettled(underWay.values()), wait(closeGraceMs, null, { ref: false })]);
      underWay.forEach((_working, closing) => closing.abort());
      // A connection still waiting for a silent server ends by itself.
      await Promise.race([database.close(), wait(CLOSE_MS, null, { ref: false })]);
    },
  };
}

function busy(): SyncError {
  return new SyncError('state-unavailable', 'Too many statements are waiting for the state database.', {
    scope: 'run',
    hint: 'Try again in a few seconds.',
    details: { busy: true },
  });
}
