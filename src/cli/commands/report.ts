import { platformDay } from '../../contract/time.js';
import { reportDays } from '../../domain/report.js';
import { SyncError } from '../../domain/errors.js';
import { readReport } from '../../sync/read-report.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { openState } from '../compose/open-state.js';
import { systemClock } from '../compose/system-clock.js';
import { printReport } from '../output/print-report.js';
import { reportJson } from '../output/report-json.js';
import { writeDeliveryCsv } from '../output/write-delivery-csv.js';
import { writeJson } from '../output/write.js';
import type { Handler } from '../command-action.js';

/** Rows by day and parent: on a terminal, and in a document that a program reads as a whole. */
const PRINTED_LINES = 200;
const JSON_LINES = 10_000;

interface ReportFlags {
  readonly from?: string;
  readonly to?: string;
  readonly entity: string[];
  readonly csv?: boolean;
  readonly json?: boolean;
}

/** What was sent between two days, from the journal. */
export const reportCommand: Handler = async ({ command, signal }) => {
  const { entity, csv = false, json = false, ...asked } = command.opts<ReportFlags>();
  const { config } = commandContext(command);
  const { timeZone } = config.settings.platform;
  const entities = configuredEntities(config, entity).map(({ name }) => name);
  const days = reportDays(asked, platformDay(systemClock.now(), timeZone));
  if (days === null) {
    throw new SyncError('usage', 'The last day of the report is before the first.', {
      scope: 'usage',
      hint: 'Without --to the report ends today.',
    });
  }
  const state = await openState(config, { signal });
  try {
    const of = { ...days, timeZone, entities };
    if (csv) await writeDeliveryCsv(state.deliveries, of, signal);
    else {
      const report = await readReport(state, of, json ? JSON_LINES : PRINTED_LINES);
      if (json) writeJson(reportJson(report));
      else printReport(report, timeZone);
    }
    return 0;
  } finally {
    await state.close();
  }
};
