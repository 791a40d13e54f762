import { createHash } from 'node:crypto';

/** Minutes that divide an hour, and hours that divide a day: only of these cron makes even steps. */
const MINUTES = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440] as const;

export interface CronSchedule {
  /** Five fields, in UTC. */
  readonly cron: string;
  /** Seconds from the minute to the job, 0 to 59. */
  readonly startAfter: number;
}

/**
 * When a tenant is looked at. Its name decides at which minute and second of the period, so that tenants with the same
 * period are spread over it. Of a period that cron cannot express the next shorter one is taken: 15 minutes for 18, a day
 * for a week. Pure.
 */
export function tenantSchedule(tenant: string, periodMs: number): CronSchedule {
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
