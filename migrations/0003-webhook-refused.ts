import type { Knex } from 'knex';

/**
 * Webhooks that were refused and after which none was accepted, counted by reason. Nothing of the sender or of a body.
 * - `offset_ms`: how far the time of the latest was ahead of the clock here; null: its time was not the reason, or could
 *   not be read.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.refused_webhook (
       reason    text             primary key,
       refused   bigint           not null,
       first_at  timestamptz      not null default clock_timestamp(),
       last_at   timestamptz      not null default clock_timestamp(),
       offset_ms double precision
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.refused_webhook', { schema });
}
