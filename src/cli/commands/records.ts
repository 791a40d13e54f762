import type { RecordStatus } from '../../core/domain/names.js';
import { visibleText } from '../../core/domain/text.js';
import { listRecords, type RecordLine } from '../../features/look/list-records.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withState } from '../compose/open-state.js';
import { io } from '../io.js';
import { localTime } from '../../core/contract/time.js';
import { statusColour, table } from '../output/table.js';
import { cutText, LISTED, say, widthOf, writeAndWait, writeOut } from '../output/write.js';

/** Rows of one table: a long list becomes several, so that it takes little memory. */
const TABLE_ROWS = 500;

interface RecordsFlags {
  readonly entity: string[];
  readonly status?: RecordStatus;
  readonly reason?: string;
  readonly search?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

export const recordsCommand: Handler = async ({ command, signal }) => {
  const flags = command.opts<RecordsFlags>();
  const { entity, status = null, reason = null, search = null, limit, json = false } = flags;
  const { config } = commandContext(command);
  const names = configuredEntities(config, entity).map(({ name }) => name);
  return withState(config, signal, async (state) => {
    const list = (most: number) => listRecords(state.recordLists, names, { status, reason, search }, most);
    if (json) {
      await writeJsonList('records', list(limit ?? Infinity));
      return 0;
    }
    const most = limit ?? LISTED;
    let left = most;
    const rows: RecordLine[] = [];
    const print = () => {
      const shown = rows.splice(0).slice(0, left);
      left -= shown.length;
      if (shown.length > 0) printRecords(shown, config.settings.platform.timeZone);
    };
    let found = 0;
    // One more shows whether the list goes on.
    for await (const page of list(most + 1)) {
      found += page.length;
      rows.push(...page);
      if (rows.length >= TABLE_ROWS) print();
    }
    print();
    if (found === 0) say('No records.');
    if (found > most) say('There are more; --limit lists more of them, --json lists all.');
    return 0;
  });
};

/** Longest title and reason on a terminal; a pipe gets all of them. */
const LONGEST_TITLE = 40;
const LONGEST_REASON = 80;

function printRecords(records: readonly RecordLine[], timeZone: string): void {
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

/** One JSON object with one list, written page by page: its length does not matter. Ends early when nobody reads it. */
async function writeJsonList(name: string, pages: AsyncIterable<readonly object[]>): Promise<void> {
  let separator = `{\n  ${JSON.stringify(name)}: [\n    `;
  for await (const page of pages) {
    const text = page.map((each) => JSON.stringify(each)).join(',\n    ');
    if (!(await writeAndWait(separator + visibleText(text)))) return;
    separator = ',\n    ';
  }
  await writeAndWait(separator.startsWith('{') ? `{ ${JSON.stringify(name)}: [] }\n` : '\n  ]\n}\n');
}
