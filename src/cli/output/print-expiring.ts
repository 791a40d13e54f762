import type { ExpiringRecord } from '../../sync/read-expiring.js';
import { writeOut } from './write.js';

/** How many are named. */
const NAMED = 10;

/** Names what runs out within seven days. */
export function printExpiring(records: readonly ExpiringRecord[]): void {
  if (records.length === 0) return;
  writeOut('Expiring within 7 days while still open in the source:');
  for (const { entity, key, lastDay } of records.slice(0, NAMED)) writeOut(`  ${entity} ${key}: ${lastDay}`);
  if (records.length > NAMED) writeOut(`  … ${records.length - NAMED} more; --json lists them.`);
}
