import type { Trouble } from '../../domain/trouble/trouble.js';
import type { StatusReport } from '../../sync/explain/read-status.js';
import { countCell } from './count-cell.js';
import { localTime } from './local-time.js';
import { printExpired } from './print-expired.js';
import { printForeign } from './print-foreign.js';
import { printTroubles } from './print-troubles.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const COLUMNS = ['synced', 'pending', 'invalid', 'rejected', 'waiting', 'deferred', 'vanished'] as const;

const BAD_OUTCOMES: readonly string[] = ['failed', 'aborted', 'held'];

/** How things stand, for people. */
export function printStatus(
  { entities, lastRun }: StatusReport,
  troubles: readonly Trouble[],
  timeZone: string,
): void {
  const time = (iso: string | null) => (iso === null ? null : localTime(new Date(iso), timeZone));
  const rows = Object.entries(entities).map(([name, status]) => [
    name,
    ...COLUMNS.map((column) => countCell(column, status[column])),
    status.held ? ({ text: 'HELD', colour: 'red' } as const) : '-',
    time(status.lastSuccessAt) ?? 'never',
    time(status.oldestPendingAt) ?? '-',
  ]);
  writeOut(table(['', ...COLUMNS, 'held', 'last success', 'oldest pending'], rows));
  for (const [name, { heldBack }] of Object.entries(entities)) {
    const { vanished } = heldBack ?? { vanished: 0 };
    if (vanished > 0)
      say(
        `${name}: ${vanished === 1 ? 'one record is' : `${vanished} records are`} no longer in the source. The hold keeps that from being applied, so the counts are as before.`,
      );
  }
  printExpired(entities, '');
  printForeign(entities, '');
  if (lastRun) {
    const { exitCode, message, startedAt } = lastRun;
    const outcome = lastRun.outcome ?? (message === null ? 'under way' : 'cut off');
    const code = exitCode === null ? '' : `, exit code ${exitCode}`;
    say(
      `Last run: ${outcome}${code}, began ${time(startedAt)}. ${message ?? ''}`.trimEnd(),
      BAD_OUTCOMES.includes(outcome) ? { part: outcome, colour: 'red' } : undefined,
    );
  } else say('No run yet.');
  printTroubles(troubles, timeZone);
}
