import { joinParent, statusSql } from './status-sql.js';

/**
 * SQL of the view `record`: one row a record with its derived status, for the partner's own queries. It uses the one
 * expression that claim, `status` and `explain` use. When that changes, a migration makes the view anew.
 */
export function recordView(): string {
  return `select s.entity, s.key, s.platform_id, s.reference, s.remote_id, ${statusSql('s', 'p')} as status,
    s.invalid_reason, s.last_status_code, s.last_error, s.attempts, s.attempted_at, s.next_attempt_at,
    s.acknowledged_at, s.acknowledged_reply, s.vanished_at, s.desired_at, p.key as parent_key
    from :schema:.sync_state s ${joinParent('s', 'p')}`;
}
