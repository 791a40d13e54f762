import type { LoadedConfig } from '../../config/load.js';
import type { State } from '../../ports/state.js';
import { boundDatabase, type BoundDatabase } from '../../state/database/bound-database.js';
import { createState } from '../../state/create-state.js';
import { createStateDatabase, type StateDatabase } from '../../state/database/state-database.js';

/** The state for one who waits until the signal aborts. */
export type StateUntil = (signal: AbortSignal) => State;

/**
 * The state database for whoever asks from outside. Each has connections of its own, opened when it is asked: looking
 * must take none of those that the sync works with, and a page none of those that a probe needs.
 */
export interface Looking {
  readonly pages: StateUntil;
  readonly metrics: StateUntil;
  readonly probes: (signal: AbortSignal) => StateDatabase;
  /** For the buttons: nobody's leaving ends what was begun. */
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

/** The overview alone asks for a dozen things at once; what waits beyond this would not be answered in time. */
const PAGES: Limits = {
  connections: 2,
  maxWaiting: 30,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 3_000,
};

/** Read one after the other, and once for all scrapes. */
const METRICS: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 5_000, lockTimeoutMs: 2_000 };

/** The kubelet waits for five seconds. */
const PROBES: Limits = { connections: 1, maxWaiting: 5, statementTimeoutMs: 3_000, lockTimeoutMs: 2_000 };

/** Marking a million records lasts, and is finished when the process is to end, if it can be soon. */
const ACTIONS: Limits = { connections: 1, maxWaiting: 20, closeGraceMs: 2_000 };

/** Opens nothing yet: pools connect when they are asked. */
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
