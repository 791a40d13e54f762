import type { VerifyReport } from '../../sync/read-back/verify-records.js';
import { table } from './table.js';
import { tell, writeOut } from './write.js';

const COLUMNS = ['checked', 'same', 'drifted', 'missing'] as const;

/** Differences that a person is shown; `--json` has all. */
const LISTED = 20;

/** Longest value in a line. */
const VALUE_LENGTH = 60;

/** What is held otherwise than it was sent, for people. */
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
    tell(`  ${entity} ${key} ${field}: sent ${shown(sent)}, held ${shown(held)}`);
  if (drift.length > LISTED) tell(`  … and ${drift.length - LISTED} more; --json lists them`);
  if (stopped) tell('Stopped by a signal: the others were not read back, and nothing was sent again.');
  const wrong = counted.reduce((sum, [, { drifted, missing }]) => sum + drifted + missing, 0);
  if (wrong > 0 && repaired) tell('What differed was sent again, or is marked to be.');
  else if (wrong > 0) tell('placement-sync verify --repair sends what differs again.');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1)}…` : text;
}
