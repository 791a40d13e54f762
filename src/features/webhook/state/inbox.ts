import { SyncError } from '../../../core/domain/errors.js';
import type { Keep } from '../../../core/domain/keep.js';
import type { RefusedWebhooks } from '../../../core/domain/trouble/trouble.js';
import {
  inBatches,
  type StateDatabase,
  type Statements,
} from '../../../core/ledger/database/state-database.js';
import { cutDown, cutDownStored } from './keep-applications.js';
import { rereadWebhooks, type StoreOne } from './reread-webhooks.js';
import {
  CHANNEL,
  deliveryHash,
  type ReceivedWebhook,
  storeApplication,
  STORED_AS,
  type StoredAs,
  vacancyKeySql,
  withoutValues,
} from './store-application.js';

/**
 * The inbox of job applications. `store` takes one webhook in one transaction: the row with the key of its vacancy
 * (`storeApplication`), then what `webhook.keep` does not want is cut off (`cutDown`). A trigger of the partner on the table runs
 * in between, in the same transaction, so that both are there or none. A webhook that was not stored is noted without anything of the applicant (`noteUnstored`); the platform sends it again. The other
 * functions answer questions of the mapping of application statuses and of the dashboard.
 */

/** How many webhooks are stored. */
export interface InboxCounts {
  readonly total: number;
  readonly lastDay: number;
  readonly lastWeek: number;
  /** Of all: in no known layout of a new application. */
  readonly unrecognised: number;
  /** Of all: for a vacancy that the ledger does not have. */
  readonly withoutVacancy: number;
  readonly lastReceivedAt: Date | null;
}

/** A stored webhook as lists show it: nothing of the applicant. */
export interface ListedApplication {
  /** Number of its row; later ones are larger. */
  readonly id: string;
  readonly receivedAt: Date;
  readonly layout: string;
  /** Null: it names none, or the ledger does not have it. */
  readonly vacancyKey: string | null;
  /** 1; of an application that came again with other data 2 and so on. */
  readonly version: number;
}

/** An authentic webhook that the database refused to store, and that did not come again since. */
export interface UnstoredWebhook {
  readonly layout: string;
  readonly vacancyKey: string | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly attempts: number;
  /** In English, without personal data. */
  readonly reason: string;
}

/** Webhooks that were refused with none accepted in between; none: no process listened meanwhile. `endedAt`: one was accepted then; null: none was since. */
export interface Refusals extends Pick<RefusedWebhooks, 'count' | 'since' | 'lastAt'> {
  readonly endedAt: Date | null;
}

/** Webhooks that were refused for one reason. */
export type RefusedCount = Pick<RefusedWebhooks, 'reason' | 'count' | 'offsetMs'>;

export type Inbox = ReturnType<typeof createInbox>;

export interface InboxOptions {
  /** `platform.timeZone`, of `applied_at`. */
  readonly timeZone: string;
  /** `webhook.keep`; default: everything. */
  readonly keep?: Keep;
}

/** The default of a state without configuration. */
export const DEFAULT_INBOX: InboxOptions = { timeZone: 'Asia/Jakarta' };

/** The platform waits for the answer and sends again: a refusal in time is better than a success too late. */
const STORE_LIMITS = `select set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true)`;

/** Rows that one statement deletes: short transactions, so that webhooks do not wait. */
const BATCH_SIZE = 5_000;

export function createInbox(database: StateDatabase, options: InboxOptions = DEFAULT_INBOX) {
  const { timeZone, keep = 'body' } = options;

  const storeOne: StoreOne = async (statements, webhook) => {
    const version = await storeApplication(statements, webhook, timeZone);
    if (version === null) return 'repeat';
    const { applicationId } = webhook.application;
    if (applicationId !== null) await cutDown(statements, applicationId, keep);
    await statements.query('delete from :schema:.unstored_webhook where webhook = :name', {
      name: nameOf(webhook),
    });
    return version === 1 ? 'stored' : 'changed';
  };

  return {
    /**
     * Stores each of one request, finds the vacancy's key and notifies, all in one
     * transaction that is committed when this resolves. Of several the most counts. `repeat`: all are already stored, so nothing
     * was done. A repeat is the same application id with the same data in a layout of a new application; of anything else an
     * equal Request-Id with an equal body.
     * Errors: SyncError `state-unavailable`, `state-failed`; then nothing was stored.
     */
    async store(...webhooks: readonly ReceivedWebhook[]): Promise<StoredAs> {
      try {
        return await database.transaction(async (statements) => {
          await statements.query(STORE_LIMITS);
          const became: StoredAs[] = [];
          for (const webhook of webhooks) became.push(await storeOne(statements, webhook));
          return STORED_AS.find((each) => became.includes(each)) ?? 'repeat';
        });
      } catch (thrown) {
        const error = withoutValues(thrown);
        for (const webhook of webhooks) await noteUnstored(database, webhook, error);
        throw error;
      }
    },

    reread: () =>
      rereadWebhooks(database, async (statements, webhook) => {
        await statements.query(STORE_LIMITS);
        return storeOne(statements, webhook);
      }),

    /**
     * Looks up vacancies that were not in the ledger when their application arrived, and notifies again for each that is
     * found now. Gives their number. Call it after a push; more calls do no harm.
     */
    async resolveVacancyKeys() {
      const found = await database.query(
        `with unresolved as materialized (
           select id, ${vacancyKeySql('cast(a.job_ref as text)')} as key
           from :schema:.job_application a where a.vacancy_key is null and a.job_ref is not null
         ), found as (
           update :schema:.job_application a set vacancy_key = unresolved.key
           from unresolved where a.id = unresolved.id and unresolved.key is not null
           returning a.application_ref
         )
         select pg_notify('${CHANNEL}', application_ref) from found`,
      );
      return found.length;
    },

    /** Those of the ids (UUIDs in any case, or digits) that are stored, in lower case. */
    async knownApplications(applicationIds: readonly string[]) {
      if (applicationIds.length === 0) return new Set<string>();
      const rows = await database.query<{ id: string }>(
        `select distinct application_ref as id from :schema:.job_application
         where application_ref = any(cast(:ids as text[]))`,
        { ids: applicationIds.map((id) => id.toLowerCase()) },
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** The latest first; `before`: the number of the one before the first of them, null: from the latest on. */
    page: ({ before, limit }: { readonly before: string | null; readonly limit: number }) =>
      database.query<ListedApplication>(
        `select cast(a.id as text) as id, received_at as "receivedAt", layout, vacancy_key as "vacancyKey",
           version
         from :schema:.job_application a ${before === null ? '' : 'where a.id < cast(:before as bigint)'}
         order by a.id desc limit :limit`,
        { before, limit },
      ),

    /**
     * Counts webhooks that were refused, the latest last. `accepted`: one was accepted before them, so earlier ones are
     * past.
     */
    async noteReceipts(receipts: { readonly accepted: boolean; readonly refused: readonly RefusedCount[] }) {
      const { accepted, refused } = receipts;
      if (accepted)
        await database.query(
          'update :schema:.refused_webhook set ended_at = clock_timestamp() where ended_at is null',
        );
      if (refused.length === 0) return;
      await database.query(
        `insert into :schema:.refused_webhook as r (reason, refused, offset_ms)
         select * from unnest(cast(:reasons as text[]), cast(:counts as bigint[]), cast(:offsets as double precision[]))
         on conflict (reason) where ended_at is null do update
         set refused = r.refused + excluded.refused, last_at = excluded.last_at, offset_ms = excluded.offset_ms`,
        {
          reasons: refused.map(({ reason }) => reason),
          counts: refused.map(({ count }) => count),
          offsets: refused.map(({ offsetMs }) => offsetMs),
        },
      );
    },

    /** Null: none was refused since one was accepted. */
    async refused() {
      const [latest] = await database.query<RefusedWebhooks>(
        `select cast(sum(refused) over () as double precision) as count, min(first_at) over () as since,
           last_at as "lastAt", reason, offset_ms as "offsetMs"
         from :schema:.refused_webhook where ended_at is null order by last_at desc limit 1`,
      );
      return latest ?? null;
    },

    /** Notes for how long no process held a lease, when one begins to listen: nobody answered what came meanwhile. */
    async noteSilence() {
      await database.query(
        `insert into :schema:.refused_webhook (reason, refused, first_at, ended_at)
         select 'silence', 0, max(expires_at), clock_timestamp() from :schema:.lease where expires_at > '-infinity'
         having max(expires_at) < clock_timestamp() - interval '1 minute'`,
      );
    },

    /** As long as the journal is kept; the latest first. */
    refusals: (limit: number) =>
      database.query<Refusals>(
        `select cast(sum(refused) as double precision) as count, min(first_at) as since, max(last_at) as "lastAt",
           ended_at as "endedAt"
         from :schema:.refused_webhook group by ended_at order by ended_at desc nulls first limit :limit`,
        { limit },
      ),

    /** The latest first. */
    unstored: (limit: number) =>
      database.query<UnstoredWebhook>(
        `select layout, vacancy_key as "vacancyKey", first_at as "firstAt", last_at as "lastAt", attempts, reason
         from :schema:.unstored_webhook order by last_at desc, webhook limit :limit`,
        { limit },
      ),

    /** Numbers only. */
    async counts() {
      const [counts] = await database.query<InboxCounts>(
        `select cast(count(*) as integer) as total,
           cast(count(*) filter (where received_at > now() - interval '1 day') as integer) as "lastDay",
           cast(count(*) filter (where received_at > now() - interval '7 days') as integer) as "lastWeek",
           cast(count(*) filter (where application_ref is null) as integer) as unrecognised,
           cast(count(*) filter (where vacancy_key is null and job_ref is not null) as integer) as "withoutVacancy",
           max(received_at) as "lastReceivedAt"
         from :schema:.job_application`,
      );
      if (!counts) throw new TypeError('An aggregate gave no row.');
      return counts;
    },

    /**
     * Deletes what was received longer ago than this, and cuts all other applications down to what the configuration keeps.
     * What was refused stays for `journalMs`. Gives the count of the deleted.
     */
    async prune(retentionMs: number, journalMs = retentionMs) {
      await database.query(
        `delete from :schema:.unstored_webhook where last_at < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
      await database.query(
        `delete from :schema:.refused_webhook where last_at < now() - :retention * interval '1 millisecond'`,
        { retention: journalMs },
      );
      const gone = await inBatches(BATCH_SIZE, async () => {
        const batch = await database.query(
          `delete from :schema:.job_application where id in (
             select id from :schema:.job_application
             where received_at < now() - :retention * interval '1 millisecond' limit ${BATCH_SIZE}
           ) returning 1`,
          { retention: retentionMs },
        );
        return batch.length;
      });
      await cutDownStored(database, keep, BATCH_SIZE);
      return gone;
    },
  };
}

/** The same webhook has the same name when it comes again; it has nothing of the applicant. */
function nameOf(webhook: ReceivedWebhook): string {
  return webhook.application.applicationId ?? deliveryHash(webhook);
}

/** Longest reason that is kept, characters. */
const LONGEST = 500;

/**
 * Notes that the database refused to store a webhook, so that people see what is missing. Does nothing when the database
 * cannot be reached or refuses this too: the log has it, and the sender must not wait longer. `error`: without values of
 * the applicant.
 */
async function noteUnstored(statements: Statements, webhook: ReceivedWebhook, error: unknown): Promise<void> {
  if (!(error instanceof SyncError) || error.code !== 'state-failed') return;
  const { layout, jobId } = webhook.application;
  await statements
    .query(
      `insert into :schema:.unstored_webhook as u (webhook, layout, vacancy_key, reason)
       values (:name, :layout, ${vacancyKeySql('cast(:jobId as text)')}, :reason)
       on conflict (webhook) do update set last_at = excluded.last_at, attempts = u.attempts + 1, reason = excluded.reason`,
      { name: nameOf(webhook), layout, jobId, reason: error.message.slice(0, LONGEST) },
    )
    .catch(() => undefined);
}
