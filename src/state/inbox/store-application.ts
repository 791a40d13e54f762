import { bodyText } from '../../contract/webhook/read-application.js';
import type { ApplicationParameter } from '../../domain/inbox/application-parameters.js';
import type { ReceivedWebhook } from '../../ports/inbox.js';
import type { Statements } from '../database/state-database.js';
import { deliveryHash } from './delivery-hash.js';
import { vacancyKeySql } from './vacancy-key-sql.js';

/** The channel that the partner's code listens on. The payload is the application id; empty: unrecognised. */
export const CHANNEL = 'placement_sync_job_application';

/** A stored application as the partner's statement gets it: text in the form that Postgres reads. */
export type StoredApplication = Readonly<Record<ApplicationParameter, string | null>>;

/** The columns that the database adds. */
interface Inserted {
  readonly vacancy_key: string | null;
  readonly applied_at: string | null;
  readonly request_timestamp: string;
  readonly received_at: string;
}

/**
 * Inserts it and notifies; null: it is already stored. A second sender of the same application waits for the end of
 * this transaction.
 * @param options.timeZone of `applied_at`, which the platform sends as local time
 * @param options.hasStatement the partner's statement runs in this transaction, with each recognised application
 */
export async function storeApplication(
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
  });
  if (inserted === undefined) return null;
  await statements.query(`select pg_notify('${CHANNEL}', :payload)`, { payload: sent.application_id ?? '' });
  return { ...sent, ...inserted };
}

const INSERT = `
  insert into :schema:.job_application (
    layout, application_id, job_id, job_title, vacancy_key, name, email, phone, gender, birth_date, birth_place, age,
    province, city, applied_at, skills, experiences, trainings, educations, certifications, achievements, languages,
    request_id, request_timestamp, body, body_bytes, delivery_hash, statement_ran
  ) values (
    :layout, cast(:application_id as uuid), cast(:job_id as uuid), :job_title, ${vacancyKeySql('cast(:job_id as text)')},
    :name, :email, :phone, :gender, cast(:birth_date as date), :birth_place, cast(:age as smallint),
    :province, :city, cast(:applied_at as timestamp) at time zone :time_zone, cast(:skills as jsonb),
    cast(:experiences as jsonb), cast(:trainings as jsonb), cast(:educations as jsonb), cast(:certifications as jsonb),
    cast(:achievements as jsonb), cast(:languages as jsonb), :request_id,
    to_timestamp(cast(:request_ms as double precision) / 1000), :body, cast(:body_bytes as bytea), :delivery_hash,
    cast(:statement_ran as boolean)
  )
  on conflict do nothing
  returning vacancy_key, cast(applied_at as text) as applied_at, cast(request_timestamp as text) as request_timestamp,
    cast(received_at as text) as received_at`;
