import { NOTHING_TOLD, type NoticeMemory } from './next-memory.js';
import type { NoticeWay } from '../../core/domain/notice.js';
import type { StateDatabase, Statements } from '../../core/ledger/database/state-database.js';

/**
 * What is remembered of notices, so that each trouble is reported once. `revise` decides under a lock what has begun and
 * what has ended; `takeDue` gives the next message to send, to one process at a time; `noteSent` and `noteFailure` write
 * what became of it. A message that fails is tried again later, each time after twice the wait.
 */

/** Notices sent and still to send, across restarts, hand-overs and CronJobs. */
export type NoticeStore = ReturnType<typeof createNoticeStore>;

const MEMORY = `n.way, n.subject, n.trouble, n.state, n.notice_id as "noticeId", n.since, n.reason, n.help,
  n.changed_at as "changedAt", n.quiet_until as "quietUntil", n.in_doubt as "inDoubt",
  n.about`;

/** Longer than all tries of one delivery. */
const CLAIM_S = 60;
/** A notice is given up after so many tries, but not within a day: a nightly run tries five nights. */
const MOST_ATTEMPTS = 5;

export function createNoticeStore(database: StateDatabase) {
  return {
    /**
     * Replaces the stored memories by the result of `decide`; what it leaves out is deleted. One process at a time.
     * `decide` must be pure. `now`: the state database's time.
     */
    revise: (decide: (memories: readonly NoticeMemory[], now: Date) => readonly NoticeMemory[]) =>
      database.transaction(async (statements) => {
        // Two processes that decide at once would both report the same trouble.
        await statements.query('lock table :schema:.notice in exclusive mode');
        const rows = await statements.query<NoticeMemory>(`select ${MEMORY} from :schema:.notice n`);
        // An earlier version wrote nothing there.
        const before = rows.map((row) => ({ ...row, about: { ...NOTHING_TOLD, ...row.about } }));
        const [clock] = await statements.query<{ now: Date }>('select clock_timestamp() as now');
        const after = decide(before, clock?.now ?? new Date());
        for (const memory of before)
          if (!after.some((kept) => same(kept, memory))) await forget(statements, memory);
        for (const memory of after) if (!before.includes(memory)) await remember(statements, memory);
      }),

    /**
     * A notice to send by this way now, reserved for one minute; null: none. Those that failed most often come last.
     */
    async takeDue(way: NoticeWay) {
      const [row] = await database.query<NoticeMemory>(
        `update :schema:.notice n
         set claimed_until = clock_timestamp() + :seconds * interval '1 second', attempts = n.attempts + 1, in_doubt = true
         from (
           select way, subject, trouble from :schema:.notice
           where way = :way and state in ('begun', 'ended') and coalesce(quiet_until <= clock_timestamp(), true)
             and coalesce(next_attempt_at <= clock_timestamp(), true) and coalesce(claimed_until <= clock_timestamp(), true)
           order by attempts, changed_at limit 1
           for update skip locked
         ) due
         where n.way = due.way and n.subject = due.subject and n.trouble = due.trouble
         returning ${MEMORY}`,
        { way, seconds: CLAIM_S },
      );
      return row ?? null;
    },

    /** It was sent. Does nothing if its state has changed since. */
    async noteSent(noticeId: string) {
      await database.query(
        `update :schema:.notice
         set state = case state when 'begun' then :reported else 'quiet' end, told_at = clock_timestamp(), quiet_until = null,
           changed_at = clock_timestamp(), claimed_until = null, next_attempt_at = null, in_doubt = false
         where notice_id = cast(:noticeId as uuid) and state in ('begun', 'ended')`,
        { noticeId, reported: 'told' },
      );
    },

    /**
     * It was not sent. It is due again after a pause that grows to an hour, and given up after five tries and a day.
     * `inDoubt`: the receiver may have it. Gives whether it was given up.
     */
    async noteFailure(noticeId: string, { inDoubt }: { readonly inDoubt: boolean }) {
      const [row] = await database.query<{ state: string }>(
        `update :schema:.notice n
         set claimed_until = null, in_doubt = :inDoubt,
           next_attempt_at = clock_timestamp() + least(interval '30 seconds' * power(2, least(n.attempts, 10) - 1), interval '1 hour'),
           state = case when not g.up then n.state when n.state = 'begun' then 'unheard' else 'quiet' end
         from (
           select notice_id, attempts >= :most and changed_at < clock_timestamp() - interval '1 day' as up
           from :schema:.notice
         ) g
         where g.notice_id = n.notice_id and n.notice_id = cast(:noticeId as uuid) and n.state in ('begun', 'ended')
         returning n.state`,
        { noticeId, inDoubt, most: MOST_ATTEMPTS },
      );
      return row?.state === 'unheard' || row?.state === 'quiet';
    },
  };
}

function same(one: NoticeMemory, other: NoticeMemory): boolean {
  return one.way === other.way && one.subject === other.subject && one.trouble === other.trouble;
}

async function forget(statements: Statements, { way, subject, trouble }: NoticeMemory): Promise<void> {
  await statements.query(
    'delete from :schema:.notice where way = :way and subject = :subject and trouble = :trouble',
    { way, subject, trouble },
  );
}

/** A new state begins with no attempts. */
async function remember(statements: Statements, memory: NoticeMemory): Promise<void> {
  await statements.query(
    `insert into :schema:.notice
       (way, subject, trouble, state, notice_id, since, reason, help, changed_at, quiet_until, in_doubt, about)
     values (:way, :subject, :trouble, :state, cast(:noticeId as uuid), :since, :reason, :help, :changedAt, :quietUntil, :inDoubt, cast(:about as jsonb))
     on conflict (way, subject, trouble) do update
     set state = excluded.state, notice_id = excluded.notice_id, since = excluded.since, reason = excluded.reason,
       help = excluded.help, changed_at = excluded.changed_at, quiet_until = excluded.quiet_until, in_doubt = excluded.in_doubt, about = excluded.about,
       attempts = 0, next_attempt_at = null, claimed_until = null`,
    { ...memory, about: JSON.stringify(memory.about) },
  );
}
