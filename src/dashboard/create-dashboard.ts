import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { State } from '../ports/state.js';
import { createAccess } from './access/access.js';
import { createActions } from './actions.js';
import { asset, ASSET_NAMES } from './assets.js';
import { failure, refuse } from './answers.js';
import { coverageRoutes } from './coverage-routes.js';
import type { DashboardOptions } from './dashboard-options.js';
import type { DashboardEnv, DashboardRequest } from './dashboard-request.js';
import { doneMessage } from './done-message.js';
import { deliveryRoutes } from './delivery-routes.js';
import { createPages } from './open-page.js';
import { overviewPage } from './pages/overview-page.js';
import { loginPage, noticePage } from './pages/plain-pages.js';
import { CHART_RANGES, chartRange, hoursOf, type ChartRange } from './chart-bars.js';
import { historyRoutes } from './history-routes.js';
import { postRoutes } from './post-routes.js';
import { readOverview } from './read-overview.js';
import { recordRoutes } from './record-routes.js';
import { localPath } from './local-path.js';
import { whenGone } from '../runtime/http/when-gone.js';
import { createSharedReading } from './shared-reading.js';
import { PATIENCE_MS, answerInTime } from './answer-in-time.js';

/** One year, seconds. */
const FOR_EVER = 31_536_000;

/** Time limit of a shared reading, milliseconds: it has many statements. */
const READING_MS = 60_000;

/**
 * The pages for people: the state, the problems, and buttons that do what the commands do. Server-rendered; a script
 * updates the visible page. A caller who is not admitted learns nothing about the worker.
 */
export function createDashboard(options: DashboardOptions): Hono<DashboardEnv> {
  const { host, token, clock, stateUntil, entities, settings, emit } = options;
  const access = createAccess(host, token, clock);
  const pages = createPages(options, access);
  /** A shared reading goes on when its first caller leaves, so it needs its own time limit. */
  const together = <T>(read: (state: State) => Promise<T>) =>
    answerInTime(READING_MS, new AbortController().signal, (signal) => read(stateUntil(signal)));
  // Counting reads every unsettled record, so all pages share the counts.
  const counts = new Map(
    entities.map(({ name }) => [
      name,
      createSharedReading(
        () => together((state) => state.records.counts(name)),
        () => clock.monotonic(),
      ),
    ]),
  );
  const overview = createSharedReading(
    () =>
      together((state) =>
        readOverview({
          ...options,
          state,
          counts: (name) => counts.get(name)?.read() ?? state.records.counts(name),
        }),
      ),
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
  const app = new Hono<DashboardEnv>();

  app.use(headers());
  for (const name of ASSET_NAMES) {
    app.get(`/${name}`, (c) => {
      const { type, text } = asset(name);
      c.header('Cache-Control', `public, max-age=${FOR_EVER}, immutable`);
      return c.body(text, 200, { 'Content-Type': type });
    });
  }
  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    c.set('page', pages.open(c));
    const admission = access.admit(c);
    const refusal = refuse(c, admission);
    // The log-in page is open to callers who are not admitted, unless the dashboard is switched off.
    if (refusal && !(admission === 'login' && c.req.path === '/login')) return refusal;
    return next();
  });

  app.get('/', async (c) => {
    const page = c.get('page');
    const range = chartRange(c.req.query('range'));
    const [read, answered] = await answerInTime(PATIENCE_MS, whenGone(c.env.incoming.socket), () =>
      Promise.all([overview.read(), answers.get(range)?.read() ?? { now: new Date(), hours: [] }]),
    );
    const said = doneMessage(page, new URL(c.req.url).searchParams);
    return c.html(overviewPage(page, { overview: read, answers: { range, ...answered }, said }));
  });
  recordRoutes(app, options);
  deliveryRoutes(app, options);
  historyRoutes(app, options);
  coverageRoutes(app, options);
  app.get('/login', (c) => {
    const back = localPath(c.req.query('back'));
    return access.hasToken ? c.html(loginPage(c.get('page'), back, null)) : c.redirect('/', 303);
  });
  const forget = () => [overview, ...counts.values()].forEach((reading) => reading.forget());
  // Marking many records may take long, so the buttons have their own time limits.
  const actions = createActions({ state: options.actingState, settings, emit });
  postRoutes(app, { access, actions, entities, forget });

  app.notFound((c) => {
    const page = c.get('page');
    const { notFound, notFoundReason, notFoundHint } = page.texts.refusals;
    return c.html(noticePage(page, { title: notFound, reason: notFoundReason, hint: notFoundHint }), 404);
  });
  app.onError((error, c) => failure(error, c as DashboardRequest, emit));
  return app;
}

/** Nothing from elsewhere is loaded, nothing is framed, nothing is sent elsewhere. */
function headers() {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    // With no-referrer a browser sends `Origin: null` with our own forms; a path may hold a key.
    referrerPolicy: 'strict-origin',
    xFrameOptions: 'DENY',
    // The proxy that adds TLS says this; over HTTP it means nothing.
    strictTransportSecurity: false,
    // Ignored with a complaint where there is no TLS.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
}
