import type { ExpiringRecord } from '../../sync/explain/read-status.js';
import { moreText } from './more-text.js';
import { say } from './write.js';

/** Records that are named. */
const NAMED = 10;

/** Names records that expire within seven days. */
export function printExpiring(records: readonly ExpiringRecord[]): void {
  if (records.length === 0) return;
  say('Expiring within 7 days while still open in the source:');
  for (const { entity, key, lastDay } of records.slice(0, NAMED)) say(`  ${entity} ${key}: ${lastDay}`);
  if (records.length > NAMED) say(`  ${moreText(records.length - NAMED)}; --json lists them.`);
}
