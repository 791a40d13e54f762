import type { PgBoss } from 'pg-boss';
import type { TenantSchedule } from './job-queue.js';
import { scheduleChanges } from './schedule-changes.js';

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
  const changes = [
    ...remove.map(
      ({ name, key }) =>
        () =>
          boss.unschedule(name, key),
    ),
    ...write.map(
      ({ name, key, cron, options }) =>
        () =>
          boss.schedule(name, cron, { tenant: key }, options),
    ),
  ];
  for (let done = 0; done < changes.length; done += AT_A_TIME)
    await Promise.all(changes.slice(done, done + AT_A_TIME).map((change) => change()));
  return changes.length;
}
