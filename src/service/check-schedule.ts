import cron from 'node-cron';
import { SyncError } from '../domain/errors.js';

/**
 * Whether each expression has times at all; the configuration's schema judges only its shape, because what the library
 * takes is the library's to say. Errors: SyncError `config-invalid` with the setting and its value.
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
      `schedule.${name}: "${expression}" is no cron expression that is ever due.`,
      {
        scope: 'usage',
        hint: 'Fields: (second) minute hour day-of-month month day-of-week, as in "*/10 * * * *" or "0 2 * * 1-5".',
      },
    );
  }
}
