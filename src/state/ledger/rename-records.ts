import type { EntityName } from '../../domain/names.js';
import type { Statements } from '../database/state-database.js';
import { confirmLater } from './confirm-later.js';

/** The longest time-out that can be configured: a sweep does not know the area's time-out. */
const LONGEST_TIMEOUT_MS = String(60 * 60 * 1_000);

/** An open claim has the old key, so its outcome would never find the record: it ends like an attempt without reply. */
export async function renameRecords(
  statements: Statements,
  entity: EntityName,
  renamings: readonly { from: string; to: string }[],
) {
  await statements.query(
    `update :schema:.sync_state s set key = r."to",
       acknowledged_hash = case when s.claim_token is null then s.acknowledged_hash end,
       confirm_at = ${confirmLater('s', LONGEST_TIMEOUT_MS)},
       claim_token = null
     from jsonb_to_recordset(cast(:renamings as jsonb)) as r("from" text, "to" text)
     where s.entity = :entity and s.key = r."from"`,
    { entity, renamings: JSON.stringify(renamings) },
  );
}
