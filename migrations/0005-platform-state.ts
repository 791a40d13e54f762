import type { Knex } from 'knex';

/**
 * What the platform makes of a record that it accepted, as a Find shows it, its word for it, and since when.
 * - `platform_state`: `live`, `pending`, `refused`, `removed` or `other`. Null: nothing is known.
 * - `platform_word`: null: `pending`, because the record was not read since it was accepted.
 *
 * While the platform shows a record as refused or removed, `refused_hash` is the desired hash: it is not sent.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `alter table :schema:.sync_state
       add column platform_state text, add column platform_word text, add column platform_state_at timestamptz`,
    { schema },
  );
  // Those that each reading back looks at, and that are counted.
  await knex.raw(
    `create index sync_state_not_live on :schema:.sync_state (entity, key) where platform_state <> 'live'`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  // The view of records has the columns; the version before makes its own again.
  await knex.raw('drop view if exists :schema:.record', { schema });
  await knex.raw(
    `alter table :schema:.sync_state
       drop column platform_state, drop column platform_word, drop column platform_state_at`,
    { schema },
  );
}
