import type { RecordStatus } from '../../domain/names.js';
import { listRecords, type RecordLine } from '../../sync/explain/list-records.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { openState } from '../compose/open-state.js';
import { LISTED } from '../output/listed.js';
import { printRecords } from '../output/print-records.js';
import { writeJsonList } from '../output/write-json-list.js';
import { say } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** Rows of one table: a long list becomes several, so that it takes little memory. */
const TABLE_ROWS = 500;

interface RecordsFlags {
  readonly entity: string[];
  readonly status?: RecordStatus;
  readonly reason?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

/** Lists records of the ledger. */
export const recordsCommand: Handler = async ({ command, signal }) => {
  const { entity, status = null, reason = null, limit, json = false } = command.opts<RecordsFlags>();
  const { config } = commandContext(command);
  const names = configuredEntities(config, entity).map(({ name }) => name);
  const state = await openState(config, { signal });
  try {
    const list = (most: number) => listRecords(state.recordLists, names, { status, reason }, most);
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
  } finally {
    await state.close();
  }
};
