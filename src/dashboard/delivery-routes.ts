import type { Hono } from 'hono';
import { platformDay } from '../contract/time.js';
import { type DeliveryOutcome, isDay, reportDays } from '../domain/report.js';
import { uuidText } from '../domain/key.js';
import type { DeliveryPosition } from '../ports/queue.js';
import { whenGone } from '../runtime/http/own-origin.js';
import { readReport } from '../sync/read-report.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';
import { badRequest } from './answers.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardEnv } from './dashboard-request.js';
import { noticePage } from './pages/plain-pages.js';
import { reportPage } from './pages/report-page.js';
import { runPage } from './pages/run-page.js';

/** Requests on a page of a run. */
const PAGE_SIZE = 50;

/** Lines by day and parent of a report; a browser prints that many in a few seconds. */
const REPORT_LINES = 2_000;

/** The pages that show the journal: one run, and the report. */
export function deliveryRoutes(
  app: Hono<DashboardEnv>,
  { stateUntil, settings, clock, timeZone }: DashboardOptions,
): void {
  app.get('/runs/:id', async (c) => {
    const page = c.get('page');
    const { noRun: title, noRunReason: reason } = page.texts.report;
    const runId = uuidText(c.req.param('id'));
    const after = positionOf(c.req.query('after'));
    const outcome = outcomeOf(Object.keys(page.texts.report.outcomes), c.req.query('outcome'));
    if (after === undefined || outcome === undefined) return badRequest(c);
    const found =
      runId &&
      (await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), async (signal) => {
        const { runs, deliveries } = stateUntil(signal);
        const run = await runs.find(runId);
        return (
          run && { run, deliveries: await deliveries.ofRun(runId, { after, outcome, limit: PAGE_SIZE }) }
        );
      }));
    return found
      ? c.html(runPage(page, { ...found, outcome, first: after === null }))
      : c.html(noticePage(page, { title, reason, hint: page.texts.refusals.notFoundHint }), 404);
  });

  app.get('/report', async (c) => {
    const page = c.get('page');
    // An empty field of the form is as good as none.
    const [from, to, name] = ['from', 'to', 'entity'].map((field) =>
      c.req.query(field) === '' ? undefined : c.req.query(field),
    );
    const entity = page.entities.find((one) => one === name) ?? null;
    const valid = [from, to].every((day) => day === undefined || isDay(day));
    const days = valid ? reportDays({ from, to }, platformDay(clock.now(), timeZone)) : null;
    if (days === null || (name !== undefined && entity === null)) return badRequest(c);
    const entities = entity === null ? page.entities : [entity];
    const report = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), (signal) =>
      readReport(stateUntil(signal), { ...days, timeZone, entities }, REPORT_LINES),
    );
    const platforms = Object.values(settings.areas).map(({ baseUrl }) => baseUrl);
    return c.html(
      reportPage(page, { report, entity, platforms: [...new Set(platforms)], now: new Date(clock.now()) }),
    );
  });
}

/** `MICROSECONDS.REQUEST-ID`, as `runLink` writes it; null: from the beginning; undefined: not valid. */
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
