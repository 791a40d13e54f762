import type { Trouble } from '../../domain/trouble/trouble.js';
import type { StatusReport } from '../../sync/explain/read-status.js';
import { printTroubles } from './print-troubles.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const COLUMNS = ['synced', 'pending', 'invalid', 'rejected', 'waiting', 'deferred', 'vanished'] as const;

/** How things stand, for people. */
export function printStatus({ entities, lastRun }: StatusReport, troubles: readonly Trouble[]): void {
  const rows = Object.entries(entities).map(([name, status]) => [
    name,
    ...COLUMNS.map((column) => status[column]),
    status.held ? 'HELD' : '-',
    shortTime(status.lastSuccessAt) ?? 'never',
    shortTime(status.oldestPendingAt) ?? '-',
  ]);
  writeOut(table(['', ...COLUMNS, 'held', 'last success', 'oldest pending'], rows));
  for (const [name, { heldBack }] of Object.entries(entities)) {
    const { vanished } = heldBack ?? { vanished: 0 };
    if (vanished > 0)
      say(
        `${name}: ${vanished === 1 ? 'one record is' : `${vanished} records are`} no longer in the source. The hold keeps that from being applied, so the counts are as before.`,
      );
  }
  say(lastRun ? lastRunText(lastRun) : 'No run yet.');
  printTroubles(troubles);
}

function lastRunText({
  outcome,
  exitCode,
  startedAt,
  message,
}: NonNullable<StatusReport['lastRun']>): string {
  const ended = outcome ?? (message === null ? 'under way' : 'cut off');
  const code = exitCode === null ? '' : `, exit code ${exitCode}`;
  return `Last run: ${ended}${code}, began ${shortTime(startedAt)}. ${message ?? ''}`.trimEnd();
}

/** An ISO time without fractions: `2026-01-31 08:00:00Z`. */
function shortTime(time: string | null): string | null {
  return time === null ? null : time.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}
