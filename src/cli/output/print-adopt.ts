import { ERROR_CODES } from '../../domain/errors.js';
import type { AdoptReport } from '../../sync/read-back/adopt-records.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

/** Of a run with invalid records. */
const INVALID = 3;

const COLUMNS = ['checked', 'adopted', 'different', 'missing'] as const;

/** What the ledger took over from the platform, for people. */
export function printAdopt({ entities }: AdoptReport, exitCode: number, stopped: boolean): void {
  if (exitCode === ERROR_CODES.busy) {
    say('Nothing was read: another run is under way. Try again when it has ended.');
    return;
  }
  const rows = Object.entries(entities).map(([name, counters]) => [
    name,
    ...COLUMNS.map((column) => counters[column]),
  ]);
  writeOut(table(['', ...COLUMNS], rows));
  if (stopped) say('Stopped by a signal. The records counted above are saved. Run adopt again for the rest.');
  const left = Object.values(entities).reduce((sum, { different, missing }) => sum + different + missing, 0);
  say(
    left === 0
      ? 'Nothing was sent.'
      : 'Nothing was sent. Different and missing records are pending. The next run sends them.',
  );
  if (exitCode === INVALID) say('Some records have errors (exit code 3). placement-sync status names them.');
}
