import type { LearnedRate } from '../../../core/domain/learned-rate.js';
import type { StateDatabase } from '../../../core/ledger/database/state-database.js';

/**
 * The rate of a credential that all tenants of a fleet share, whichever replica runs them.
 *
 * It has as many places as requests may come in a second. A place that is handed out counts as used at the last moment at
 * which its holder may send. With its next statement the holder says when it has sent, and from then on that moment counts.
 * So two requests of one place are a second apart, a late one costs no more than its delay, and a place whose holder was
 * killed comes back by itself.
 *
 * Who asks gets the places that are free first, if they are free soon. Where there are none, it gets a turn: a moment at which
 * to ask again, behind all that wait already.
 */

/** Who takes a place should send within this time, milliseconds; then it may become somebody else's. */
export const HELD_MS = 1_000;

/** A place in a rate that several processes share: from `at` on, one request may be sent in it. */
export interface SharedPlace {
  readonly index: number;
  /** Another one at each reservation of the place. */
  readonly stamp: number;
  /** By the database's clock, milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A place that a process gives back. */
export interface UsedPlace extends SharedPlace {
  /** When its request was sent, by the database's clock, milliseconds since the Unix epoch; null: nothing was sent. */
  readonly usedAt: number | null;
}

interface ReserveOptions {
  readonly used?: readonly UsedPlace[];
  /** No place is sooner, because the answer would come too late for it; default 0. */
  readonly leadMs?: number;
  /** The turn that the caller was given before. It may also ask sooner: places may have become free. */
  readonly turnAt?: number | null;
}

interface SharedPlaces {
  /** The database's clock at its answer, milliseconds since the Unix epoch. */
  readonly at: number;
  /** Ascending by their time. None: ask again after `waitMs`. */
  readonly places: readonly SharedPlace[];
  readonly waitMs: number;
  /** The turn for which to wait, by the database's clock. Null: there are places, or the platform asked for the wait. */
  readonly turnAt: number | null;
  /** So many used places had become somebody else's before: as many others must stay empty. */
  readonly lost: number;
  /** What all that share the rate have learned; null: nothing speaks against the setting. */
  readonly learned: LearnedRate | null;
}

/** A wait that the platform asked for. */
export interface SharedPause {
  readonly credential: string;
  readonly until: Date;
}

interface RateClaim {
  readonly credential: string;
  readonly perSecond: number | null;
  /** Of the ids of its records. */
  readonly namespace: string;
}

export interface AnsweredClaim {
  readonly credential: string;
  readonly perSecond: number | null;
  readonly twin: string | null;
}

/**
 * One row for each credential. A rate has as many places as requests may come in a second. Each is handed out for one request,
 * and again a second after that was sent. The database's clock counts.
 */
export type SharedRates = ReturnType<typeof createSharedRates>;

/** From one request of a place to the next, milliseconds: one of two requests may be so much longer on its way than the other. */
const SECOND_MS = 1_000 + 30;
/** A place is handed out so long before it is free, milliseconds: enough for the way to the database, little for a pause. */
const AHEAD_MS = 250;
/**
 * Moments that are handed out lie apart by this, milliseconds divided by the rate: what was held up does not come at once. At a
 * rate that was learned they lie more evenly, because not every platform takes a second's requests at once, and at one that the
 * platform announces they lie evenly, because it may count over several seconds.
 */
const APART_MS = 600;
const LEARNED_APART_MS = 800;
const ANNOUNCED_APART_MS = 1_000;
/** A rate has no more places; of a higher one each is used several times a second. */
const MOST_PLACES = 1_000;
/**
 * Who has its turn and finds nothing asks again so soon, milliseconds: others have not said yet when they have sent. Up to as
 * much is added to each wait, so that of several that come in the same moment it is not always the same one that is first.
 */
const AGAIN_MS = 20;
/** A place that goes back unused is free so much later, milliseconds: so its next stamp is another one. */
const LATER_MS = 0.001;
/** No place is further ahead than this, milliseconds; a holder's way to the database counts as a second at most. */
const MOST_AHEAD_MS = AHEAD_MS + 1_000;
/** No turn is further ahead than that of the thousandth process that waits, milliseconds divided by the rate. */
const MOST_TURNS_MS = 1_000_000;

/** SQL: a time as milliseconds since the epoch. */
const milliseconds = (time: string): string => `cast(extract(epoch from ${time}) * 1000 as double precision)`;

const CLOCK_MS = milliseconds('clock_timestamp()');
const NOW_MS = milliseconds('m.now');
const SEEN_MS = milliseconds('r.seen_at');
const PAUSED_MS = milliseconds('paused');

/**
 * SQL: what is left of the pause. A clock that was set back is earlier than at the last change; then the time that passed since
 * is not known, and counts as none.
 */
const PAUSE_LEFT = '(r.paused_until - greatest(r.seen_at, m.now))';
const PAUSE_LEFT_MS = milliseconds(PAUSE_LEFT);

/** SQL: by how much the clock was set back since the last change, milliseconds, at most 0: all times of the row move with it. */
const SET_BACK = `least(0, ${NOW_MS} - ${SEEN_MS})`;

/**
 * SQL: the moment of a change, read once, after the wait for the row. Read twice in a statement, the time between would be
 * missing, and on a busy server that is milliseconds.
 */
const MOMENT = '(select clock_timestamp() as now) m';

/**
 * SQL: what a reservation makes of the row.
 * - `moment`: the clock, the size of the rate now, and the times of the row; no time is further ahead than is possible, whoever
 *   wrote it. `cycle`: from one request of a place to the next.
 * - `said`: what is given back. `place`: when each is free, counting that.
 * - `soon`: when a place that nobody takes is there for all (`idle`), and when the next is likely to be in sight (`next`).
 * - `taken`: what the caller gets, with the moments at which to send. `turn`: the turn of one who gets nothing, and when to ask
 *   again. As long as somebody with a turn of the past waits, who asks later has a later one.
 */
const RESERVED = `(
  with moment as (
    select now, ms, back, per_second, size, ${SECOND_MS} * size / per_second as cycle, lead, count, lead + ${AHEAD_MS} as ahead,
      case when size = 1 then 0 when r.learned ->> 'announced' is not null then ${ANNOUNCED_APART_MS}
        when r.learned is not null then ${LEARNED_APART_MS} else ${APART_MS} end / per_second as apart,
      least(coalesce(r.last_at + back, 0), ms + ${MOST_AHEAD_MS}) as last_at, last_turn,
      case when turn is not null then least(turn, last_turn) end as own_turn,
      greatest(paused, interval '0') as paused
    from (
      select now, ms, back, paused, lead, count, turn, per_second,
        least(coalesce(r.turn_at + back, 0), ms + ${MOST_TURNS_MS} / per_second) as last_turn,
        cast(case when per_second <= ${MOST_PLACES} then ceil(per_second)
          else floor(per_second / ceil(per_second / ${MOST_PLACES})) end as integer) as size
      from (
        select m.now, ${NOW_MS} as ms, ${SET_BACK} as back, ${PAUSE_LEFT} as paused,
          cast(:lead as double precision) as lead, cast(:count as integer) as count, cast(:turn as double precision) as turn,
          least(cast(:rate as double precision), cast(r.learned ->> 'perSecond' as double precision)) as per_second
        from ${MOMENT}) a) b),
  said as (
    select cast(given ->> 0 as integer) as index, cast(given ->> 1 as double precision) as stamp,
      cast(given ->> 2 as double precision) as used, cast(given ->> 3 as double precision) as at
    from jsonb_array_elements(cast(:used as jsonb)) given),
  place as (
    select index, used, free, case when index <= size then row_number() over (order by index > size, free, index) end as rank
    from (
      select i as index, used, size, least(coalesce(used + cycle, at + ${LATER_MS}, r.places[i] + back, 0),
        ms + cycle + ${MOST_AHEAD_MS} + ${HELD_MS}) as free
      from moment cross join generate_series(1, greatest(size, cardinality(r.places))) i
      left join said on said.index = i and said.stamp = r.places[i]) p),
  soon as (
    select greatest(min(free), min(last_at + apart)) as idle,
      greatest(min(case when free > ms + cycle then free - ${HELD_MS} else free end), min(last_at + apart)) - min(ahead) as next
    from place cross join moment where rank is not null),
  taken as (
    select index, at, at + ${HELD_MS} + cycle as stamp, at - lead as spaced_at from (
      select index, ms, ahead, cycle, lead, greatest(greatest(ms, last_at + apart) + lead + (rank - 1) * apart,
        max(free - rank * apart) over (order by rank) + rank * apart) as at
      from place cross join moment cross join soon
      where rank <= count and paused = interval '0' and (own_turn <= ms or last_turn <= ms or idle <= ms)) t
    where at <= ms + ahead),
  turn as (
    select turn, case when turn > ms then least(turn, idle) else greatest(next, ms + ${AGAIN_MS}) end as again
    from (
      select ms, idle, next, case when count > 0 and paused = interval '0' and not exists (select from taken)
        then coalesce(own_turn, greatest(last_turn + count * 1000 / per_second, next, ms)) end as turn
      from moment cross join soon) t)
  select
    (select array_agg(coalesce(stamp, free) order by index) from place left join taken using (index)),
    greatest(last_at, (select max(spaced_at) from taken)),
    greatest(last_turn, turn, case when turn <= ms then again end),
    now + nullif(paused, interval '0'),
    now,
    jsonb_build_object(
      'turnAt', turn,
      'waitMs', case when turn is null then ${PAUSED_MS} else greatest(again - ms, ${AGAIN_MS}) + random() * ${AGAIN_MS} end,
      'lost', (select count(used) from said) - (select count(used) from place),
      'places', (select coalesce(jsonb_agg(jsonb_build_object('index', index, 'at', at, 'stamp', stamp) order by at), '[]')
        from taken))
  from moment cross join turn)`;

/** What the column `answer` holds. */
type Answer = Omit<SharedPlaces, 'at' | 'learned'>;

/** The table of rates in the fleet's schema. Every change is one statement, which waits for the others at the row. */
export function createSharedRates(database: StateDatabase) {
  return {
    /** The database's clock, milliseconds since the Unix epoch. */
    async now() {
      const [row] = await database.query<{ at: number }>(`select ${CLOCK_MS} as at`);
      return row?.at ?? NaN;
    },

    /**
     * Gives back the `used` places of this credential, and takes up to `count` others. `ratePerSecond`: requests in any sliding
     * second, unless fewer were learned.
     */
    async reserve(
      credential: string,
      ratePerSecond: number,
      count: number,
      { used = [], leadMs = 0, turnAt = null }: ReserveOptions = {},
    ): Promise<SharedPlaces> {
      const given = used.map(({ index, stamp, usedAt, at }) => [index, stamp, usedAt, at]);
      for (;;) {
        const [row] = await database.query<{
          at: number;
          answer: Answer | null;
          learned: LearnedRate | null;
        }>(
          `insert into :schema:.rate as r (credential, seen_at) select :credential, m.now from ${MOMENT}
           on conflict (credential) do update set (places, last_at, turn_at, paused_until, seen_at, answer) = ${RESERVED}
           returning ${SEEN_MS} as at, answer, learned`,
          {
            ...{ credential, count, rate: ratePerSecond, lead: leadMs, turn: turnAt },
            used: JSON.stringify(given),
          },
        );
        // There was no row yet.
        if (!row?.answer) continue;
        return { at: row.at, learned: row.learned, ...row.answer };
      }
    },

    /**
     * Changes what all that share the rate have learned, and gives it. `change` gets the database's clock, milliseconds since
     * the Unix epoch. Nobody else changes it meanwhile.
     */
    learn: (credential: string, change: (known: LearnedRate | null, now: number) => LearnedRate | null) =>
      database.transaction(async (statements) => {
        // The lock of the row, also of one that is not there yet.
        const [row] = await statements.query<{ now: number; learned: LearnedRate | null }>(
          `insert into :schema:.rate as r (credential, seen_at) select :credential, m.now from ${MOMENT}
           on conflict (credential) do update set credential = excluded.credential
           returning ${CLOCK_MS} as now, learned`,
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

    /**
     * Notes what a tenant says of itself, and gives for each of its credentials the least rate of all tenants that have it (null:
     * none is said), and the tenant that has the same namespace with it and was there before; null: none.
     */
    async claim(tenant: string, claims: readonly RateClaim[]) {
      const text = JSON.stringify(claims);
      await database.query(
        `update :schema:.tenant set claims = cast(:text as jsonb)
         where name = :tenant and claims <> cast(:text as jsonb)`,
        { tenant, text },
      );
      return await database.query<AnsweredClaim>(
        `select mine ->> 'credential' as credential, min(cast(c ->> 'perSecond' as double precision)) as "perSecond",
           min(t.name) filter (where c ->> 'namespace' = mine ->> 'namespace'
             and (t.added_at, t.name) < (own.added_at, own.name)) as twin
         from :schema:.tenant own cross join jsonb_array_elements(own.claims) mine
           cross join :schema:.tenant t cross join jsonb_array_elements(t.claims) c
         where own.name = :tenant and t.removed_at is null and c ->> 'credential' = mine ->> 'credential'
         group by 1`,
        { tenant },
      );
    },

    /** Milliseconds for which the platform asked all to wait; 0: free. */
    async pauseLeft(credential: string) {
      const [row] = await database.query<{ ms: number | null }>(
        `select ${PAUSE_LEFT_MS} as ms from :schema:.rate r, ${MOMENT} where credential = :credential`,
        { credential },
      );
      return Math.max(0, row?.ms ?? 0);
    },

    /** No process sends with this credential before so many milliseconds are over. A longer pause stays. */
    async pause(credential: string, ms: number) {
      await database.query(
        `insert into :schema:.rate as r (credential, paused_until, seen_at)
         select :credential, m.now + :ms * interval '1 millisecond', m.now from ${MOMENT}
         on conflict (credential) do update set (places, last_at, turn_at, paused_until, seen_at) = (
           select array(select free + ${SET_BACK} from unnest(r.places) with ordinality p (free, index) order by index),
             r.last_at + ${SET_BACK}, r.turn_at + ${SET_BACK},
             m.now + greatest(${PAUSE_LEFT}, :ms * interval '1 millisecond'), m.now
           from ${MOMENT})`,
        { credential, ms },
      );
    },

    /** All that stand, by credential. */
    async pauses() {
      return await database.query<SharedPause>(
        `select credential, m.now + ${PAUSE_LEFT} as until
         from :schema:.rate r, ${MOMENT} where ${PAUSE_LEFT} > interval '0' order by credential`,
      );
    },

    /** Those of which anything is known. */
    async credentials() {
      const rows = await database.query<{ credential: string }>(
        'select credential from :schema:.rate order by credential',
      );
      return rows.map(({ credential }) => credential);
    },

    /** Ends its pause, and forgets the rate that was learned. False: there is neither. */
    async endPause(credential: string) {
      const ended = await database.query(
        `update :schema:.rate r set paused_until = null, learned = null from ${MOMENT}
         where credential = :credential and (${PAUSE_LEFT} > interval '0' or learned is not null)
         returning credential`,
        { credential },
      );
      return ended.length > 0;
    },
  };
}
