import type { Knex } from 'knex';

/** What each way of notification remembers of each trouble: a row stays while there is something to remember. */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.notice (
       way             text        not null,
       subject         text        not null,
       trouble         text        not null,
       state           text        not null,
       notice_id       uuid        not null,
       since           timestamptz not null,
       reason          text        not null,
       help            text        not null,
       changed_at      timestamptz not null,
       quiet_until     timestamptz,
       told_at         timestamptz,
       attempts        integer     not null default 0,
       next_attempt_at timestamptz,
       claimed_until   timestamptz,
       in_doubt        boolean     not null default false,
       primary key (way, subject, trouble)
     )`,
    { schema },
  );
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.notice', { schema });
}
