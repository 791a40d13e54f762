import type { LearnedRate } from '../domain/learned-rate.js';
import type { SharedPause, SharedRates } from '../ports/tenants.js';
import type { StateDatabase } from './database/state-database.js';

/**
 * The rate of a credential that all tenants of a fleet share, whichever replica runs them. A run reserves the next few slots
 * of its credential (`reserve`) and sends at their moments. When the platform asks for a pause, `pause` moves the slots of
 * everybody behind it.
 */

/**
 * Time between two slots, in seconds divided by the rate: 50 ms of a second are left for requests that leave or arrive
 * later than others.
 */
const STEP_MS = 1_050;

/** SQL: the step of a row in milliseconds: at the setting, or at the rate that was learned below it. */
const STEP = `(${STEP_MS} / least(cast(:rate as double precision), cast(r.learned ->> 'perSecond' as double precision)))`;

/**
 * SQL: what is left until a time of the row. A clock that was set back is earlier than at the last change; then the time
 * that passed since is not known, and counts as none.
 */
const NEXT_LEFT = '(r.next_at - greatest(r.seen_at, m.now))';
const PAUSE_LEFT = '(r.paused_until - greatest(r.seen_at, m.now))';

/**
 * Slots that may be handed out and not yet used: a run reserves five at most, and no fleet has a thousand runs at a time.
 */
const MOST_AHEAD = 5_000;

/**
 * SQL: the next slot is further ahead than all runs together could reserve, beyond a pause that stands. Somebody else wrote
 * it, or a clock that was wrong; without a correction nothing would be sent until then.
 */
const IS_TOO_FAR = `coalesce(${NEXT_LEFT} > greatest(${PAUSE_LEFT}, interval '0') + ${MOST_AHEAD} * ${STEP} * interval '1 millisecond', false)`;

/**
 * SQL: the moment of a change, read once, after the wait for the row. Read twice in a statement, the time between would be
 * missing between two slots, and on a busy server that is milliseconds.
 */
const MOMENT = '(select clock_timestamp() as now) m';

/**
 * The table of rates in the fleet's schema. Every change is one statement, which waits for the others at the row.
 *
 * @param onCorrected called when a slot was further ahead than is possible, and slots begin at once again
 */
export function createSharedRates(
  database: StateDatabase,
  onCorrected: (credential: string) => void = () => undefined,
): SharedRates {
  return {
    async now() {
      const [row] = await database.query<{ at: number }>(
        'select cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as at',
      );
      return row?.at ?? NaN;
    },

    async reserve(credential, ratePerSecond, count, leadMs = 0) {
      const [row] = await database.query<{
        at: number;
        left: number;
        corrected: boolean;
        learned: LearnedRate | null;
      }>(
        `with before as (
           select ${IS_TOO_FAR} as far from :schema:.rate r, ${MOMENT} where credential = :credential)
         insert into :schema:.rate as r (credential, next_at, seen_at)
         select :credential, m.now + (cast(:lead as double precision) + :span) * interval '1 millisecond', m.now from ${MOMENT}
         on conflict (credential) do update set (next_at, paused_until, seen_at) = (
           select m.now + greatest(case when not ${IS_TOO_FAR} then ${NEXT_LEFT} end, ${PAUSE_LEFT},
               cast(:lead as double precision) * interval '1 millisecond')
               + :count * ${STEP} * interval '1 millisecond',
             m.now + ${PAUSE_LEFT}, m.now
           from ${MOMENT})
         returning cast(extract(epoch from seen_at) * 1000 as double precision) as at,
           cast(extract(epoch from next_at - seen_at) * 1000 as double precision) as "left",
           coalesce((select far from before), false) as corrected, learned`,
        { credential, count, rate: ratePerSecond, span: (count * STEP_MS) / ratePerSecond, lead: leadMs },
      );
      const { at, left, corrected, learned } = row ?? { at: 0, left: 0, corrected: false, learned: null };
      const stepMs = STEP_MS / Math.min(ratePerSecond, learned?.perSecond ?? ratePerSecond);
      if (corrected) onCorrected(credential);
      return { at, waitMs: Math.max(0, left - count * stepMs), stepMs, count, learned };
    },

    learn: (credential, change) =>
      database.transaction(async (statements) => {
        // The lock of the row, also of one that is not there yet.
        const [row] = await statements.query<{ now: number; learned: LearnedRate | null }>(
          `insert into :schema:.rate as r (credential, seen_at) select :credential, m.now from ${MOMENT}
           on conflict (credential) do update set credential = excluded.credential
           returning cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as now, learned`,
          { credential },
        );
        const known = row?.learned ?? null;
        const learned = change(known, row?.now ?? 0);
        if (learned !== known)
          await statements.query(
            'update :schema:.rate set learned = cast(:learned as jsonb) where credential = :credential',
            { credential, learned: learned && JSON.stringify(learned) },
          );
        return learned;
      }),

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

    async pauses() {
      return await database.query<SharedPause>(
        `select credential, m.now + ${PAUSE_LEFT} as until
         from :schema:.rate r, ${MOMENT} where ${PAUSE_LEFT} > interval '0' order by credential`,
      );
    },

    async endPause(credential) {
      // Slots that were handed out during the pause lie behind it.
      const ended = await database.query(
        `update :schema:.rate r set paused_until = null, next_at = null, seen_at = m.now from ${MOMENT}
         where credential = :credential and ${PAUSE_LEFT} > interval '0' returning credential`,
        { credential },
      );
      return ended.length > 0;
    },
  };
}
