import { SyncError } from '../../../core/domain/errors.js';
import type { StateDatabase } from '../../../core/ledger/database/state-database.js';
import { systemClock } from '../package-info.js';

/** Connections to the databases of ledgers: one pool for each and process, however many tenants have their ledgers there. */
export interface LedgerPools {
  /** Opened when it is needed first. Null: no database of the fleet. */
  at(url: string): StateDatabase | null;
  /**
   * Does the first work on a ledger, unless its database was found down a short time ago: then only one tenant asks again, and
   * the others fail at once with the same error. Otherwise those of a database that does not answer hold all slots.
   */
  unlessDown<T>(url: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One asks again after so long. */
const ASKED_EVERY_MS = 20_000;

/** SQLSTATE: too many connections. That database is up. */
const CROWDED = '53300';

/** @param own of the fleet itself: without it nothing runs @param others addresses of the other databases */
export function createLedgerPools(
  { own, others }: { readonly own: string; readonly others: readonly string[] },
  open: (url: string) => StateDatabase,
  now: () => number = systemClock.monotonic,
): LedgerPools {
  const pools = new Map<string, StateDatabase>();
  const down = new Map<string, { until: number; readonly error: SyncError }>();
  const knows = (url: string) => url === own || others.includes(url);
  return {
    at(url) {
      if (!knows(url)) return null;
      const pool = pools.get(url) ?? open(url);
      pools.set(url, pool);
      return pool;
    },
    async unlessDown(url, work) {
      const known = down.get(url);
      if (known) {
        if (now() < known.until) throw known.error;
        known.until = now() + ASKED_EVERY_MS;
      }
      try {
        const done = await work();
        down.delete(url);
        return done;
      } catch (error) {
        const isDown =
          error instanceof SyncError &&
          error.code === 'state-unavailable' &&
          error.details?.code !== CROWDED &&
          others.includes(url);
        if (isDown) down.set(url, { until: now() + ASKED_EVERY_MS, error });
        // It answered.
        else down.delete(url);
        throw error;
      }
    },
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.close()))),
  };
}
