import { APPLIED_TO } from '../../contract/webhook/read-application.js';

/**
 * SQL of the key of the vacancy that an event's job id (a UUID in lower case) names: first as the platform's own id
 * of it, then as its reference, then as the platform id in the path of its Put, because the interface says only that it
 * is the job's. Null when the ledger knows none of them.
 *
 * @param jobId an SQL expression of type text
 */
export function vacancyKeySql(jobId: string): string {
  const keyBy = (column: string): string =>
    `(select key from :schema:.sync_state where entity = '${APPLIED_TO.name}' and lower(${column}) = ${jobId}
      order by vanished_at is not null, key limit 1)`;
  // At most one record has a platform id.
  const keyByPath = `(select key from :schema:.sync_state
      where entity = '${APPLIED_TO.name}' and platform_id = cast(${jobId} as uuid))`;
  return `coalesce(${keyBy('remote_id')}, ${keyBy('reference')}, ${keyByPath})`;
}
