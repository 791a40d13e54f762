import { visibleText } from '../../domain/text.js';
import type { RecordLine } from '../../sync/explain/list-records.js';
import { io } from '../io.js';
import { localTime } from './local-time.js';
import { statusColour } from './status-colour.js';
import { table } from './table.js';
import { cutText } from './wrap-text.js';
import { widthOf, writeOut } from './write.js';

/** Longest title and reason on a terminal; a pipe gets all of them. */
const LONGEST_TITLE = 40;
const LONGEST_REASON = 80;

/** Records as a table, for people. */
export function printRecords(records: readonly RecordLine[], timeZone: string): void {
  const terminal = widthOf(io().stdout) !== undefined;
  const shown = (text: string | null, longest: number) =>
    cutText(visibleText((text ?? '-').replace(/\s+/g, ' ')), terminal ? longest : undefined);
  writeOut(
    table(
      ['entity', 'key', 'title', 'status', 'reason', 'last attempt'],
      records.map(({ entity, key, title, status, reason, lastAttemptAt }) => [
        entity,
        shown(key, Infinity),
        shown(title, LONGEST_TITLE),
        { text: status, colour: statusColour(status) },
        shown(reason, LONGEST_REASON),
        lastAttemptAt === null ? 'never' : localTime(new Date(lastAttemptAt), timeZone),
      ]),
    ),
  );
}
