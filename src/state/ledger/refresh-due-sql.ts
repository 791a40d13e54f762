import type { EndingEntity } from '../../ports/records.js';

/**
 * SQL: when a record becomes due again, as a share of the period: between half of it and all of it, always the same for
 * one key, so that records loaded together are not sent again together.
 */
const SHARE = '(0.5 + (hashtextextended(s.key, 0) & 65535) / 131072.0)';

/**
 * SQL: the record in alias `s` is older than `:after` milliseconds lets it be, and neither closed nor past its last day.
 * It also takes `:entity`, `:today`, `:lastDay`, `:statusField` and `:closedStatus`.
 */
export function refreshDueSql({ lastDay, statusField }: EndingEntity): string {
  return [
    's.entity = :entity and s.settled',
    "and s.acknowledged_at < now() - 0.5 * :after * interval '1 millisecond'",
    `and s.acknowledged_at < now() - ${SHARE} * :after * interval '1 millisecond'`,
    lastDay === null ? '' : 'and coalesce(s.desired_payload ->> :lastDay, :today) >= :today',
    statusField === null ? '' : 'and s.desired_payload ->> :statusField is distinct from :closedStatus',
  ].join(' ');
}
