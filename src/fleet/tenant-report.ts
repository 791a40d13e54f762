import type { Lane, TenantRun } from '../ports/tenants.js';
import type { TenantState } from './tenant-state.js';

/** How one tenant stands: an entry of `fleet list --json`. Times are ISO 8601. Public interface. */
export interface TenantReport {
  readonly name: string;
  readonly schema: string;
  readonly lane: Lane;
  readonly periodMs: number;
  readonly state: TenantState;
  /**
   * `running`: since the run began. `ok`, `failing`, `stale`, `needs-correction`: since the last success, or since it is
   * in the fleet. `waiting`: since it is in the fleet. Null: not known.
   */
  readonly since: string | null;
  readonly running: { readonly replica: string; readonly since: string } | null;
  readonly lastRun: (Omit<TenantRun, 'startedAt' | 'finishedAt'> & TimesOfRun) | null;
  /** Null: no run has succeeded. */
  readonly lastSuccessAt: string | null;
  /** Records that the last run left to be sent; null: not known. */
  readonly pending: number | null;
  /** Why it is so: cause, then hint; null: it is ok. */
  readonly reason: string | null;
  /** Seconds since the last success, or since it is in the fleet. */
  readonly secondsStale: number;
}

interface TimesOfRun {
  readonly startedAt: string;
  readonly finishedAt: string;
}
