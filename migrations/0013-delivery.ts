import type { Knex } from 'knex';

/**
 * The journal: one row for each request about a record that was answered or cut off, added in the transaction that
 * writes its outcome and never changed. It has no payload and nothing of an applicant (docs/report.md).
 * - `key`: as lists name the record; of a status named by an address it is the id of the application.
 * - `parent_platform_id`: the parent under which it was sent, which the record may have left since.
 * - `kind`: `new` (never accepted before), `update`, `close`, `delete`.
 * - `run_id`: null for what the long-running worker sent.
 * - `answered_at`: when the outcome was written; the rows of one group have the same time.
 *
 * The key of the table begins with the time: rows are added at its end, and read and deleted by time. A table without
 * one could not be deleted from while it is published by logical replication.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `create table :schema:.delivery (
       entity             text        not null,
       key                text        collate "C" not null,
       platform_id        uuid        not null,
       parent_platform_id uuid,
       kind               text        not null,
       operation          text        not null,
       request_id         uuid        not null,
       payload_hash       text,
       run_id             uuid,
       claimed_at         timestamptz not null,
       answered_at        timestamptz not null,
       status_code        integer,
       outcome            text        not null,
       reason             text,
       primary key (answered_at, request_id)
     )`,
    { schema },
  );
  await knex.raw('create index delivery_record on :schema:.delivery (platform_id)', { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop table :schema:.delivery', { schema });
}
