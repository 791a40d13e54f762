import type { Hono } from 'hono';
import { isLoopback } from '../core/runtime/loopback.js';
import type { State } from '../features/create-state.js';
import { deliveryRoutes } from './delivery-routes.js';
import { historyRoutes, postRoutes } from './routes.js';
import type { DashboardOptions } from './dashboard-options.js';
import { answerInTime, createShell, readFor } from './shell.js';
import type { DashboardEnv } from './dashboard-request.js';
import { doneMessage } from './done-message.js';
import { navigation } from './pages/layout.js';
import { recordRoutes } from './record-routes.js';
import { overviewPage } from './pages/overview-page.js';
import { CHART_HOURS } from './chart.js';
import { createSharedReading, readOverview } from './read-overview.js';

/** A worker takes its leases within this time, milliseconds. */
const STARTING_MS = 15_000;

/** Time limit of a shared reading, milliseconds: it has many statements. */
const READING_MS = 60_000;

/**
 * The pages for people: the state, the problems, and buttons that do what the commands do. Server-rendered; a script
 * updates the visible page. A caller who is not admitted learns nothing about the worker.
 */
export function createDashboard(options: DashboardOptions): Hono<DashboardEnv> {
  const { context, stateUntil } = options;
  const { clock, settings } = context;
  const { app, access } = createShell({
    ...{ ...context, ...options },
    navigation,
    requireReason: settings.guards.requireReason,
    timeZone: settings.platform.timeZone,
    where: whereText(options),
  });
  /** A shared reading goes on when its first caller leaves, so it needs its own time limit. */
  const together = <T>(read: (state: State) => Promise<T>) =>
    answerInTime(READING_MS, new AbortController().signal, (signal) => read(stateUntil(signal)));
  const openedAt = clock.monotonic();
  // Counting reads every unsettled record, so all pages share it. It is of the same time as everything beside it.
  const overview = createSharedReading(
    () =>
      together((state) =>
        readOverview(state, options, { isStarting: clock.monotonic() - openedAt < STARTING_MS }),
      ),
    () => clock.monotonic(),
  );
  const answers = createSharedReading(
    () => together((state) => state.pushHours.recent(CHART_HOURS)),
    () => clock.monotonic(),
  );
  app.get('/', async (c) => {
    const page = c.get('page');
    const [{ value, ageMs }, answered] = await readFor(c, () =>
      Promise.all([overview.read(), answers.read()]),
    );
    const said = doneMessage(page, new URL(c.req.url).searchParams);
    return c.html(overviewPage(page, { overview: value, ageMs, answers: answered.value, said }));
  });
  recordRoutes(app, options);
  deliveryRoutes(app, options);
  historyRoutes(app, options, access);
  postRoutes(app, options, access, () => overview.forget());
  return app;
}

/** Names of hosts that are not the real platform. */
const REHEARSAL = /(?:^|[.-])(sandbox|staging|stage|stg|dev|test|uat|demo|qa)(?:[.-]|$)/;

/** `PRODUCTION joss.kemnaker.go.id · portalkerja`: two windows must not look alike. */
function whereText({ context, sourceName }: DashboardOptions): string {
  const urls = Object.values(context.settings.areas).map(({ baseUrl }) => new URL(baseUrl));
  const hosts = [...new Set(urls.map(({ host }) => host))];
  const kinds = urls.map(({ hostname }) =>
    isLoopback(hostname) ? 'sandbox' : (REHEARSAL.exec(hostname)?.[1] ?? 'production'),
  );
  return [
    `${[...new Set(kinds)].join(', ').toUpperCase()} ${hosts.join(', ')}`,
    ...(sourceName ? [sourceName] : []),
  ].join(' · ');
}
