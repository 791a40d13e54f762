import type { EntityName } from '../../domain/names.js';
import type { SweepStamp } from '../../ports/staging.js';
import type { Statements } from '../database/state-database.js';

/**
 * Closes a published sweep: stores fingerprint and times, and clears what a publication uses up (hold, approval, a full
 * sweep requested before it began). Another fingerprint is a new try of the contract: a push that refusals had stopped
 * goes on.
 */
export async function storeSweepStamp(
  statements: Statements,
  entity: EntityName,
  stamp: SweepStamp,
): Promise<void> {
  const { fingerprint, full, startedAt, foreign = 0 } = stamp;
  await statements.query(
    `insert into :schema:.entity_state as s (entity, fingerprint, last_sweep_at, last_full_sweep_at, foreign_rows)
     values (:entity, :fingerprint, clock_timestamp(), case when :full then clock_timestamp() end, :foreign)
     on conflict (entity) do update set
       fingerprint = excluded.fingerprint,
       last_sweep_at = excluded.last_sweep_at,
       last_full_sweep_at = coalesce(excluded.last_full_sweep_at, s.last_full_sweep_at),
       full_sweep_requested_at = case
         when :full and s.full_sweep_requested_at <= cast(:startedAt as timestamptz) then null else s.full_sweep_requested_at end,
       foreign_rows = excluded.foreign_rows,
       hold = null,
       approval = null,
       push_hold = case when s.fingerprint is distinct from excluded.fingerprint then null else s.push_hold end,
       refused_in_a_row = case when s.fingerprint is distinct from excluded.fingerprint then 0 else s.refused_in_a_row end,
       accepted_once = case when s.fingerprint is distinct from excluded.fingerprint then false else s.accepted_once end`,
    { entity, fingerprint, full, startedAt, foreign },
  );
}
