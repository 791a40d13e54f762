import type { Trigger } from '../ports/runs.js';
import type { DueTime } from '../ports/schedules.js';

/**
 * Why something is due by its stored due time; null: it is not. `noted`: what this process stored last, null before
 * it has. A time of its own that has passed is left to cron; another's means that somebody asked for it now. `atFirst`:
 * whether what was never scheduled before is due at once. Pure.
 */
export function dueBy(stored: DueTime | null, noted: Date | null, atFirst: boolean): Trigger | null {
  if (noted === null) return (stored?.overdue ?? atFirst) ? 'catch-up' : null;
  return stored?.overdue === true && stored.at.getTime() !== noted.getTime() ? 'manual' : null;
}
