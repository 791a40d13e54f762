import type { SharedRates } from '../../ports/shared-rates.js';
import type { StateDatabase } from '../database/state-database.js';

/**
 * Time between two slots, in seconds divided by the rate: 50 ms of a second are left for requests that leave or arrive
 * later than others.
 */
const STEP_MS = 1_050;

/**
 * SQL: the moment of a change, read once, after the wait for the row. Read twice in a statement, the time between would be
 * missing between two slots, and on a busy server that is milliseconds.
 */
const MOMENT = '(select clock_timestamp() as now) m';

/**
 * SQL: what is left until a time of the row. A clock that was set back is earlier than at the last change; then the time
 * that passed since is not known, and counts as none.
 */
const NEXT_LEFT = '(r.next_at - greatest(r.seen_at, m.now))';
const PAUSE_LEFT = '(r.paused_until - greatest(r.seen_at, m.now))';

/** The table of rates in the fleet's schema. Every change is one statement, which waits for the others at the row. */
export function createSharedRates(database: StateDatabase): SharedRates {
  return {
    async now() {
      const [row] = await database.query<{ at: number }>(
        'select cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as at',
      );
      return row?.at ?? NaN;
    },

    async reserve(credential, ratePerSecond, count) {
      const stepMs = STEP_MS / ratePerSecond;
      const span = count * stepMs;
      const [row] = await database.query<{ at: number; left: number }>(
        `insert into :schema:.rate as r (credential, next_at, seen_at)
         select :credential, m.now + :span * interval '1 millisecond', m.now from ${MOMENT}
         on conflict (credential) do update set (next_at, paused_until, seen_at) = (
           select m.now + greatest(${NEXT_LEFT}, ${PAUSE_LEFT}, interval '0') + :span * interval '1 millisecond',
             m.now + ${PAUSE_LEFT}, m.now
           from ${MOMENT})
         returning cast(extract(epoch from seen_at) * 1000 as double precision) as at,
           cast(extract(epoch from next_at - seen_at) * 1000 as double precision) as "left"`,
        { credential, span },
      );
      const { at, left } = row ?? { at: 0, left: span };
      return { at, waitMs: Math.max(0, left - span), stepMs, count };
    },

    async pauseLeft(credential) {
      const [row] = await database.query<{ ms: number | null }>(
        `select cast(extract(epoch from ${PAUSE_LEFT}) * 1000 as double precision) as ms
         from :schema:.rate r, ${MOMENT} where credential = :credential`,
        { credential },
      );
      return Math.max(0, row?.ms ?? 0);
    },

    async pause(credential, ms) {
      await database.query(
        `insert into :schema:.rate as r (credential, paused_until, seen_at)
         select :credential, m.now + :ms * interval '1 millisecond', m.now from ${MOMENT}
         on conflict (credential) do update set (next_at, paused_until, seen_at) = (
           select m.now + ${NEXT_LEFT}, m.now + greatest(${PAUSE_LEFT}, :ms * interval '1 millisecond'), m.now
           from ${MOMENT})`,
        { credential, ms },
      );
    },
  };
}
