import type { Knex } from 'knex';

/**
 * What the last pushes learned about each area of the platform, so that failures in a row count across runs and every
 * process can show why nothing is sent.
 * - `answered_at`: when a push last ended in which the area had answered.
 * - `failing_since`: the first of the failures in a row.
 * - `stop_code`: why the last push stopped; null: it did not. `stopped_at`: since when it has been stopped.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.area_state (
       area              text        primary key,
       failures_in_a_row integer     not null default 0,
       answered_at       timestamptz,
       failing_since     timestamptz,
       last_error        text,
       stop_code         text,
       stop_message      text,
       stop_hint         text,
       stopped_at        timestamptz
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.area_state', { schema });
}
