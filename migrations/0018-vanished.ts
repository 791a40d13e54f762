import type { Knex } from 'knex';

/**
 * Records that vanished: a sweep compares their keys too, and each run deletes the old ones. The index of all that is not
 * settled has them as well, but it is as long as the ledger while everything is still to be sent.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    'create index sync_state_vanished on :schema:.sync_state (entity, key) where vanished_at is not null',
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop index :schema:.sync_state_vanished', { schema });
}
