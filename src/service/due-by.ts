import type { Trigger } from '../ports/runs.js';
import type { DueTime } from '../ports/schedules.js';

/**
 * Why the work is due by its stored due time; null: it is not due. `noted`: the time that this process stored last, null
 * before the first. Cron handles a passed time of this process; a passed time of another process is a request to run now.
 * `atFirst`: whether work without a stored time is due at once. Pure.
 */
export function dueBy(stored: DueTime | null, noted: Date | null, atFirst: boolean): Trigger | null {
  if (noted === null) return (stored?.overdue ?? atFirst) ? 'catch-up' : null;
  return stored?.overdue === true && stored.at.getTime() !== noted.getTime() ? 'manual' : null;
}
