import type { VerifyResult } from '../../sync/read-back/verify-records.js';
import { verifyNotes, type VerifyReport } from '../../sync/read-back/verify-entity.js';
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
  {
    repaired,
    stopped,
    sampled,
    of,
    pathDoubts,
  }: {
    readonly repaired: boolean | null;
    readonly stopped: boolean;
    readonly sampled: boolean;
  } & Pick<VerifyResult, 'of' | 'pathDoubts'>,
): void {
  const counted = Object.entries(report.entities);
  writeOut(
    table(
      ['', ...COLUMNS],
      counted.map(([name, counters]) => [name, ...COLUMNS.map((column) => counters[column])]),
    ),
  );
  const why = sampled ? 'chosen at random' : 'the others changed meanwhile, or got no usable answer';
  const partly = counted.filter(([name, { checked }]) => checked < (of[name] ?? 0)).map(([name]) => name);
  if (!stopped)
    for (const name of partly)
      say(`${name}: checked ${report.entities[name]?.checked ?? 0} of ${of[name] ?? 0} records, ${why}.`);
  const { drift } = report;
  for (const { entity, key, field, sent, held } of drift.slice(0, LISTED))
    say(`  ${entity} ${key} ${field}: sent ${shown(sent)}, the platform has ${shown(held)}`);
  if (drift.length > LISTED) say(`  ${moreText(drift.length - LISTED)}; --json lists them.`);
  for (const line of notCompared(report)) say(line);
  for (const { message, hint } of [...verifyNotes(report), ...pathDoubts]) say(`${message}\n  ${hint}`);
  if (stopped) say('Stopped by a signal. The other records were not read back, and nothing was sent again.');
  const wrong = counted.filter(([, { drifted, missing }]) => drifted + missing > 0).map(([name]) => name);
  if (wrong.length === 0) return;
  // Of a doubted path the note above says what to do; --repair would refuse.
  const repairable = wrong.filter((name) => !pathDoubts.some(({ entity }) => entity === name));
  const command = `placement-sync verify --all --repair${repairable.map((name) => ` --entity ${name}`).join('')}`;
  const left = repairable.some((name) => partly.includes(name));
  if (repaired === null) {
    if (repairable.length > 0)
      say(`To send ${left ? 'these records, and others like them,' : 'these records'} again: ${command}`);
  } else if (repaired) {
    say('The records found to differ or to be missing were sent again, or are marked for it.');
    if (left) say(`The others were not looked at. To look at all of them: ${command}`);
  } else if (!stopped)
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
