import { createHash } from 'node:crypto';
import { APPLIED_TO, bodyText } from '../contract/webhook/read-application.js';
import { SyncError } from '../domain/errors.js';
import type { Keep } from '../domain/inbox/application-parameters.js';
import type { RefusedWebhooks } from '../domain/trouble/trouble.js';
import type {
  Inbox,
  InboxCounts,
  ListedApplication,
  ReceivedWebhook,
  UnstoredWebhook,
} from '../ports/inbox.js';
import { addressHashSql, readAddressPads } from './address-hash.js';
import { inBatches, type StateDatabase, type Statements } from './database/state-database.js';
import { cutDown, cutDownStored } from './keep-applications.js';
import { isOfPerson } from './ledger/status-sql.js';
import { partnerStatement, type StoredApplication } from './partner-statement.js';
import { rereadWebhooks, type StoreOne } from './reread-webhooks.js';

/**
 * The inbox of job applications. `store` takes one webhook in one transaction: the row with the key of its vacancy
 * (`storeApplication`), then the partner's own statement (`partnerStatement`), so that both are there or none, and last what
 * `webhook.keep` does not want is cut off (`cutDown`). A webhook
 * that was not stored is noted without anything of the applicant (`noteUnstored`); the platform sends it again. The other
 * functions answer questions of the mapping of application statuses and of the dashboard.
 */

export interface InboxOptions {
  /** `webhook.sql`: one statement with parameters by name; null: none. */
  readonly statement: string | null;
  /** `platform.timeZone`, of `applied_at`. */
  readonly timeZone: string;
  /** `webhook.keep`; default: everything. */
  readonly keep?: Keep;
}

/** The default of a state without configuration. */
export const DEFAULT_INBOX: InboxOptions = { statement: null, timeZone: 'Asia/Jakarta' };

/** The platform waits for the answer and sends again: a refusal in time is better than a success too late. */
const STORE_LIMITS = `select set_config('statement_timeout', '10s', true), set_config('lock_timeout', '5s', true)`;

/** The channel that the partner's code listens on. The payload is the application id; empty: unrecognised. */
const CHANNEL = 'placement_sync_job_application';

/** Rows that one statement deletes: short transactions, so that webhooks do not wait. */
const BATCH_SIZE = 5_000;

/** Errors: SyncError `config-invalid` for a statement that cannot be used. */
export function createInbox(database: StateDatabase, options: InboxOptions = DEFAULT_INBOX): Inbox {
  const statement = options.statement === null ? null : partnerStatement(options.statement);
  const { keep = 'body' } = options;

  /** False: it is stored already. */
  const storeOne: StoreOne = async (statements, verbatim, webhook) => {
    const { timeZone } = options;
    const hasStatement = statement !== null;
    const stored = await storeApplication(statements, webhook, { timeZone, hasStatement });
    if (stored === null) return false;
    // The partner's tables hold applications only; the inbox holds everything.
    if (stored.application_id !== null) {
      await statement?.run(verbatim, stored);
      await cutDown(statements, stored.application_id, keep);
    }
    await statements.query('delete from :schema:.unstored_webhook where webhook = :name', {
      name: nameOf(webhook),
    });
    return true;
  };

  return {
    async store(...webhooks) {
      try {
        return await database.transaction(async (statements, verbatim) => {
          await statements.query(STORE_LIMITS);
          let result: 'stored' | 'repeat' = 'repeat';
          for (const webhook of webhooks)
            if (await storeOne(statements, verbatim, webhook)) result = 'stored';
          return result;
        });
      } catch (thrown) {
        const error = withoutValues(thrown);
        for (const webhook of webhooks) await noteUnstored(database, webhook, error);
        throw error;
      }
    },

    reread: () =>
      rereadWebhooks(database, async (statements, verbatim, webhook) => {
        await statements.query(STORE_LIMITS);
        return storeOne(statements, verbatim, webhook);
      }),

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
        `with asked as materialized (
           select vacancy_key, email, place, ${addressHashSql('email')} as hash
           from unnest(cast(:keys as text[]), cast(:emails as text[])) with ordinality asked (vacancy_key, email, place)
         )
         select (
           select cast(a.application_id as text) from :schema:.job_application a
           where a.application_id is not null and a.vacancy_key = asked.vacancy_key
             and (lower(a.email) = lower(asked.email) or a.address_hash = asked.hash)
           order by coalesce(a.applied_at, a.request_timestamp) desc, a.id desc limit 1
         ) as "applicationId"
         from asked order by place`,
        {
          keys: applicants.map(({ vacancyKey }) => vacancyKey),
          emails: applicants.map(({ email }) => email),
        },
      );
      return rows.map(({ applicationId }) => applicationId);
    },

    async applicantKey(applicationId) {
      const [row] = await database.query<{ key: string | null }>(
        `select vacancy_key || ':' || coalesce(address_hash, ${addressHashSql('email')}) as key
         from :schema:.job_application
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

    addressPads: () => readAddressPads(database),

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

    async noteReceipts({ accepted, refused }) {
      if (accepted) await database.query('delete from :schema:.refused_webhook');
      if (refused.length === 0) return;
      await database.query(
        `insert into :schema:.refused_webhook as r (reason, refused, offset_ms)
         select * from unnest(cast(:reasons as text[]), cast(:counts as bigint[]), cast(:offsets as double precision[]))
         on conflict (reason) do update
         set refused = r.refused + excluded.refused, last_at = excluded.last_at, offset_ms = excluded.offset_ms`,
        {
          reasons: refused.map(({ reason }) => reason),
          counts: refused.map(({ count }) => count),
          offsets: refused.map(({ offsetMs }) => offsetMs),
        },
      );
    },

    async refused() {
      const [latest] = await database.query<RefusedWebhooks>(
        `select cast(sum(refused) over () as double precision) as count, min(first_at) over () as since,
           last_at as "lastAt", reason, offset_ms as "offsetMs"
         from :schema:.refused_webhook order by last_at desc limit 1`,
      );
      return latest ?? null;
    },

    unstored: (limit) =>
      database.query<UnstoredWebhook>(
        `select layout, vacancy_key as "vacancyKey", first_at as "firstAt", last_at as "lastAt", attempts, reason
         from :schema:.unstored_webhook order by last_at desc, webhook limit :limit`,
        { limit },
      ),

    async counts() {
      const [counts] = await database.query<InboxCounts>(
        `select cast(count(*) as integer) as total,
           cast(count(*) filter (where received_at > now() - interval '1 day') as integer) as "lastDay",
           cast(count(*) filter (where received_at > now() - interval '7 days') as integer) as "lastWeek",
           cast(count(*) filter (where application_id is null) as integer) as unrecognised,
           cast(count(*) filter (where vacancy_key is null and job_id is not null) as integer) as "withoutVacancy",
           max(received_at) as "lastReceivedAt"
         from :schema:.job_application`,
      );
      if (!counts) throw new TypeError('An aggregate gave no row.');
      return counts;
    },

    async prune(retentionMs) {
      await database.query(
        `delete from :schema:.unstored_webhook where last_at < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
      await database.query(
        `delete from :schema:.refused_webhook where last_at < now() - :retention * interval '1 millisecond'`,
        { retention: retentionMs },
      );
      const gone = await inBatches(BATCH_SIZE, async () => {
        const [batch] = await database.query<{ gone: number }>(PRUNE, { retention: retentionMs });
        return batch?.gone ?? 0;
      });
      await cutDownStored(database, {
        keep,
        hasStatement: statement !== null,
        batchSize: BATCH_SIZE,
      });
      return gone;
    },
  };
}

/**
 * SQL: deletes a batch of old applications, and notes in the ledger which address the status of one belongs to, unless its
 * key says it: nothing else leads from an address to it afterwards.
 */
const PRUNE = `
  with gone as (
    delete from :schema:.job_application where id in (
      select id from :schema:.job_application
      where received_at < now() - :retention * interval '1 millisecond' limit ${BATCH_SIZE}
    ) returning application_id, email, address_hash
  ), noted as (
    update :schema:.sync_state s set address_hash = coalesce(gone.address_hash, ${addressHashSql('gone.email')})
    from gone where ${isOfPerson('s')} and s.platform_id = gone.application_id and s.key !~ ':[0-9a-f]{64}$'
    returning 1
  )
  select cast(count(*) as integer) as gone, (select count(*) from noted) as noted from gone`;

/** The columns that the database adds. */
interface Inserted {
  readonly vacancy_key: string | null;
  readonly applied_at: string | null;
  readonly request_timestamp: string;
  readonly received_at: string;
}

const INSERT = `
  insert into :schema:.job_application (
    layout, application_id, job_id, job_title, vacancy_key, name, email, phone, gender, birth_date, birth_place, age,
    province, city, applied_at, skills, experiences, trainings, educations, certifications, achievements, languages,
    request_id, request_timestamp, body, body_bytes, delivery_hash, statement_ran, received_at
  ) values (
    :layout, cast(:application_id as uuid), cast(:job_id as uuid), :job_title, ${vacancyKeySql('cast(:job_id as text)')},
    :name, :email, :phone, :gender, cast(:birth_date as date), :birth_place, cast(:age as smallint),
    :province, :city, cast(:applied_at as timestamp) at time zone :time_zone, cast(:skills as jsonb),
    cast(:experiences as jsonb), cast(:trainings as jsonb), cast(:educations as jsonb), cast(:certifications as jsonb),
    cast(:achievements as jsonb), cast(:languages as jsonb), :request_id,
    to_timestamp(cast(:request_ms as double precision) / 1000), :body, cast(:body_bytes as bytea), :delivery_hash,
    cast(:statement_ran as boolean), coalesce(cast(:received_at as timestamptz), clock_timestamp())
  )
  on conflict do nothing
  returning vacancy_key, cast(applied_at as text) as applied_at, cast(request_timestamp as text) as request_timestamp,
    cast(received_at as text) as received_at`;

/**
 * SQL of the key of the vacancy that an event's job id (a UUID in lower case) names: first as the platform's own id
 * of it, then as its reference, then as the platform id in the path of its Put, because the interface says only that it
 * is the job's. Null when the ledger knows none of them.
 *
 * @param jobId an SQL expression of type text
 */
function vacancyKeySql(jobId: string): string {
  const keyBy = (column: string): string =>
    `(select key from :schema:.sync_state where entity = '${APPLIED_TO.name}' and lower(${column}) = ${jobId}
      order by vanished_at is not null, key limit 1)`;
  // At most one record has a platform id.
  const keyByPath = `(select key from :schema:.sync_state
      where entity = '${APPLIED_TO.name}' and platform_id = cast(${jobId} as uuid))`;
  return `coalesce(${keyBy('remote_id')}, ${keyBy('reference')}, ${keyByPath})`;
}

/**
 * Inserts it and notifies; null: it is already stored. A second sender of the same application waits for the end of
 * this transaction.
 * @param options.timeZone of `applied_at`, which the platform sends as local time
 * @param options.hasStatement the partner's statement runs in this transaction, with each recognised application
 */
async function storeApplication(
  statements: Statements,
  webhook: ReceivedWebhook,
  { timeZone, hasStatement }: { readonly timeZone: string; readonly hasStatement: boolean },
): Promise<StoredApplication | null> {
  const { application } = webhook;
  const body = bodyText(webhook.body);
  const sent = {
    application_id: application.applicationId,
    layout: application.layout,
    job_id: application.jobId,
    job_title: application.jobTitle,
    name: application.name,
    email: application.email,
    phone: application.phone,
    gender: application.gender,
    birth_date: application.birthDate,
    birth_place: application.birthPlace,
    age: application.age === null ? null : String(application.age),
    province: application.province,
    city: application.city,
    skills: JSON.stringify(application.skills),
    experiences: JSON.stringify(application.experiences),
    trainings: JSON.stringify(application.trainings),
    educations: JSON.stringify(application.educations),
    certifications: JSON.stringify(application.certifications),
    achievements: JSON.stringify(application.achievements),
    languages: JSON.stringify(application.languages),
    request_id: webhook.requestId,
    body,
  };
  const [inserted] = await statements.query<Inserted>(INSERT, {
    ...sent,
    applied_at: application.appliedAt,
    time_zone: timeZone,
    request_ms: webhook.requestTimestampMs,
    body_bytes: Buffer.from(body, 'utf8').equals(webhook.body) ? null : Buffer.from(webhook.body),
    delivery_hash: deliveryHash(webhook),
    statement_ran: hasStatement && application.applicationId !== null,
    received_at: webhook.receivedAt?.toISOString() ?? null,
  });
  if (inserted === undefined) return null;
  await statements.query(`select pg_notify('${CHANNEL}', :payload)`, { payload: sent.application_id ?? '' });
  return { ...sent, ...inserted };
}

/** Names a delivery by Request-Id and body. No header holds a line feed, so no other pair has the same text. */
function deliveryHash({ requestId, body }: ReceivedWebhook): string {
  return createHash('sha256').update(`${requestId}\n`, 'utf8').update(body).digest('hex');
}

/** The same webhook has the same name when it comes again; it has nothing of the applicant. */
function nameOf(webhook: ReceivedWebhook): string {
  return webhook.application.applicationId ?? deliveryHash(webhook);
}

/**
 * The error of storing an application, for log and tables: Postgres quotes an applicant's values in some messages, so
 * of what it says only the SQLSTATE is left. An error that says of itself that it has no values passes.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof SyncError) || error.code !== 'state-failed') return error;
  const { details, scope, hint } = error;
  if (details.withoutValues === true) return error;
  const { code } = details;
  const state = typeof code === 'string' && code !== '' ? ` (SQLSTATE ${code})` : '';
  return new SyncError('state-failed', `The state database refused to store an application${state}.`, {
    scope,
    hint,
    details: { ...details, withoutValues: true },
    cause: error,
  });
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
