import type { StoredSchedule } from 'pg-boss';
import type { TenantSchedule } from './job-queue.js';
import { tenantSchedule } from './tenant-schedule.js';

/** A schedule as the engine stores it. */
export interface WantedSchedule {
  readonly name: string;
  readonly key: string;
  readonly cron: string;
  readonly options: { readonly key: string; readonly singletonKey: string; readonly startAfter: number };
}

export interface ScheduleChanges {
  readonly write: readonly WantedSchedule[];
  readonly remove: readonly StoredSchedule[];
}

/** What makes the stored schedules equal to those of the tenants. Pure. */
export function scheduleChanges(
  stored: readonly StoredSchedule[],
  schedules: readonly TenantSchedule[],
): ScheduleChanges {
  const wanted = new Map(
    schedules.map((schedule) => [placeOf(schedule.lane, schedule.tenant), asStored(schedule)]),
  );
  const found = new Map(stored.map((schedule) => [placeOf(schedule.name, schedule.key), schedule]));
  return {
    write: [...wanted].flatMap(([place, want]) => (isSame(found.get(place), want) ? [] : [want])),
    remove: [...found].flatMap(([place, schedule]) => (wanted.has(place) ? [] : [schedule])),
  };
}

function asStored({ lane, tenant, periodMs }: TenantSchedule): WantedSchedule {
  const { cron, startAfter } = tenantSchedule(tenant, periodMs);
  return { name: lane, key: tenant, cron, options: { key: tenant, singletonKey: tenant, startAfter } };
}

function placeOf(queue: string, key: string): string {
  return `${queue} ${key}`;
}

function isSame(stored: StoredSchedule | undefined, { cron, options }: WantedSchedule): boolean {
  return (
    stored?.cron === cron &&
    stored.options?.singletonKey === options.singletonKey &&
    stored.options.startAfter === options.startAfter
  );
}
