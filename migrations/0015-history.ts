import type { Knex } from 'knex';

/**
 * For the pages of what happened. Runs are filtered by outcome; without an index a rare one is searched among all.
 *
 * What became of a webhook: whether the partner's statement ran with a stored application (null: stored
 * before this column), and which authentic webhooks could not be stored. A row of these leaves when the same application
 * is stored after all. No personal data: the applicant is in neither.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.job_application add column statement_ran boolean', { schema });
  await knex.raw(
    `create table :schema:.unstored_webhook (
       webhook     text        primary key,
       layout      text        not null,
       vacancy_key text,
       first_at    timestamptz not null default clock_timestamp(),
       last_at     timestamptz not null default clock_timestamp(),
       attempts    integer     not null default 1,
       reason      text        not null
     )`,
    { schema },
  );
  await knex.raw('create index sync_run_outcome on :schema:.sync_run (outcome, started_at desc)', { schema });
  await knex.raw('create index unstored_webhook_last on :schema:.unstored_webhook (last_at)', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :index:', { index: `${schema}.sync_run_outcome` });
  await knex.raw('drop table :schema:.unstored_webhook', { schema });
  await knex.raw('alter table :schema:.job_application drop column statement_ran', { schema });
}
