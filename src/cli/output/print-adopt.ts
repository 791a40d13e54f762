import { ERROR_CODES } from '../../domain/errors.js';
import type { AdoptReport } from '../../sync/read-back/adopt-records.js';
import { table } from './table.js';
import { say, writeOut } from './write.js';

const COLUMNS = ['checked', 'adopted', 'different', 'missing'] as const;
/** Not read; only where there are some. */
const UNREAD = ['waiting', 'invalid'] as const;

/** What the ledger took over from the platform, for people. */
export function printAdopt({ entities }: AdoptReport, exitCode: number, stopped: boolean): void {
  if (exitCode === ERROR_CODES.busy) {
    say('Nothing was read: another run is under way. Try again when it has ended.');
    return;
  }
  const counted = Object.entries(entities);
  const unread = UNREAD.filter((column) => counted.some(([, counters]) => (counters[column] ?? 0) > 0));
  const columns = [...COLUMNS, ...unread];
  const rows = counted.map(([name, counters]) => [name, ...columns.map((column) => counters[column] ?? 0)]);
  writeOut(table(['', ...columns], rows));
  if (stopped) say('Stopped by a signal. The records counted above are saved. Run adopt again for the rest.');
  const left = Object.values(entities).reduce((sum, { different, missing }) => sum + different + missing, 0);
  say(
    left === 0
      ? 'Nothing was sent.'
      : 'Nothing was sent. Different and missing records are pending. The next run sends them.',
  );
  if (unread.includes('waiting')) say('Waiting records were not read: their parents have no reference yet.');
  if (unread.includes('invalid'))
    say(
      'Invalid records were not read: their rows have errors, so they cannot be sent. See placement-sync status.',
    );
}
