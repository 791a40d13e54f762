import type { Knex } from 'knex';

/**
 * What `probe` last saw of each assumption about a platform: names and types of fields, no values of a record.
 * `environment`: address and client id, because staging and production may answer differently.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.observation (
       environment text        not null,
       id          text        not null,
       result      text        not null,
       seen        text        not null,
       observed_at timestamptz not null default clock_timestamp(),
       primary key (environment, id)
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.observation', { schema });
}
