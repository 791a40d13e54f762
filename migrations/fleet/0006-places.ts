import type { Knex } from 'knex';

/**
 * A rate has as many places as requests may come in a second; each request takes one.
 * - `places`: when each place is free, milliseconds since the epoch by the database's clock. A place that is missing is free.
 * - `last_at`: the latest moment that was handed out, less the way to its holder. `turn_at`: when the last of those who wait for
 *   a place asks again. The same unit.
 * - `answer`: what the last reservation got, as JSON.
 * A process of an older version misses `next_at`, and sends nothing until it is replaced.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `alter table :schema:.rate drop column next_at,
       add column places double precision[] not null default '{}',
       add column last_at double precision, add column turn_at double precision, add column answer jsonb`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `alter table :schema:.rate drop column places, drop column last_at, drop column turn_at, drop column answer,
       add column next_at timestamptz`,
    { schema },
  );
}
