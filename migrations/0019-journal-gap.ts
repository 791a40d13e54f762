import type { Knex } from 'knex';

/**
 * Stretches of time of which the journal lacks requests, so that a report never says "nothing was sent" where it cannot
 * know. The row that begins at `-infinity` is the beginning of the journal: nothing is known of the time before its `ends`.
 * Deleting old rows moves it on. A state database that went back in time leaves a row of its own (docs/report.md).
 *
 * Of a journal that exists already it is the earliest time that is proven. Without a row: now. With rows: when its table
 * was made, unless rows may have been deleted by age since, and then the oldest row. A row is deleted after
 * `state.deliveryRetention`, which no migration knows; nobody keeps a proof for less than a day.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.journal_gap (
       begins timestamptz primary key,
       ends   timestamptz not null
     )`,
    { schema },
  );
  await knex.raw(
    `insert into :schema:.journal_gap (begins, ends)
     select '-infinity', least(now(), case
       when j.oldest is null then now()
       when m.made > now() - interval '1 day' then m.made
       else greatest(m.made, j.oldest) end)
     from (select min(answered_at) as oldest from :schema:.delivery) j
     left join (select migration_time as made from :schema:.migration where name = '0013-delivery') m on true`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.journal_gap', { schema });
}
