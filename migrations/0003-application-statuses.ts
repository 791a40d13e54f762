import type { Knex } from 'knex';
import { recordView } from '../src/state/record-view.js';

/**
 * What application statuses need beside the ledger's common columns, and the view of records for the partner's SQL.
 * - `noted`: what a map wants to see again at the next sweep although the payload is dropped.
 * - `sent_hash`, `request_open`: which payload `last_request_id` was used for, and whether it is unanswered; only then
 *   may a PATCH be repeated under the same Request-Id.
 * - `acknowledged_reply`: what the platform said of an accepted status.
 */
export async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(
    `alter table :schema:.sync_state
       add column noted jsonb,
       add column sent_hash text,
       add column request_open boolean not null default false,
       add column acknowledged_reply jsonb`,
    { schema },
  );
  await knex.raw('alter table :schema:.staged_finding add column noted jsonb', { schema });
  await knex.raw(`create view :schema:.record as ${recordView()}`, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop view :schema:.record', { schema });
  await knex.raw('alter table :schema:.staged_finding drop column noted', { schema });
  await knex.raw(
    'alter table :schema:.sync_state drop column noted, drop column sent_hash, drop column request_open, drop column acknowledged_reply',
    { schema },
  );
}
