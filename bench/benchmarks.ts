import type { Context } from './context.js';
import type { Figure } from './results/figure.js';
import { byHand } from './runs/by-hand.js';
import { changedSweep } from './runs/changed-sweep.js';
import { deadRows } from './runs/dead-rows.js';
import { editLatency } from './runs/edit-latency.js';
import { firstLoad } from './runs/first-load.js';
import { fleet } from './runs/fleet.js';
import { withoutFleet } from './runs/without-fleet.js';
import { idleWorker } from './runs/idle-worker.js';
import { looks } from './runs/looks.js';
import { memory } from './runs/memory.js';
import { noOpRun } from './runs/no-op-run.js';
import { push } from './runs/push.js';
import { rateUse } from './runs/rate-use.js';
import { unchangedSweep } from './runs/unchanged-sweep.js';

export interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Whether its cost for each record is compared between numbers of records. */
  readonly grows?: true;
  /** Why it cannot be measured here; null: it can. Default: it can. */
  readonly missing?: () => string | null;
  /** Measured in one round, whatever `--rounds` says. */
  readonly once?: true;
  readonly measure: (context: Context) => AsyncIterable<Figure>;
}

/** In the order in which they run: the first one needs a ledger that nobody used yet. */
export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'unchanged-sweep',
    summary: 'a sweep that finds nothing changed',
    grows: true,
    measure: unchangedSweep,
  },
  {
    name: 'changed-sweep',
    summary: 'a sweep that finds 10 rows or 1 % changed',
    grows: true,
    measure: changedSweep,
  },
  { name: 'first-load', summary: 'the first sweep of all rows', grows: true, measure: firstLoad },
  { name: 'memory', summary: 'memory of a first load and of an unchanged sweep', measure: memory },
  { name: 'push', summary: 'requests a second without a limit', measure: push },
  { name: 'no-op-run', summary: '`run` with nothing to do', measure: noOpRun },
  { name: 'by-hand', summary: 'the way people do it without a tool', measure: byHand },
  { name: 'looks', summary: '`status`, `explain` and the dashboard', measure: looks },
  { name: 'edit-latency', summary: 'from an edit to its answer by the platform', measure: editLatency },
  { name: 'idle-worker', summary: 'what `start` costs while it waits', measure: idleWorker },
  { name: 'dead-rows', summary: 'how large the ledger grows by updates', once: true, measure: deadRows },
  { name: 'rate-use', summary: 'how much of a rate limit is used', measure: rateUse },
  {
    name: 'fleet',
    summary: 'many tenants on two replicas, and the commands of a fleet',
    missing: withoutFleet,
    once: true,
    measure: fleet,
  },
];
