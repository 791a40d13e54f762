import type { DueTime, Schedules } from '../../ports/schedules.js';
import type { StateDatabase } from '../database/state-database.js';

export function createSchedules(database: StateDatabase): Schedules {
  return {
    async read(name) {
      // In milliseconds, the precision of a Date.
      const [row] = await database.query<DueTime>(
        `select date_trunc('milliseconds', due_at) as at, due_at <= clock_timestamp() as overdue
         from :schema:.schedule where name = :name`,
        { name },
      );
      return row ?? null;
    },
    async setDue(name, at) {
      // The count forces a read before the write; afterwards the old value is gone.
      const [row] = await database.query<DueTime | { at: null }>(
        `with replaced as materialized (
           select due_at from :schema:.schedule where name = :name for update
         )
         insert into :schema:.schedule (name, due_at)
         select :name, cast(:at as timestamptz) where (select count(*) from replaced) >= 0
         on conflict (name) do update set due_at = excluded.due_at
         returning (select date_trunc('milliseconds', due_at) from replaced) as at,
           (select due_at <= clock_timestamp() from replaced) as overdue`,
        { name, at },
      );
      return row && row.at !== null ? row : null;
    },
    async setDueNow(name) {
      await database.query(
        `insert into :schema:.schedule (name, due_at) values (:name, clock_timestamp())
         on conflict (name) do update set due_at = excluded.due_at`,
        { name },
      );
    },
  };
}
