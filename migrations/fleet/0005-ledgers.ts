import type { Knex } from 'knex';

/**
 * - `ledger`: the database with the tenant's ledger, `host:port/database`; `fleet`: the fleet's own. It counts for a tenant
 *   without a `state.url`.
 * - `move`: a move of the ledger that has begun and not ended, a LedgerMove as JSON. Meanwhile the tenant does not run.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `alter table :schema:.tenant add column ledger text not null default 'fleet', add column move jsonb`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('alter table :schema:.tenant drop column ledger, drop column move', { schema });
}
