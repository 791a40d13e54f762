import type { Hono } from 'hono';
import type { State } from '../features/create-state.js';
import { deliveryRoutes } from './delivery-routes.js';
import { createActions, historyRoutes, postRoutes } from './routes.js';
import type { DashboardOptions } from './dashboard-options.js';
import { answerInTime, createShell, readFor } from './shell.js';
import type { DashboardEnv } from './dashboard-request.js';
import { doneMessage } from './done-message.js';
import { navigation } from './pages/layout.js';
import { recordRoutes } from './record-routes.js';
import { overviewPage } from './pages/overview-page.js';
import { CHART_RANGES, chartRange, type ChartRange, hoursOf } from './chart.js';
import { createSharedReading, readOverview } from './read-overview.js';

/** Time limit of a shared reading, milliseconds: it has many statements. */
const READING_MS = 60_000;

/**
 * The pages for people: the state, the problems, and buttons that do what the commands do. Server-rendered; a script
 * updates the visible page. A caller who is not admitted learns nothing about the worker.
 */
export function createDashboard(options: DashboardOptions): Hono<DashboardEnv> {
  const { clock, stateUntil, entities, settings, emit } = options;
  const requireReason = settings.guards?.requireReason ?? false;
  const { app, access } = createShell({ ...options, navigation, requireReason });
  /** A shared reading goes on when its first caller leaves, so it needs its own time limit. */
  const together = <T>(read: (state: State) => Promise<T>) =>
    answerInTime(READING_MS, new AbortController().signal, (signal) => read(stateUntil(signal)));
  // Counting reads every unsettled record, so all pages share it. It is of the same time as everything beside it.
  const overview = createSharedReading(
    () =>
      together((state) => readOverview({ ...options, state, counts: (name) => state.records.counts(name) })),
    () => clock.monotonic(),
  );
  const answers = new Map(
    (Object.keys(CHART_RANGES) as readonly ChartRange[]).map((range) => [
      range,
      createSharedReading(
        () => together((state) => state.pushHours.recent(hoursOf(range))),
        () => clock.monotonic(),
      ),
    ]),
  );
  app.get('/', async (c) => {
    const page = c.get('page');
    const range = chartRange(c.req.query('range'));
    const [read, answered] = await readFor(c, () =>
      Promise.all([overview.read(), answers.get(range)?.read() ?? null]),
    );
    const hours = answered?.value ?? { now: new Date(), hours: [] };
    const said = doneMessage(page, new URL(c.req.url).searchParams);
    return c.html(
      overviewPage(page, { overview: read.value, ageMs: read.ageMs, answers: { range, ...hours }, said }),
    );
  });
  recordRoutes(app, options);
  deliveryRoutes(app, options);
  historyRoutes(app, options, access);
  const forget = () => overview.forget();
  // Marking many records may take long, so the buttons have their own time limits.
  const actions = createActions({ state: options.actingState, settings, emit });
  postRoutes(app, { access, actions, look: options.look, entities, requireReason, forget });
  return app;
}
