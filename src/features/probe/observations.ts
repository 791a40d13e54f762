import type { StateDatabase } from '../../core/ledger/database/state-database.js';
import type { CheckResult, Verdict } from './checks.js';

/** What was last seen of one assumption. */
export interface Observation extends Verdict {
  /** Of a check; other versions of the program may have others. */
  readonly id: string;
  readonly result: CheckResult;
  readonly observedAt: Date;
}

/** What first contacts saw, by environment: address and client id. */
export type Observations = ReturnType<typeof createObservations>;

export function createObservations(database: StateDatabase) {
  return {
    /** Keeps the latest of each check; one that found nothing out does not replace one that did. */
    async save(environment: string, seen: readonly Omit<Observation, 'observedAt'>[]) {
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
    read: (environment: string) =>
      database.query<Observation>(
        `select id, result, seen, observed_at as "observedAt" from :schema:.observation
         where environment = :environment order by id`,
        { environment },
      ),
  };
}
