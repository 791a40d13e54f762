import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Emit } from '../domain/events.js';
import type { Clock } from '../ports/clock.js';
import { createAccess, type Access } from './access/access.js';
import { asset, ASSET_NAMES } from './assets.js';
import { failure, refuse } from './answers.js';
import type { DashboardEnv, DashboardRequest } from './dashboard-request.js';
import { logInRoutes } from './log-in-routes.js';
import { createPages, type PagesOptions } from './open-page.js';
import type { Page } from './pages/page.js';
import { noticePage } from './pages/plain-pages.js';

export interface ShellOptions extends PagesOptions {
  /** `http.admin.host` */
  readonly host: string;
  /** `http.admin.token`; null: only this machine has access. */
  readonly token: string | null;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly emit: Emit;
  /** Changes what pages know; left out: nothing is changed. */
  readonly adapt?: (page: Page) => Page;
}

/** One year, seconds. */
const FOR_EVER = 31_536_000;

/**
 * What the pages of a worker and those of a fleet have in common: who is admitted, log-in, headers, style and script,
 * and the pages for errors. The routes of the returned app need no check of their own. A caller who is not admitted
 * learns nothing about the process.
 */
export function createShell(options: ShellOptions): {
  readonly app: Hono<DashboardEnv>;
  readonly access: Access;
} {
  const { host, token, clock, emit, adapt = (page) => page } = options;
  const access = createAccess(host, token, clock);
  const pages = createPages(options, access);
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
    c.set('page', adapt(pages.open(c)));
    const admission = access.admit(c);
    const refusal = refuse(c, admission);
    // The log-in page is open to callers who are not admitted, unless the dashboard is switched off.
    if (refusal && !(admission === 'login' && c.req.path === '/login')) return refusal;
    return next();
  });
  logInRoutes(app, access);
  app.notFound((c) => {
    const page = c.get('page');
    const { notFound, notFoundReason, notFoundHint } = page.texts.refusals;
    return c.html(noticePage(page, { title: notFound, reason: notFoundReason, hint: notFoundHint }), 404);
  });
  app.onError((error, c) => failure(error, c as DashboardRequest, emit));
  return { app, access };
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
