import type { VerifyReport } from '../../sync/read-back/verify-report.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const COLUMNS = ['checked', 'same', 'drifted', 'missing'] as const;

/** Differences listed for people; `--json` lists all. */
const LISTED = 20;

/** Longest value in a line. */
const VALUE_LENGTH = 60;

/** What differs at the platform, for people. */
export function printVerify(
  { entities, drift }: VerifyReport,
  { repaired, stopped }: { readonly repaired: boolean; readonly stopped: boolean },
): void {
  const counted = Object.entries(entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      counted.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]),
    ),
  );
  for (const { entity, key, field, sent, held } of drift.slice(0, LISTED))
    say(`  ${entity} ${key} ${field}: sent ${shown(sent)}, the platform has ${shown(held)}`);
  if (drift.length > LISTED) say(`  … and ${drift.length - LISTED} more; --json lists them`);
  if (stopped) say('Stopped by a signal. The other records were not read back, and nothing was sent again.');
  const wrong = counted.reduce((sum, [, { drifted, missing }]) => sum + drifted + missing, 0);
  if (wrong > 0 && repaired)
    say('The records that differ or are missing were sent again, or are marked for it.');
  else if (wrong > 0) say('To send these records again: placement-sync verify --repair');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1)}…` : text;
}
