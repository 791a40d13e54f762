import type { LoadedConfig } from '../../config/load.js';
import type { State } from '../../ports/state.js';
import { boundDatabase, type BoundDatabase } from '../../state/database/bound-database.js';
import { createState } from '../../state/create-state.js';
import { createStateDatabase, type StateDatabase } from '../../state/database/state-database.js';

/** The state for a caller that waits until the signal aborts. */
export type StateUntil = (signal: AbortSignal) => State;

/**
 * The state database for pages, metrics and probes. Each has its own connections, opened when needed: they must not take
 * those of the sync, and a page must not take those of a probe.
 */
export interface Looking {
  readonly pages: StateUntil;
  readonly metrics: StateUntil;
  readonly probes: (signal: AbortSignal) => StateDatabase;
  /** For the buttons: an action goes on when the client leaves. */
  readonly actions: State;
  close(): Promise<void>;
}

interface Limits {
  /** Connections, and transactions at a time. */
  readonly connections: number;
  readonly maxWaiting: number;
  /** The server ends a statement then, milliseconds. Absent: as for the sync. */
  readonly statementTimeoutMs?: number;
  /** The server gives up waiting for a lock then, milliseconds. Absent: as for the sync. */
  readonly lockTimeoutMs?: number;
  readonly closeGraceMs?: number;
}

/** The overview alone makes a dozen queries at once. The answer to more would come too late. */
const PAGES: Limits = {
  connections: 2,
  maxWaiting: 30,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 3_000,
};

/** Queries run one after the other, once for all scrapes at the same time. */
const METRICS: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 5_000, lockTimeoutMs: 2_000 };

/** The kubelet waits for five seconds. */
const PROBES: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 3_000, lockTimeoutMs: 2_000 };

/** Marking a million records takes long. At shutdown it gets a short time to finish. */
const ACTIONS: Limits = { connections: 1, maxWaiting: 20, closeGraceMs: 2_000 };

/** Opens nothing yet: each pool connects at its first query. */
export function openLooking({ settings }: Pick<LoadedConfig, 'settings'>): Looking {
  const bound = ({ connections, maxWaiting, closeGraceMs, ...limits }: Limits): BoundDatabase =>
    boundDatabase(createStateDatabase({ ...settings.state, ...limits, poolMax: connections }), {
      places: connections,
      maxWaiting,
      ...(closeGraceMs === undefined ? {} : { closeGraceMs }),
    });
  const [pages, metrics, probes, actions] = [bound(PAGES), bound(METRICS), bound(PROBES), bound(ACTIONS)];
  return {
    pages: (signal) => createState(pages.until(signal)),
    metrics: (signal) => createState(metrics.until(signal)),
    probes: (signal) => probes.until(signal),
    actions: createState(actions.until()),
    async close() {
      await Promise.allSettled([pages, metrics, probes, actions].map((each) => each.close()));
    },
  };
}
