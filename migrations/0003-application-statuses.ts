import type { Knex } from 'knex';

/** The status as it was derived when this migration was written: written out, because later ones may add columns to it. */
const RECORD = `
select s.entity, s.key, s.platform_id, s.reference, s.remote_id, case
    when s.vanished_at is not null
      and (s.desired_hash is null or (s.desired_hash is not distinct from s.acknowledged_hash and s.confirm_at is null))
      then 'vanished'
    when s.invalid_reason is not null then 'invalid'
    when s.refused_hash is not distinct from s.desired_hash and s.refused_hash is not null then 'rejected'
    when s.parent_platform_id is not null and p.reference is null and ((s.desired_hash is not null and s.desired_hash is distinct from s.acknowledged_hash) or s.confirm_at <= now()) and not (s.desired_hash is not distinct from 'v1:absent') then 'waiting'
    when s.next_attempt_at > now() and ((s.desired_hash is not null and s.desired_hash is distinct from s.acknowledged_hash) or s.confirm_at <= now()) then 'deferred'
    when ((s.desired_hash is not null and s.desired_hash is distinct from s.acknowledged_hash) or s.confirm_at <= now()) then 'pending'
    else 'synced' end as status,
    s.invalid_reason, s.last_status_code, s.last_error, s.attempts, s.attempted_at, s.next_attempt_at,
    s.acknowledged_at, s.acknowledged_reply, s.vanished_at, s.desired_at, p.key as parent_key
    from :schema:.sync_state s left join :schema:.sync_state p on p.entity = case s.entity when 'vacancies' then 'companies' when 'trainings' then 'institutions' end and p.platform_id = s.parent_platform_id`;

/**
 * What application statuses need beside the ledger's common columns, and the view of records for the partner's SQL.
 * - `noted`: what a map needs at the next sweep although the payload is dropped.
 * - `sent_hash`, `request_open`: which payload `last_request_id` was used for, and whether its request is unanswered;
 *   only then may a PATCH be repeated under the same Request-Id.
 * - `acknowledged_reply`: the platform's answer to an accepted status.
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
  await knex.raw(`create view :schema:.record as ${RECORD}`, { schema });
}

export async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw('drop view :schema:.record', { schema });
  await knex.raw('alter table :schema:.staged_finding drop column noted', { schema });
  await knex.raw(
    'alter table :schema:.sync_state drop column noted, drop column sent_hash, drop column request_open, drop column acknowledged_reply',
    { schema },
  );
}
