import type { Knex } from 'knex';

/**
 * What the platform answered, per entity and hour: in the worker a run is a sweep, so its row has nothing about the
 * push beside it. This table shows an outage, whichever process was sending.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.push_hour (
       entity   text        not null,
       hour     timestamptz not null,
       sent     bigint      not null,
       accepted bigint      not null,
       rejected bigint      not null,
       deferred bigint      not null,
       primary key (entity, hour),
       constraint push_hour_balance check (sent = accepted + rejected + deferred)
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.push_hour', { schema });
}
