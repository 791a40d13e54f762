import type { Knex } from 'knex';

/** The body of a reply that did not accept a record, personal data masked, for `explain`. Null once it is accepted. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state add column last_reply text', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.sync_state drop column last_reply', { schema });
}
