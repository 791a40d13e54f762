import type { Knex } from 'knex';

/**
 * Each change of a record updates its row about three times, and none of these updates can be HOT: indexes depend on what
 * changes. By default a fifth of a table is dead before it is vacuumed: of a large ledger too much. Below 500 dead rows
 * nothing is gained, and a fleet has thousands of small ledgers: there it is vacuumed more seldom than by default.
 */
const UP = `alter table :schema:.sync_state set (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500)`;

const DOWN = `alter table :schema:.sync_state reset (
  autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold,
  toast.autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_threshold)`;

export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(UP, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(DOWN, { schema });
}
