import cron from 'node-cron';
import { createHash } from 'node:crypto';
import type { Settings } from '../config/schema.js';
import { SyncError } from '../domain/errors.js';
import { AREAS } from '../domain/names.js';
import type { DueTime, ScheduleName, Trigger } from '../ledger/runs.js';
import type { HeldLease } from '../leases.js';
import type { RunContext } from '../context.js';

/**
 * Work on schedule. A cron expression gives the next time (`nextDue`), later by an offset of this client; the time is stored
 * before each work, so that it is known to whoever holds the lease next. `dueBy` decides whether work is due: a stored time
 * that has passed is made up for, and one that another process stored is a request to run now.
 */

interface Schedule {
  readonly name: ScheduleName;
  /** Five or six fields. */
  readonly expression: string;
  readonly timeZone: string;
  /** How much later than the expression says, milliseconds; less than any time between two of its times. */
  readonly offsetMs?: number;
  /** Earlier work did not finish, so it is due at once. */
  readonly cutOff: boolean;
  /** Whether it is due at once if no due time was ever stored. */
  readonly atFirst: boolean;
}

/** The stored time of a schedule without a next time. */
const NEVER = new Date('9999-01-01T00:00:00Z');

/** Time between two reads of the stored due time, milliseconds: a user may request work now. */
const LOOK_MS = 2_000;

/** Who corrects a clock by less does not set it back. */
const SET_BACK_MS = 10_000;

/**
 * Works on schedule while the lease is held, never twice at once: a time that comes during work starts the next work
 * after it. The next due time is stored before each work, so that work begins at once if that time passed while no worker
 * ran, or if another process set it to now. Errors: what `work` or the state database throws.
 */
export async function scheduleLoop(
  { state, clock, signal }: Pick<RunContext, 'state' | 'clock' | 'signal'>,
  schedule: Schedule,
  lease: Pick<HeldLease, 'held'>,
  work: (trigger: Trigger) => Promise<void>,
): Promise<void> {
  const { schedules } = state;
  const { expression, timeZone, offsetMs = 0 } = schedule;
  const task = taskOf(expression, timeZone);
  let noted = NEVER;
  const noteDue = () => {
    noted = nextDue(task, offsetMs, clock.now());
    return schedules.setDue(schedule.name, noted);
  };
  const before = await noteDue();
  // This machine's clock computed the time; the database's clock may be behind.
  const passed = before !== null && before.at.getTime() <= clock.now();
  const atBoot = dueBy(passed ? { ...before, overdue: true } : before, null, schedule.atFirst);
  let due: Trigger | null = atBoot ?? (schedule.cutOff ? 'catch-up' : null);
  let ahead = clock.now() - clock.monotonic();
  while (!signal.aborted && lease.held()) {
    const wasAhead = ahead;
    ahead = clock.now() - clock.monotonic();
    // The noted time may be years away, if an empty battery had set the clock wrong.
    if (ahead < wasAhead - SET_BACK_MS) await noteDue();
    due ??= dueBy(await schedules.read(schedule.name), noted, schedule.atFirst);
    // Once, late, for times that passed while the process stood still or that the machine's clock jumped over.
    if (noted.getTime() <= clock.now()) due ??= 'cron';
    if (due === null) {
      await clock.sleep(Math.min(LOOK_MS, Math.max(1, noted.getTime() - clock.now())), signal);
      continue;
    }
    const trigger = due;
    due = null;
    await noteDue();
    await work(trigger);
  }
}

const SECOND_MS = 1_000;

type CronTask = ReturnType<typeof taskOf>;

function taskOf(expression: string, timeZone: string) {
  return cron.createTask(expression, () => {}, { timezone: timeZone });
}

/** When work is due next: `offsetMs` after a time that may have passed already. */
function nextDue(task: CronTask, offsetMs: number, now: number): Date {
  let time = (Math.floor((now - offsetMs) / SECOND_MS) + 1) * SECOND_MS;
  while (time <= now && !task.match(new Date(time))) time += SECOND_MS;
  const next = time <= now ? time : task.getNextRuns(1)[0]?.getTime();
  return next === undefined ? NEVER : new Date(next + offsetMs);
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

/** Times between two of the next times of a cron expression, milliseconds. */
function gapsOf(expression: string, timeZone: string): readonly number[] {
  const times = taskOf(expression, timeZone).getNextRuns(RUNS);
  return times.slice(1).map((time, index) => time.getTime() - (times[index] ?? time).getTime());
}

/** The longest time between two of the next times of a cron expression, milliseconds; 0: fewer than two times. */
export function longestGap(expression: string, timeZone: string): number {
  return Math.max(0, ...gapsOf(expression, timeZone));
}

/** The shortest one, as `longestGap`; undefined: fewer than two times. */
export function shortestGap(expression: string, timeZone: string): number | undefined {
  const gaps = gapsOf(expression, timeZone);
  return gaps.length === 0 ? undefined : Math.min(...gaps);
}

/** Longest offset, milliseconds: who waits for a sweep at two in the morning still finds it done at three. */
const LONGEST_OFFSET_MS = 10 * 60 * SECOND_MS;

type SpreadSettings = Pick<Settings, 'schedule' | 'platform'>;

/**
 * How much later than its expression a schedule begins, milliseconds, so that not all clients of a platform begin at once:
 * always the same of one client, below the shortest time between two times of the expression, and below ten minutes.
 */
export function offsetOf({ schedule, platform }: SpreadSettings, name: ScheduleName): number {
  const { [name]: expression, timeZone, spread } = schedule;
  if (!spread || expression === null) return 0;
  const most = Math.min(LONGEST_OFFSET_MS, ...gapsOf(expression, timeZone));
  const clientIds = AREAS.map((area) => platform[area]?.clientId ?? '').join(' ');
  const share = createHash('sha256').update(clientIds).digest().readUInt32BE() / 2 ** 32;
  // Whole seconds, which a person can follow, where there are enough of them.
  const step = most >= 60 * SECOND_MS ? SECOND_MS : 1;
  return Math.floor((share * most) / step) * step;
}

/** What of a due time of sweeps is the offset, milliseconds; 0: nothing, or it is not from these settings. */
export function offsetWithin(settings: SpreadSettings, due: Date): number {
  const offsetMs = offsetOf(settings, 'sync');
  const { sync, timeZone } = settings.schedule;
  return taskOf(sync, timeZone).match(new Date(due.getTime() - offsetMs)) ? offsetMs : 0;
}
