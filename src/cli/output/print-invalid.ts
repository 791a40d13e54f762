import { issueLine } from '../../entities/index.js';
import type { InvalidRecord } from '../../sync/explain/read-status.js';
import { say } from './write.js';

/** Invalid records, one a line, as `plan` prints them. */
export function printInvalid(records: readonly InvalidRecord[]): void {
  for (const { entity, key, issues } of records) {
    const what = issues.map((issue) => issueLine(entity, issue)).join('; ');
    say(`  ! invalid  ${entity} ${key}: ${what}`, { part: '!', colour: 'red' });
  }
}
