import type { Knex } from 'knex';

/**
 * Keeps two processes apart when the database goes back in time (a restored backup, a fail-over to a replica that was
 * behind), because it then hands out tokens twice.
 * - `lease.nonce`: random, new with every acquisition. `sync_state.claim_nonce`, `staged_finding.sweep_nonce`: of the
 *   acquisition that claimed or staged it; `claim_nonce` counts only while `claim_token` is set.
 * - `lease.ttl_ms`: for how long it was taken or renewed last. Null: by an older version.
 * - `lease.renewals`: how often it was taken or renewed, ever. It goes down only with the database.
 * - `lease.origin`: the copy of the database in which the lease was taken. Null: the server does not show it.
 * - `entity_state.in_doubt_since`: since when the platform may hold something else than what counts as acknowledged.
 *
 * A process of the version before still works: it compares tokens alone and leaves these columns as they are.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });
  await run(
    `alter table :schema:.lease
       add column nonce uuid not null default gen_random_uuid(),
       add column ttl_ms double precision,
       add column renewals bigint not null default 0,
       add column origin text`,
  );
  await run('alter table :schema:.sync_state add column claim_nonce uuid');
  await run('alter table :schema:.staged_finding add column sweep_nonce uuid');
  await run('alter table :schema:.entity_state add column in_doubt_since timestamptz');
}

export async function down(knex: Knex, schema: string): Promise<void> {
  const run = (sql: string) => knex.raw(sql, { schema });
  await run('alter table :schema:.entity_state drop column in_doubt_since');
  await run('alter table :schema:.staged_finding drop column sweep_nonce');
  await run('alter table :schema:.sync_state drop column claim_nonce');
  await run(
    'alter table :schema:.lease drop column nonce, drop column ttl_ms, drop column renewals, drop column origin',
  );
}
