import type { Knex } from 'knex';

/**
 * What an outage was, for people who come later.
 * - `area_state.retry_at`: when the worker tries a stopped area again; null: it works, or nobody tries by a clock.
 * - `refused_webhook.ended_at`: when a webhook was accepted again; null: none was since. So a reason may have several rows.
 */
const UP = [
  'alter table :schema:.area_state add column retry_at timestamptz',
  'alter table :schema:.refused_webhook add column ended_at timestamptz, drop constraint refused_webhook_pkey',
  'create unique index refused_webhook_lasting on :schema:.refused_webhook (reason) where ended_at is null',
];

const DOWN = [
  'drop index :schema:.refused_webhook_lasting',
  'delete from :schema:.refused_webhook where ended_at is not null',
  'alter table :schema:.refused_webhook drop column ended_at, add primary key (reason)',
  'alter table :schema:.area_state drop column retry_at',
];

export async function up(knex: Knex, schema: string): Promise<void> {
  for (const statement of UP) await knex.raw(statement, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  for (const statement of DOWN) await knex.raw(statement, { schema });
}
