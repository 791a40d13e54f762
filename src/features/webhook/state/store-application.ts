import { LIST_COLUMNS } from './keep-applications.js';
import { createHash } from 'node:crypto';
import { UUID_PATTERN } from '../../../core/contract/fields.js';
import {
  applicationData,
  APPLIED_TO,
  bodyText,
  type ReceivedApplication,
} from '../contract/read-application.js';
import { SyncError } from '../../../core/domain/errors.js';
import { canonicalJson } from '../../../core/domain/payload.js';
import type { Statements } from '../../../core/ledger/database/state-database.js';

/**
 * The row of one webhook (`storeApplication`), with the key of its vacancy (`vacancyKeySql`). What is stored already is stored
 * once. An application that comes again with other data is a further version of it, in a row of its own: the platform
 * corrected something, and both are kept.
 */

/** A webhook with a valid signature and time. */
export interface ReceivedWebhook {
  readonly application: ReceivedApplication;
  /** The bytes as sent: JSON, at most 1 MiB. Of one event in a list, its part. */
  readonly body: Uint8Array;
  readonly requestId: string;
  /** `Request-Timestamp`, milliseconds since the Unix epoch. */
  readonly requestTimestampMs: number;
  /** When it came first, of one that is read again; left out: now. */
  readonly receivedAt?: Date;
}

/**
 * What became of a webhook, the most first: it is new; it is an application that is stored with other data, and is a further
 * version of it now; it was stored before.
 */
export const STORED_AS = ['stored', 'changed', 'repeat'] as const;

export type StoredAs = (typeof STORED_AS)[number];

/** The channel that the partner's code listens on. The payload is the application id; empty: unrecognised. */
export const CHANNEL = 'placement_sync_job_application';

/** SQL: the columns of the lists, and the parameters with their values. */
const LIST_NAMES = LIST_COLUMNS.join(', ');
const LIST_VALUES = LIST_COLUMNS.map((column) => `cast(:${column} as jsonb)`).join(', ');

const INSERT = `
  insert into :schema:.job_application (
    layout, application_ref, application_id, job_ref, job_id, job_title, vacancy_key, name, email, phone, gender, birth_date, birth_place, age,
    province, city, applied_at, ${LIST_NAMES},
    request_id, request_timestamp, body, body_bytes, delivery_hash, data_hash, received_at, version
  ) values (
    :layout, :applicationId, cast(:applicationUuid as uuid), :jobId, cast(:jobUuid as uuid), :jobTitle,
    ${vacancyKeySql('cast(:jobId as text)')},
    :name, :email, :phone, :gender, cast(:birthDate as date), :birthPlace, cast(:age as smallint),
    :province, :city, cast(:appliedAt as timestamp) at time zone :timeZone,
    ${LIST_VALUES}, :requestId,
    to_timestamp(cast(:requestTimestampMs as double precision) / 1000), :body, cast(:bodyBytes as bytea), :deliveryHash, :dataHash,
    coalesce(cast(:receivedAt as timestamptz), clock_timestamp()),
    cast(:version as integer)
  )
  on conflict do nothing
  returning 1`;

/**
 * SQL of the key of the vacancy that an event's job id (a UUID in lower case, or digits) names: first as the platform's own id
 * of it, then as its reference, then as the platform id in the path of its Put, because the interface says only that it
 * is the job's. Null when the ledger knows none of them.
 *
 * @param jobId an SQL expression of type text
 */
export function vacancyKeySql(jobId: string): string {
  const keyBy = (column: string): string =>
    `(select key from :schema:.sync_state where entity = '${APPLIED_TO.name}' and lower(${column}) = ${jobId}
      order by vanished_at is not null, key limit 1)`;
  // At most one record has a platform id.
  const keyByPath = `(select key from :schema:.sync_state
      where entity = '${APPLIED_TO.name}'
        and platform_id = case when ${jobId} ~ '^[0-9a-f]{8}-' then cast(${jobId} as uuid) end)`;
  return `coalesce(${keyBy('remote_id')}, ${keyBy('reference')}, ${keyByPath})`;
}

/** A version of an application, as it is compared. Hash and body null: it is of before, and its body was not kept. */
interface StoredVersion {
  readonly version: number;
  readonly hash: string | null;
  readonly body: string | null;
  readonly bytes: Buffer | null;
}

/** Versions that are compared with what arrives: a platform that sends the time of sending makes one each time. */
const COMPARED = 20;

/**
 * Inserts it and notifies. Gives its version; null: it is already stored. A second sender of the same application waits for the end of
 * this transaction.
 * @param timeZone of `applied_at`, which the platform sends as local time
 */
export async function storeApplication(
  statements: Statements,
  webhook: ReceivedWebhook,
  timeZone: string,
): Promise<number | null> {
  const { applicationId } = webhook.application;
  for (let version = 1; ;) {
    if (await insertVersion(statements, webhook, version, timeZone)) return version;
    if (applicationId === null) return null;
    const versions = await statements.query<StoredVersion>(
      `select a.version, data_hash as hash, body, body_bytes as bytes from :schema:.job_application a
       where application_ref = :applicationId order by a.version desc limit ${COMPARED}`,
      { applicationId },
    );
    const hash = dataHash(webhook.body);
    if (versions.some((stored) => hashOf(stored) === null || hashOf(stored) === hash)) return null;
    // Another sender may have taken this number; then it is tried again.
    version = (versions[0]?.version ?? 0) + 1;
  }
}

/** Null: not known. */
function hashOf({ hash, body, bytes }: StoredVersion): string | null {
  if (hash !== null || body === null) return hash;
  return dataHash(bytes ?? Buffer.from(body, 'utf8'));
}

/** The same for the same data, however it is written. It stays when the body does not. */
function dataHash(body: Uint8Array): string {
  return createHash('sha256').update(dataOf(body), 'utf8').digest('hex');
}

/** One text for the same data. */
function dataOf(body: Uint8Array): string {
  try {
    return canonicalJson(applicationData(body));
  } catch {
    // What canonical JSON cannot have, such as a number without limit: the text itself counts.
    return bodyText(body);
  }
}

async function insertVersion(
  statements: Statements,
  webhook: ReceivedWebhook,
  version: number,
  timeZone: string,
): Promise<boolean> {
  const { application } = webhook;
  const body = bodyText(webhook.body);
  const lists = LIST_COLUMNS.map((column) => [column, JSON.stringify(application[column])] as const);
  const inserted = await statements.query(INSERT, {
    ...application,
    ...Object.fromEntries(lists),
    applicationUuid: uuidOf(application.applicationId),
    jobUuid: uuidOf(application.jobId),
    age: application.age === null ? null : String(application.age),
    timeZone,
    requestId: webhook.requestId,
    requestTimestampMs: webhook.requestTimestampMs,
    body,
    bodyBytes: Buffer.from(body, 'utf8').equals(webhook.body) ? null : Buffer.from(webhook.body),
    deliveryHash: deliveryHash(webhook),
    dataHash: dataHash(webhook.body),
    receivedAt: webhook.receivedAt?.toISOString() ?? null,
    version: String(version),
  });
  if (inserted.length === 0) return false;
  await statements.query(`select pg_notify('${CHANNEL}', :payload)`, {
    payload: application.applicationId ?? '',
  });
  return true;
}

/** Null: an id that is a number. */
function uuidOf(id: string | null): string | null {
  return id !== null && UUID_PATTERN.test(id) ? id : null;
}

/** Names a delivery by Request-Id and body. No header holds a line feed, so no other pair has the same text. */
export function deliveryHash({ requestId, body }: ReceivedWebhook): string {
  return createHash('sha256').update(`${requestId}\n`, 'utf8').update(body).digest('hex');
}

/**
 * The error of storing an application, for log and tables: Postgres quotes an applicant's values in some messages, so
 * of what it says only names and the SQLSTATE are left. They say what a trigger of the partner failed at.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof SyncError) || error.code !== 'state-failed') return error;
  const { details, scope, hint, cause } = error;
  const { code, schema, table, column, constraint } = { ...(cause as Partial<Record<string, string>>) };
  const where = Object.entries({ SQLSTATE: code, schema, table, column, constraint });
  const named = where.flatMap(([name, value]) => (value ? [`${name} ${value}`] : [])).join(', ');
  return new SyncError(
    'state-failed',
    `The state database refused to store an application${named === '' ? '' : ` (${named})`}.`,
    { scope, hint, details, cause: error },
  );
}
