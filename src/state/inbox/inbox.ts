import type { Inbox, ListedApplication } from '../../ports/inbox.js';
import { partnerStatement } from '../database/partner-statement.js';
import type { StateDatabase } from '../database/state-database.js';
import { CHANNEL, storeApplication } from './store-application.js';
import { forgetUnstored, listUnstored, noteUnstored } from './unstored-webhooks.js';
import { vacancyKeySql } from './vacancy-key-sql.js';
import { withoutValues } from './without-values.js';

export interface InboxOptions {
  /** `webhook.sql`: one statement with parameters by name; null: none. */
  readonly statement: string | null;
  /** `platform.timeZone`, of `applied_at`. */
  readonly timeZone: string;
}

/** The default of a state without configuration. */
export const DEFAULT_INBOX: InboxOptions = { statement: null, timeZone: 'Asia/Jakarta' };

/** The platform waits for the answer and sends again: a refusal in time is better than a success too late. */
const STORE_LIMITS = `select set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true)`;

/** Rows that one statement deletes: short transactions, so that webhooks do not wait. */
const BATCH_SIZE = 5_000;

/** Errors: SyncError `config-invalid` for a statement that cannot be used. */
export function createInbox(database: StateDatabase, options: InboxOptions = DEFAULT_INBOX): Inbox {
  const statement = options.statement === null ? null : partnerStatement(options.statement);

  return {
    async store(webhook) {
      try {
        return await database.transaction(async (statements, verbatim) => {
          await statements.query(STORE_LIMITS);
          const { timeZone } = options;
          const hasStatement = statement !== null;
          const stored = await storeApplication(statements, webhook, { timeZone, hasStatement });
          if (stored === null) return 'repeat';
          // The partner's tables hold applications only; the inbox holds everything.
          if (stored.application_id !== null) await statement?.run(verbatim, stored);
          await forgetUnstored(statements, webhook);
          return 'stored';
        });
      } catch (thrown) {
        const error = withoutValues(thrown);
        await noteUnstored(database, webhook, error);
        throw error;
      }
    },

    async resolveVacancyKeys() {
      const found = await database.query(
        `with unresolved as materialized (
           select id, ${vacancyKeySql('cast(a.job_id as text)')} as key
           from :schema:.job_application a where a.vacancy_key is null and a.job_id is not null
         ), found as (
           update :schema:.job_application a set vacancy_key = unresolved.key
           from unresolved where a.id = unresolved.id and unresolved.key is not null
           returning a.application_id
         )
         select pg_notify('${CHANNEL}', cast(application_id as text)) from found`,
      );
      return found.length;
    },

    async latestApplications(applicants) {
      if (applicants.length === 0) return [];
      const rows = await database.query<{ applicationId: string | null }>(
        `select (
           select cast(a.application_id as text) from :schema:.job_application a
           where a.application_id is not null and a.vacancy_key = asked.vacancy_key and lower(a.email) = lower(asked.email)
           order by coalesce(a.applied_at, a.request_timestamp) desc, a.id desc limit 1
         ) as "applicationId"
         from unnest(cast(:keys as text[]), cast(:emails as text[])) with ordinality asked (vacancy_key, email, place)
         order by place`,
        {
          keys: applicants.map(({ vacancyKey }) => vacancyKey),
          emails: applicants.map(({ email }) => email),
        },
      );
      return rows.map(({ applicationId }) => applicationId);
    },

    async applicantKey(applicationId) {
      const [row] = await database.query<{ key: string | null }>(
        `select vacancy_key || ':' || md5(lower(email)) as key from :schema:.job_application
         where application_id = cast(:applicationId as uuid)`,
        { applicationId },
      );
      return row?.key ?? null;
    },

    async knownApplications(applicationIds) {
      if (applicationIds.length === 0) return new Set();
      const rows = await database.query<{ id: string }>(
        `select cast(application_id as text) as id from :schema:.job_application
         where application_id = any(cast(:ids as uuid[]))`,
        { ids: applicationIds },
      );
      return new Set(rows.map(({ id }) => id));
    },

    async checkStatement() {
      await statement?.check(database);
    },

    page: ({ before, limit }) =>
      database.query<ListedApplication>(
        `select cast(a.id as text) as id, received_at as "receivedAt", layout, vacancy_key as "vacancyKey",
           statement_ran as "statementRan"
         from :schema:.job_application a ${before === null ? '' : 'where a.id < cast(:before as bigint)'}
         order by a.id desc limit :limit`,
        { before, limit },
      ),

    unstored: (limit) => listUnstored(database, limit),

    async counts() {
      const [row] = await database.query<Record<string, string> & { lastReceivedAt: Date | null }>(
        `select count(*) as total, count(*) filter (where received_at > now() - interval '1 day') as "lastDay",
           count(*) filter (where received_at > now() - interval '7 days') as "lastWeek",
           count(*) filter (where application_id is null) as unrecognised,
           count(*) filter (where vacancy_key is null and job_id is not null) as "withoutVacancy",
           max(received_at) as "lastReceivedAt"
         from :schema:.job_application`,
      );
      return {
        total: Number(row?.total ?? 0),
        lastDay: Number(row?.lastDay ?? 0),
        lastWeek: Number(row?.lastWeek ?? 0),
        unrecognised: Number(row?.unrecognised ?? 0),
        withoutVacancy: Number(row?.withoutVacancy ?? 0),
        lastReceivedAt: row?.lastReceivedAt ?? null,
      };
    },

    async prune(retentionMs) {
      await database.query(
        `delete from :schema:.unstored_webhook where last_at < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
      for (let deleted = 0; ;) {
        const batch = await database.query(
          `delete from :schema:.job_application where id in (
             select id from :schema:.job_application
             where received_at < now() - :retention * interval '1 millisecond' limit ${BATCH_SIZE}
           ) returning 1`,
          { retention: retentionMs },
        );
        deleted += batch.length;
        if (batch.length < BATCH_SIZE) return deleted;
      }
    },
  };
}
