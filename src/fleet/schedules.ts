import { createHash } from 'node:crypto';
import type { PgBoss, StoredSchedule } from 'pg-boss';
import type { Clock } from '../ports/clock.js';
import type { Tenants, TenantSummary } from '../ports/tenants.js';
import { asSyncError } from '../sync/run/end.js';
import { batched } from '../domain/group-by.js';
import { createWakeableSleep } from '../runtime/time.js';
import type { JobQueue, TenantSchedule } from './job-queue.js';
import type { Warn } from './keep-engine.js';

/** Time between two comparisons of the schedules with the table of tenants, milliseconds. */
const COMPARE_MS = 30_000;
/** After a comparison that failed. */
const RETRY_MS = 5_000;

/**
 * Keeps the schedules equal to the table of tenants, and sends a job at once for tenants that should have one: after a
 * downtime, and new ones. Until the signal aborts; never rejects.
 */
export async function keepSchedules(
  {
    tenants,
    queue,
    clock,
    warn,
  }: {
    readonly tenants: Pick<Tenants, 'list'>;
    readonly queue: Pick<JobQueue, 'reconcile' | 'sendMissing' | 'onRestored'>;
    readonly clock: Clock;
    readonly warn: Warn;
  },
  signal: AbortSignal,
): Promise<void> {
  const waiting = createWakeableSleep(clock, signal);
  queue.onRestored(() => waiting.wake());

  const compare = async (): Promise<void> => {
    const all = await tenants.list();
    const active = all.filter(({ enabled, paused, removed }) => enabled && !paused && !removed);
    await queue.reconcile(active.map(({ name, lane, periodMs }) => ({ tenant: name, lane, periodMs })));
    const due = active.filter((tenant) => isDue(tenant, clock.now()));
    if (due.length > 0) await queue.sendMissing(due.map(({ name, lane }) => ({ tenant: name, lane })));
  };

  while (!signal.aborted) {
    const pauseMs = await compare().then(
      () => COMPARE_MS,
      (error: unknown) => {
        warn(asSyncError(error));
        return RETRY_MS;
      },
    );
    await waiting.sleep(pauseMs);
  }
}

/**
 * How much later than its period a tenant's job may come, milliseconds: the engine looks for due schedules every half minute,
 * and a job sent too early would be followed by that of the schedule.
 */
const GRACE_MS = 120_000;

/**
 * Whether a tenant should have a job now: it never ran, or not since it was changed, its last slice left work, or its last
 * run began longer ago than its period. `now`: milliseconds since the epoch.
 */
export function isDue(
  { isChanged, lastRun, periodMs }: Pick<TenantSummary, 'isChanged' | 'lastRun' | 'periodMs'>,
  now: number,
): boolean {
  if (isChanged || lastRun === null || lastRun.usedUpSlice) return true;
  return now - lastRun.startedAt.getTime() > periodMs + GRACE_MS;
}

/** The engine writes one schedule with one statement; so many are under way at a time. */
const AT_A_TIME = 4;

/**
 * Makes the stored schedules equal to those of the tenants; the only writer of schedules. Only differences cost a
 * statement. Gives how many it wrote or deleted.
 */
export async function reconcileSchedules(
  boss: Pick<PgBoss, 'getSchedules' | 'schedule' | 'unschedule'>,
  schedules: readonly TenantSchedule[],
): Promise<number> {
  const { write, remove } = scheduleChanges(await boss.getSchedules(), schedules);
  // First what goes: a tenant that changed its lane would have two schedules otherwise.
  await fewAtATime(remove, ({ name, key }) => boss.unschedule(name, key));
  await fewAtATime(write, ({ name, key, cron, options }) =>
    boss.schedule(name, cron, { tenant: key }, options),
  );
  return remove.length + write.length;
}

async function fewAtATime<T>(all: readonly T[], change: (one: T) => Promise<void>): Promise<void> {
  for (const few of batched(all, AT_A_TIME)) await Promise.all(few.map(change));
}

/** A schedule as the engine stores it. */
interface EngineSchedule {
  readonly name: string;
  readonly key: string;
  readonly cron: string;
  readonly options: { readonly key: string; readonly singletonKey: string; readonly startAfter: number };
}

/** What makes the stored schedules equal to those of the tenants. */
export function scheduleChanges(
  stored: readonly StoredSchedule[],
  schedules: readonly TenantSchedule[],
): { readonly write: readonly EngineSchedule[]; readonly remove: readonly StoredSchedule[] } {
  const desired = new Map(
    schedules.map((schedule) => [placeOf(schedule.lane, schedule.tenant), asStored(schedule)]),
  );
  const found = new Map(stored.map((schedule) => [placeOf(schedule.name, schedule.key), schedule]));
  return {
    write: [...desired].flatMap(([place, each]) => (isSame(found.get(place), each) ? [] : [each])),
    remove: [...found].flatMap(([place, schedule]) => (desired.has(place) ? [] : [schedule])),
  };
}

function asStored({ lane, tenant, periodMs }: TenantSchedule): EngineSchedule {
  const { cron, startAfter } = tenantSchedule(tenant, periodMs);
  return { name: lane, key: tenant, cron, options: { key: tenant, singletonKey: tenant, startAfter } };
}

function placeOf(queue: string, key: string): string {
  return `${queue} ${key}`;
}

function isSame(stored: StoredSchedule | undefined, { cron, options }: EngineSchedule): boolean {
  return (
    stored?.cron === cron &&
    stored.options?.singletonKey === options.singletonKey &&
    stored.options.startAfter === options.startAfter
  );
}

/** Minutes that divide an hour, and hours that divide a day: only of these cron makes even steps. */
const MINUTES = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440] as const;

/**
 * When a tenant is looked at. Its name decides at which minute and second of the period, so that tenants with the same
 * period are spread over it. Of a period that cron cannot express the next shorter one is taken: 15 minutes for 18, a day
 * for a week. `cron`: five fields, in UTC. `startAfter`: seconds from the minute to the job, 0 to 59.
 */
export function tenantSchedule(
  tenant: string,
  periodMs: number,
): { readonly cron: string; readonly startAfter: number } {
  const period = MINUTES.findLast((minutes) => minutes * 60_000 <= periodMs) ?? 1;
  const second = createHash('sha256').update(tenant).digest().readUIntBE(0, 6) % (period * 60);
  const minuteOfPeriod = Math.floor(second / 60);
  const startAfter = second % 60;
  if (period <= 60) return { cron: `${steps(minuteOfPeriod, period, 60)} * * * *`, startAfter };
  const hour = steps(Math.floor(minuteOfPeriod / 60), period / 60, 24);
  return { cron: `${minuteOfPeriod % 60} ${hour} * * *`, startAfter };
}

/** A field of cron: every `step` from `first` on. */
function steps(first: number, step: number, all: number): string {
  if (step === 1) return '*';
  return step === all ? String(first) : `${first}-${all - 1}/${step}`;
}
