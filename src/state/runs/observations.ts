import type { Observation, Observations } from '../../ports/observations.js';
import type { StateDatabase } from '../database/state-database.js';

export function createObservations(database: StateDatabase): Observations {
  return {
    async save(environment, seen) {
      await database.query(
        `insert into :schema:.observation as o (environment, id, result, seen, observed_at)
         select :environment, r."id", r."result", r."seen", clock_timestamp()
         from jsonb_to_recordset(cast(:seen as jsonb)) as r("id" text, "result" text, "seen" text)
         on conflict (environment, id) do update set
           result = excluded.result, seen = excluded.seen, observed_at = excluded.observed_at
           where excluded.result <> 'unknown' or o.result = 'unknown'`,
        { environment, seen: JSON.stringify(seen) },
      );
    },
    read: (environment) =>
      database.query<Observation>(
        `select id, result, seen, observed_at as "observedAt" from :schema:.observation
         where environment = :environment order by id`,
        { environment },
      ),
  };
}
