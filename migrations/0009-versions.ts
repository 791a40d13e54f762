import type { Knex } from 'knex';

/**
 * Ids that are numbers, applications that come again with other data, and what the platform says of itself.
 * - `application_ref`, `job_ref`: the ids as the platform has them, whole numbers too. `application_id` and `job_id` stay
 *   what they are, for the partner's own code: null where an id is no UUID.
 * - `version`: 1; of an application that came again with other data 2 and so on. Each is a row.
 * - `data_hash`: names the data of an event, so that the same is known again. Null: stored before, and made of the body.
 * - `delivery.shown_state`: of a row `seen`, what the platform makes of the record; null of all others, and of older ones.
 * - `area_state.platform_version`: `meta.version` of the latest replies. Null: none had one.
 */
const UP = [
  'alter table :schema:.area_state add column platform_version text',
  'alter table :schema:.delivery add column shown_state text',
  `alter table :schema:.job_application
     add column application_ref text, add column job_ref text, add column version integer not null default 1,
     add column data_hash text`,
  `update :schema:.job_application set application_ref = cast(application_id as text), job_ref = cast(job_id as text)
   where application_id is not null or job_id is not null`,
  ...constraints('application_ref', 'job_ref', 'application_ref, version'),
  `create index job_application_id on :schema:.job_application (application_id) where application_id is not null`,
];

/** What the version before cannot hold stays as what it does not recognise: the body is there, and `inbox reread` reads it. */
const DOWN = [
  'alter table :schema:.area_state drop column platform_version',
  'alter table :schema:.delivery drop column shown_state',
  // Stored before this version as not recognised, and once more after it.
  `delete from :schema:.job_application a using :schema:.job_application b
   where a.application_ref is not null and (a.version > 1 or a.application_id is null)
     and b.application_ref is null and b.delivery_hash = a.delivery_hash`,
  'drop index :schema:.job_application_id',
  `alter table :schema:.job_application drop constraint job_application_recognised`,
  `update :schema:.job_application set layout = 'unrecognised', application_id = null, job_id = null
   where version > 1 or application_id is null`,
  ...constraints('application_id', 'job_id', 'application_id'),
  `alter table :schema:.job_application drop column application_ref, drop column job_ref, drop column version,
     drop column data_hash`,
];

/** What counts as recognised, and as stored already, by the column `application`; `unique`: what names a row. */
function constraints(application: string, job: string, unique: string): readonly string[] {
  return [
    'alter table :schema:.job_application drop constraint if exists job_application_recognised',
    `alter table :schema:.job_application add constraint job_application_recognised
       check ((layout = 'unrecognised') = (${application} is null))`,
    ...['application', 'delivery', 'applicant', 'unresolved'].map(
      (name) => `drop index :schema:.job_application_${name}`,
    ),
    `create unique index job_application_application on :schema:.job_application (${unique})
     where ${application} is not null`,
    `create unique index job_application_delivery on :schema:.job_application (delivery_hash) where ${application} is null`,
    `create index job_application_applicant on :schema:.job_application (vacancy_key, lower(email))
     where ${application} is not null`,
    `create index job_application_unresolved on :schema:.job_application (${job})
     where vacancy_key is null and ${job} is not null`,
  ];
}

async function each(knex: Knex, schema: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await knex.raw(statement, { schema });
}

export const up = (knex: Knex, schema: string): Promise<void> => each(knex, schema, UP);

export const down = (knex: Knex, schema: string): Promise<void> => each(knex, schema, DOWN);
