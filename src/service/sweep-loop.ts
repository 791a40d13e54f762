import type { Trigger } from '../ports/runs.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import type { HeldLease } from '../sync/hold-lease.js';
import type { RunDependencies } from '../sync/run-dependencies.js';
import type { RunSettings } from '../sync/run-settings.js';
import { runSweep } from '../sync/run-sweep.js';
import { createCron } from './create-cron.js';

export interface SweepSchedule {
  /** Five or six fields. */
  readonly expression: string;
  readonly timeZone: string;
}

/**
 * Sweeps on schedule for as long as the lease is held, never two at once: a time that comes while a sweep is running
 * is made up for by the next one. The next due time is stored at every run, so that one that passed while nothing ran
 * means one sweep at once.
 */
export async function sweepLoop(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  lease: HeldLease,
  schedule: SweepSchedule,
): Promise<void> {
  const { state, clock, emit, signal } = dependencies;
  const { schedules } = state;
  const ended = new AbortController();
  let due: Trigger | null = (await schedules.isOverdue('sync')) === false ? null : 'catch-up';
  let wake = () => {};
  const onDue = () => {
    due ??= 'cron';
    wake();
  };
  const cron = createCron(schedule.expression, schedule.timeZone, onDue, emit);
  const noteDue = async () => {
    const next = cron.next();
    if (next) await schedules.setDue('sync', next);
  };
  const stop = () => wake();
  signal.addEventListener('abort', stop);
  try {
    await noteDue();
    while (!signal.aborted && lease.held()) {
      if (due === null) {
        // The lease is looked at now and then, because nobody tells when it is lost.
        await Promise.race([
          new Promise<void>((resolve) => (wake = resolve)),
          clock.sleep(1_000, ended.signal),
        ]);
        continue;
      }
      const trigger = due;
      due = null;
      await noteDue();
      await runSweep(dependencies, plans, settings, lease, trigger);
    }
  } finally {
    ended.abort();
    signal.removeEventListener('abort', stop);
    await cron.stop();
  }
}
