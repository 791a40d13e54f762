import type { Schedules } from '../ports/schedules.js';
import type { StateDatabase } from './state-database.js';

export function createSchedules(database: StateDatabase): Schedules {
  return {
    async isOverdue(name) {
      const [row] = await database.query<{ overdue: boolean }>(
        'select due_at <= clock_timestamp() as overdue from :schema:.schedule where name = :name',
        { name },
      );
      return row?.overdue ?? null;
    },
    async setDue(name, at) {
      await database.query(
        `insert into :schema:.schedule (name, due_at) values (:name, :at)
         on conflict (name) do update set due_at = excluded.due_at`,
        { name, at },
      );
    },
  };
}
