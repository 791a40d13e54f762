import { ERROR_CODES } from '../../domain/errors.js';
import type { AdoptReport } from '../../sync/read-back/adopt-records.js';
import { table } from './table.js';
import { tell, writeOut } from './write.js';

const COLUMNS = ['checked', 'adopted', 'different', 'missing'] as const;

/** What was taken over from the platform, for people. */
export function printAdopt({ entities }: AdoptReport, exitCode: number, stopped: boolean): void {
  if (exitCode === ERROR_CODES.busy) {
    tell('Nothing was read: another run is under way. Try again when it has ended.');
    return;
  }
  const rows = Object.entries(entities).map(([name, counters]) => [
    name,
    ...COLUMNS.map((column) => counters[column]),
  ]);
  writeOut(table(['', ...COLUMNS], rows));
  if (stopped)
    tell('Stopped by a signal: what is counted above is written down; adopt again goes on with the rest.');
  tell('Nothing was sent. What is different or missing is pending: the next run sends it.');
}
