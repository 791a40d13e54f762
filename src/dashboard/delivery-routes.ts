import type { Hono } from 'hono';
import { platformDay } from '../core/contract/time.js';
import { uuidText } from '../core/domain/key.js';
import type { EntityName } from '../core/domain/names.js';
import { isDay, reportDays } from '../features/report/report.js';
import type { DeliveryOutcome } from '../core/domain/delivery.js';
import type { DeliveryPosition } from '../features/report/deliveries.js';
import { whenGone } from '../features/http/own-origin.js';
import { openReport, type ReportDays } from '../features/report/read-report.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardEnv, DashboardRequest } from './dashboard-request.js';
import { noticePage } from './pages/layout.js';
import { REPORT_PATH, REPORTED_CSV_PATH, REPORTED_PATH } from './pages/links.js';
import { reportedRecordsPage, reportPage } from './pages/report-page.js';
import { runPage } from './pages/run-page.js';
import { gapSentence } from './text/format.js';
import { sendCsv } from './send-file.js';
import { readFor, refused } from './shell.js';

/*
 * The pages that show the journal: one run, the report by day, and the report by record with its file.
 */

const REQUESTS = 50;

/** Lines by day and parent of a report; a browser prints that many in a few seconds. */
const REPORT_LINES = 2_000;

/** Records of one page of the report: about ten sheets of paper. */
const REPORT_RECORDS = 200;

export function deliveryRoutes(app: Hono<DashboardEnv>, options: DashboardOptions): void {
  const { stateUntil, context } = options;
  const { settings, clock, emit } = context;
  const { timeZone } = settings.platform;
  app.get('/runs/:id', async (c) => {
    const page = c.get('page');
    const { noRun: title, noRunReason: reason } = page.texts.report;
    const runId = uuidText(c.req.param('id'));
    const after = positionOf(c.req.query('after'));
    const outcome = outcomeOf(Object.keys(page.texts.report.outcomes), c.req.query('outcome'));
    if (after === undefined || outcome === undefined) return refused(c, 'badRequest');
    const found =
      runId &&
      (await readFor(c, async (signal) => {
        const { runs, deliveries } = stateUntil(signal);
        const run = await runs.find(runId);
        return run && { run, deliveries: await deliveries.ofRun(runId, { after, outcome, limit: REQUESTS }) };
      }));
    return found
      ? c.html(runPage(page, { ...found, outcome, first: after === null }))
      : c.html(noticePage(page, { title, reason, hint: page.texts.refusals.notFoundHint }), 404);
  });

  const asked = (c: DashboardRequest) =>
    askedReport(c, { today: platformDay(clock.now(), timeZone), timeZone });

  app.get(REPORT_PATH, async (c) => {
    const query = asked(c);
    if (query === null) return refused(c, 'badRequest');
    const report = await readFor(c, (signal) =>
      openReport(stateUntil(signal).deliveries, query.days).byDay(REPORT_LINES),
    );
    return c.html(reportPage(c.get('page'), { ...query, report, settings, now: new Date(clock.now()) }));
  });

  app.get(REPORTED_PATH, async (c) => {
    const query = asked(c);
    const after = positionOf(c.req.query('after'));
    if (query === null || after === undefined) return refused(c, 'badRequest');
    const { days, entity } = query;
    const [coverage, found] = await readFor(c, (signal) => {
      const report = openReport(stateUntil(signal).deliveries, days);
      return Promise.all([report.coverage('record'), report.byRecord({ after, limit: REPORT_RECORDS })]);
    });
    return c.html(
      reportedRecordsPage(c.get('page'), {
        ...{ days, entity, found, coverage, settings },
        first: after === null,
        now: new Date(clock.now()),
      }),
    );
  });

  app.get(REPORTED_CSV_PATH, async (c) => {
    const query = asked(c);
    if (query === null) return refused(c, 'badRequest');
    const { days } = query;
    const report = openReport(stateUntil(whenGone(c.env.incoming.socket)).deliveries, days);
    const parts = report.csv('record', { settings, sentence: gapSentence(days.timeZone) });
    return sendCsv(c, `records-${days.from}-${days.to}.csv`, parts, emit);
  });
}

const LONGEST = 200;

/** What the address of a report asks for. Null: it is not valid. */
function askedReport(
  c: DashboardRequest,
  { today, timeZone }: { readonly today: string; readonly timeZone: string },
): { readonly days: ReportDays; readonly entity: EntityName | null } | null {
  const { entities: known } = c.get('page');
  // An empty field of the form is as good as none.
  const [from, to, name, company] = ['from', 'to', 'entity', 'company'].map((field) => {
    const text = c.req.query(field)?.replaceAll('\0', '').trim();
    return text === '' ? undefined : text;
  });
  const entity = known.find((one) => one === name) ?? null;
  const valid = [from, to].every((day) => day === undefined || isDay(day));
  const days = valid ? reportDays({ from, to }, today) : null;
  if (days === null || (name !== undefined && entity === null)) return null;
  const entities = entity === null ? known : [entity];
  return { days: { ...days, timeZone, entities, company: company?.slice(0, LONGEST) ?? null }, entity };
}

/** `MICROSECONDS.REQUEST-ID`, as `positionText` writes it; null: from the beginning; undefined: not valid. */
function positionOf(text: string | undefined): DeliveryPosition | null | undefined {
  if (text === undefined) return null;
  const [micros = '', id = ''] = text.split('.', 2);
  const requestId = uuidText(id);
  return requestId !== null && /^\d{1,16}$/.test(micros) ? { micros, requestId } : undefined;
}

/** Null: all; undefined: not valid. */
function outcomeOf(known: readonly string[], text: string | undefined): DeliveryOutcome | null | undefined {
  if (text === undefined || text === '') return null;
  return known.includes(text) ? (text as DeliveryOutcome) : undefined;
}
