import type { Trigger } from '../ports/runs.js';
import type { ScheduleName } from '../ports/schedules.js';
import type { HeldLease } from '../sync/lease/hold-lease.js';
import type { RunContext } from '../sync/run-context.js';
import { createWakeableSleep } from '../sync/run/wakeable-sleep.js';
import { createCron } from './create-cron.js';
import { dueBy } from './due-by.js';

/** How often the stored due time is looked at, milliseconds: somebody may have asked for it now. */
const LOOK_MS = 2_000;

/**
 * Whether the machine's clock was set back since the due time was noted: cron would wait until it has caught up, for
 * years where it had come from a battery that was empty. Pure.
 */
function wentBack(next: Date | null, noted: Date | null): boolean {
  return next !== null && noted !== null && next < noted;
}

/** What is stored for a schedule that has no next time. */
const NEVER = new Date('9999-01-01T00:00:00Z');

export interface Schedule {
  readonly name: ScheduleName;
  /** Five or six fields. */
  readonly expression: string;
  readonly timeZone: string;
  /** Work that was begun before did not come to its end, so it is made up for at once. */
  readonly cutOff: boolean;
  /** Whether it is due at once when no due time was ever stored. */
  readonly atFirst: boolean;
}

/**
 * Works on schedule for as long as the lease is held, never twice at once: a time that comes while work is under way
 * is made up for by the next one. The next due time is stored before each, so that one that passed while nothing ran,
 * or was moved to now by another process, means work at once. Errors: what `work` or the state database throws.
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
  /** Gives what was stored before. */
  const noteDue = async () => {
    const next = cron.next() ?? NEVER;
    const replaced = await schedules.setDue(schedule.name, next);
    noted = next;
    return replaced;
  };
  try {
    const before = await noteDue();
    // Its time was computed by this machine's clock, and that of the database may be behind.
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
