import cron from 'node-cron';
import { SyncError } from '../domain/errors.js';
import type { Emit } from '../domain/events.js';
import type { DueTime, ScheduleName, Trigger } from '../ports/runs.js';
import type { HeldLease } from '../sync/lease.js';
import type { RunContext } from '../sync/run-context.js';
import { createWakeableSleep } from '../runtime/time.js';

/**
 * Work on schedule. A cron expression gives the next time (`createCron`); the time is stored before each work, so that it is
 * known to whoever holds the lease next. `dueBy` decides whether work is due: a stored time that has passed is made up for,
 * and one that another process stored is a request to run now.
 */

interface Schedule {
  readonly name: ScheduleName;
  /** Five or six fields. */
  readonly expression: string;
  readonly timeZone: string;
  /** Earlier work did not finish, so it is due at once. */
  readonly cutOff: boolean;
  /** Whether it is due at once if no due time was ever stored. */
  readonly atFirst: boolean;
}

/** The stored time of a schedule without a next time. */
const NEVER = new Date('9999-01-01T00:00:00Z');

/** Time between two reads of the stored due time, milliseconds: a user may request work now. */
const LOOK_MS = 2_000;

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

/**
 * Calls `onDue` at the times of a cron expression in a time zone. Calls it once, late, for times that passed while the
 * process stood still or that the machine's clock jumped over.
 */
function createCron(expression: string, timeZone: string, onDue: () => void, emit: Emit) {
  const warn = (message: unknown) => emit({ type: 'warning', message: `schedule: ${String(message)}` });
  cron.setLogger({ info: () => {}, debug: () => {}, warn, error: warn });
  const begin = () => {
    // By default the library drops a time that is more than a second late: a nightly sweep would wait a whole day.
    const options = { timezone: timeZone, missedExecutionTolerance: Number.MAX_SAFE_INTEGER };
    const begun = cron.schedule(expression, onDue, options);
    // `onDue` is called for the last missed time; the others need no warning.
    begun.on('execution:missed', () => undefined);
    return begun;
  };
  let task = begin();
  return {
    /** When it is due next; null: never again. */
    next: () => task.getNextRun(),
    /** Counts from the machine's time as it is now. */
    async restart() {
      await task.destroy();
      task = begin();
    },
    stop: async () => void (await task.destroy()),
  };
}

/**
 * Why the work is due by its stored due time; null: it is not due. `noted`: the time that this process stored last, null
 * before the first. Cron handles a passed time of this process; a passed time of another process is a request to run now.
 * `atFirst`: whether work without a stored time is due at once.
 */
export function dueBy(stored: DueTime | null, noted: Date | null, atFirst: boolean): Trigger | null {
  if (noted === null) return (stored?.overdue ?? atFirst) ? 'catch-up' : null;
  return stored?.overdue === true && stored.at.getTime() !== noted.getTime() ? 'manual' : null;
}

/**
 * Whether the machine's clock was set back since the due time was noted: cron would wait until the clock catches up, for
 * years if an empty battery had set it wrong.
 */
function wentBack(next: Date | null, noted: Date | null): boolean {
  return next !== null && noted !== null && next < noted;
}

/**
 * Checks that each expression is valid and has times. The configuration's schema checks only its shape, because the cron
 * library decides what is valid. Errors: SyncError `config-invalid` with the setting and its value.
 */
export function checkSchedule(schedule: { readonly sync: string; readonly verify: string | null }): void {
  for (const name of ['sync', 'verify'] as const) {
    const expression = schedule[name];
    if (expression === null || cron.validate(expression)) continue;
    throw new SyncError(
      'config-invalid',
      `schedule.${name}: "${expression}" is not a valid cron expression, or it never fires.`,
      {
        scope: 'usage',
        hint: 'Fields: (second) minute hour day-of-month month day-of-week, as in "*/10 * * * *" or "0 2 * * 1-5".',
      },
    );
  }
}

/** Enough to see a weekend and a month of nights. */
const RUNS = 200;

/** The longest time between two of the next times of a cron expression, milliseconds; 0: fewer than two times. */
export function longestGap(expression: string, timeZone: string): number {
  const times = cron
    .createTask(expression, () => {}, { timezone: timeZone })
    .getNextRuns(RUNS)
    .map((time) => time.getTime());
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0);
}
