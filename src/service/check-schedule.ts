import cron from 'node-cron';
import { SyncError } from '../domain/errors.js';

/**
 * Checks that each expression is valid and has times. The configuration's schema checks only its shape, because the cron
 * library decides what is valid. Errors: SyncError `config-invalid` with the setting and its value.
 */
export function checkSchedule(schedule: {
  readonly sync: string;
  /** Null: never. */
  readonly verify: string | null;
}): void {
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
