import { verifyNotes } from '../../sync/read-back/verify-notes.js';
import type { VerifyReport } from '../../sync/read-back/verify-report.js';
import { moreText } from './more-text.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const COLUMNS = ['checked', 'same', 'drifted', 'missing'] as const;

/** Differences listed for people; `--json` lists all. */
const LISTED = 20;

/** Longest value in a line. */
const VALUE_LENGTH = 60;

/** What differs at the platform, for people. `repaired`: nothing is left of it; null: no repair was asked for. */
export function printVerify(
  report: VerifyReport,
  { repaired, stopped }: { readonly repaired: boolean | null; readonly stopped: boolean },
): void {
  const counted = Object.entries(report.entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      counted.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]),
    ),
  );
  const { drift } = report;
  for (const { entity, key, field, sent, held } of drift.slice(0, LISTED))
    say(`  ${entity} ${key} ${field}: sent ${shown(sent)}, the platform has ${shown(held)}`);
  if (drift.length > LISTED) say(`  ${moreText(drift.length - LISTED)}; --json lists them.`);
  for (const line of notCompared(report)) say(line);
  for (const { message, hint } of verifyNotes(report)) say(`${message}\n  ${hint}`);
  if (stopped) say('Stopped by a signal. The other records were not read back, and nothing was sent again.');
  const wrong = counted.reduce((sum, [, { drifted, missing }]) => sum + drifted + missing, 0);
  if (wrong === 0) return;
  if (repaired === null) say('To send these records again: placement-sync verify --repair');
  else if (repaired) say('The records that differ or are missing were sent again, or are marked for it.');
  else if (!stopped)
    say(
      'Some of these records still differ or are missing. They were not sent again, or the platform kept what it had.',
    );
}

/** What the replies did not show, one line for each entity. */
function notCompared({ notCompared: fields = [] }: VerifyReport): readonly string[] {
  const names = [...new Set(fields.map(({ entity }) => entity))];
  return names.map((name) => {
    const ofEntity = fields.filter(({ entity }) => entity === name);
    const counted = ofEntity.map(
      ({ field, records }) => `${field} (${records} ${records === 1 ? 'record' : 'records'})`,
    );
    return `${name}: not compared, because the platform does not show it: ${counted.join(', ')}.`;
  });
}

/** Null stands for what is absent, too. */
function shown(value: unknown): string {
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1)}…` : text;
}
