import type { Knex } from 'knex';

/**
 * The webhook's inbox. Columns and indexes are an interface for the partner's own code (docs/webhook.md).
 *
 * The body is text, because jsonb refuses some JSON (`\u0000`, half surrogate pairs); `body_bytes` is there only when
 * the text does not give the bytes again (not UTF-8, or with a byte order mark). Two unique indexes are the rule of
 * repeats: a new application by its id, anything else by Request-Id and body, hashed because an index entry has a
 * largest size and a header has none that would fit.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });

  await run(`
    create table :schema:.job_application (
      id                bigint      generated always as identity primary key,
      received_at       timestamptz not null default clock_timestamp(),
      layout            text        not null check (layout in ('applied-at', 'flat', 'unrecognised')),
      application_id    uuid,
      job_id            uuid,
      job_title         text,
      vacancy_key       text,
      name              text,
      email             text,
      phone             text,
      gender            text,
      birth_date        date,
      birth_place       text,
      age               smallint,
      province          text,
      city              text,
      applied_at        timestamptz,
      skills            jsonb       not null default '[]',
      experiences       jsonb       not null default '[]',
      trainings         jsonb       not null default '[]',
      educations        jsonb       not null default '[]',
      certifications    jsonb       not null default '[]',
      achievements      jsonb       not null default '[]',
      languages         jsonb       not null default '[]',
      request_id        text        not null,
      request_timestamp timestamptz not null,
      body              text        not null,
      body_bytes        bytea,
      delivery_hash     text        not null,
      constraint job_application_recognised check ((layout = 'unrecognised') = (application_id is null))
    )`);
  await run(
    `create unique index job_application_application on :schema:.job_application (application_id) where application_id is not null`,
  );
  await run(
    `create unique index job_application_delivery on :schema:.job_application (delivery_hash) where application_id is null`,
  );
  await run(
    `create index job_application_applicant on :schema:.job_application (vacancy_key, lower(email)) where application_id is not null`,
  );
  await run(`create index job_application_received on :schema:.job_application (received_at)`);
  await run(
    `create index job_application_unresolved on :schema:.job_application (job_id) where vacancy_key is null and job_id is not null`,
  );

  // From the event's job id to the vacancy; the platform's case is not relied on.
  for (const column of ['remote_id', 'reference']) {
    await run(
      `create index sync_state_vacancy_${column} on :schema:.sync_state (lower(${column}))
       where entity = 'vacancies' and ${column} is not null`,
    );
  }
}

export async function down(knex: Knex, schema: string): Promise<void> {
  for (const column of ['remote_id', 'reference']) {
    await knex.raw('drop index :index:', { index: `${schema}.sync_state_vacancy_${column}` });
  }
  await knex.raw('drop table :table:', { table: `${schema}.job_application` });
}
