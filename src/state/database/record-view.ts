import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { joinParent, statusSql } from '../ledger/status-sql.js';
import type { StateDatabase } from './state-database.js';

/** The name of the view among the pending migrations. */
export const RECORD_VIEW = 'record-view';

/**
 * The view of records for the partner's own SQL. Migration 0003 gave its columns; a further one comes last, because the
 * view is replaced in place and keeps its grants.
 */
const RECORD = `
select s.entity, s.key, s.platform_id, s.reference, s.remote_id, ${statusSql('s', 'p')} as status,
    s.invalid_reason, s.last_status_code, s.last_error, s.attempts, s.attempted_at, s.next_attempt_at,
    s.acknowledged_at, s.acknowledged_reply, s.vanished_at, s.desired_at, p.key as parent_key
    from :schema:.sync_state s ${joinParent('s', 'p')}`;

/** The comment on the view names its definition, because Postgres rewrites the text of the view. */
const COMMENT = `Every record with its derived status; definition ${createHash('sha256').update(RECORD).digest('hex').slice(0, 16)}`;

const COMMENT_ON = `select obj_description(to_regclass(:view), 'pg_class') as comment`;

/** Whether the view exists with this version's entities and statuses. */
export async function isRecordViewCurrent(database: StateDatabase): Promise<boolean> {
  const [row] = await database.query<{ comment: string | null }>(COMMENT_ON, named(database.schema));
  return row?.comment === COMMENT;
}

/** Creates the view, or replaces another version's. False: nothing to do. */
export async function makeRecordView(trx: Knex.Transaction, schema: string): Promise<boolean> {
  const found = await trx.raw<{ rows: { comment: string | null }[] }>(COMMENT_ON, named(schema));
  if (found.rows[0]?.comment === COMMENT) return false;
  await trx.raw(`create or replace view :schema:.record as ${RECORD}`, { schema });
  await trx.raw(`comment on view :schema:.record is '${COMMENT}'`, { schema });
  return true;
}

function named(schema: string): { readonly view: string } {
  return { view: `"${schema.replaceAll('"', '""')}".record` };
}
