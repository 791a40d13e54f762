import type { Trigger } from '../ports/runs.js';
import type { ScheduleName } from '../ports/schedules.js';
import type { HeldLease } from '../sync/lease/hold-lease.js';
import type { RunContext } from '../sync/run-context.js';
import { createWakeableSleep } from '../sync/run/wakeable-sleep.js';
import { createCron } from './create-cron.js';
import { dueBy } from './due-by.js';

/** Time between two reads of the stored due time, milliseconds: a user may request work now. */
const LOOK_MS = 2_000;

/**
 * Whether the machine's clock was set back since the due time was noted: cron would wait until the clock catches up, for
 * years if an empty battery had set it wrong. Pure.
 */
function wentBack(next: Date | null, noted: Date | null): boolean {
  return next !== null && noted !== null && next < noted;
}

/** The stored time of a schedule without a next time. */
const NEVER = new Date('9999-01-01T00:00:00Z');

export interface Schedule {
  readonly name: ScheduleName;
  /** Five or six fields. */
  readonly expression: string;
  readonly timeZone: string;
  /** Earlier work did not finish, so it is due at once. */
  readonly cutOff: boolean;
  /** Whether it is due at once if no due time was ever stored. */
  readonly atFirst: boolean;
}

/**
 * Works on schedule while the lease is held, never twice at once: a time that comes during work starts the next work
 * after it. The next due time is stored before each work, so that work begins at once if that time passed while no worker
 * ran, or if another process set it to now. Errors: what `work` or the state database throws.
 */
export async function scheduleLoop(
  { state, clock, emit, signal }: Pick<RunContext, 'state' | 'clock' | 'emit' | 'signal'>,
  schedule: Schedule,
  lease: Pick<HeldLease, 'held'>,
  work: (trigger: Trigger) => Promise<void>,
): Promise<void> {
  const { schedules } = state;
  const waiting = createWakeableSleep(clock, signal);
  let noted: Date | null = null;
  let due: Trigger | null = null;
  const onDue = () => {
    due ??= 'cron';
    waiting.wake();
  };
  const cron = createCron(schedule.expression, schedule.timeZone, onDue, emit);
  /** Gives the time stored before. */
  const noteDue = async () => {
    const next = cron.next() ?? NEVER;
    const replaced = await schedules.setDue(schedule.name, next);
    noted = next;
    return replaced;
  };
  try {
    const before = await noteDue();
    // This machine's clock computed the time; the database's clock may be behind.
    const passed = before !== null && before.at.getTime() <= clock.now();
    const atBoot = dueBy(passed ? { ...before, overdue: true } : before, null, schedule.atFirst);
    due ??= atBoot ?? (schedule.cutOff ? 'catch-up' : null);
    while (!signal.aborted && lease.held()) {
      const asked = dueBy(await schedules.read(schedule.name), noted, schedule.atFirst);
      due ??= asked;
      if (wentBack(cron.next(), noted)) {
        await cron.restart();
        await noteDue();
      }
      if (due === null) {
        await waiting.sleep(LOOK_MS);
        continue;
      }
      const trigger = due;
      due = null;
      await noteDue();
      await work(trigger);
    }
  } finally {
    await cron.stop();
  }
}
