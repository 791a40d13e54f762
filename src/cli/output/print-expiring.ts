import type { ExpiringRecord } from '../../sync/explain/read-expiring.js';
import { tell } from './write.js';

/** How many are named. */
const NAMED = 10;

/** Names what runs out within seven days. */
export function printExpiring(records: readonly ExpiringRecord[]): void {
  if (records.length === 0) return;
  tell('Expiring within 7 days while still open in the source:');
  for (const { entity, key, lastDay } of records.slice(0, NAMED)) tell(`  ${entity} ${key}: ${lastDay}`);
  if (records.length > NAMED) tell(`  … ${records.length - NAMED} more; --json lists them.`);
}
