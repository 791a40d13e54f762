import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import { SyncError } from '../core/domain/errors.js';
import type { Emit } from '../core/domain/events.js';
import { type EntityName, type Language, LANGUAGES } from '../core/domain/names.js';
import type { Clock } from '../core/ports/clock.js';
import { whenGone } from '../features/http/own-origin.js';
import { withinTime } from '../core/runtime/time.js';
import { type Access, type Admission, type AdmissionSettings, createAccess } from './access.js';
import { asset, ASSET_NAMES } from './assets.js';
import { type DashboardEnv, type DashboardRequest, localPath, readForm } from './dashboard-request.js';
import { withoutDone } from './done-message.js';
import type { Page } from './pages/elements.js';
import { loginPage, noticePage } from './pages/layout.js';
import { createFormat } from './text/format.js';
import { asLanguage, chooseLanguage, TEXTS } from './text/language.js';

export interface ShellOptions extends PagesOptions, AdmissionSettings {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly emit: Emit;
  /** Changes what pages know; left out: nothing is changed. */
  readonly adapt?: (page: Page) => Page;
}

const YEAR_SECONDS = 31_536_000;

/**
 * What the pages of a worker and those of a fleet have in common: who is admitted, log-in, headers, style and script,
 * and the pages for errors. The routes of the returned app need no check of their own. A caller who is not admitted
 * learns nothing about the process.
 */
export function createShell(options: ShellOptions): {
  readonly app: Hono<DashboardEnv>;
  readonly access: Access;
} {
  const { clock, emit, adapt = (page) => page } = options;
  const access = createAccess(options, clock);
  const pageFor = createPages(options, access);
  const app = new Hono<DashboardEnv>();

  app.use(headers());
  for (const name of ASSET_NAMES) {
    app.get(`/${name}`, (c) => {
      const { type, text } = asset(name);
      c.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
      return c.body(text, 200, { 'Content-Type': type });
    });
  }
  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    const admission = access.admit(c);
    c.set('page', adapt(pageFor(c)));
    // The log-in page is open to callers who are not admitted, unless the dashboard is switched off.
    const isLogin = admission === 'login' && c.req.path === '/login';
    const notAdmitted = isLogin ? null : refuse(c, admission);
    if (notAdmitted) return notAdmitted;
    if (!READS.includes(c.req.method) && !OF_SESSION.includes(c.req.path) && !access.mayAct(c))
      return refused(c, 'look');
    return next();
  });
  logInRoutes(app, access);
  app.notFound((c) => refused(c, 'notFound'));
  app.onError((error, c) => failure(error, c as DashboardRequest, emit));
  return { app, access };
}

const READS: readonly string[] = ['GET', 'HEAD'];
/** What everybody may send: it changes nothing but the caller's own session. */
const OF_SESSION: readonly string[] = ['/login', '/logout'];

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

const LANGUAGE = 'placement_sync_language';

/** What is the same on every page, as `DashboardOptions` has it. */
interface PagesOptions extends Pick<Page, 'navigation' | 'version' | 'holder' | 'runbookUrl'> {
  /** `guards.requireReason`; left out: false. */
  readonly requireReason?: boolean;
  readonly timeZone: string;
  /** Of `Page`; left out: it has no single place. */
  readonly where?: string;
  /** Left out: all. */
  readonly languages?: readonly Language[];
  readonly entities: readonly { readonly name: EntityName; readonly onVanished?: string }[];
}

function createPages(
  {
    timeZone,
    languages = LANGUAGES,
    version,
    holder,
    entities,
    runbookUrl,
    navigation,
    requireReason = false,
    where = '',
  }: PagesOptions,
  access: Access,
): (c: DashboardRequest) => Page {
  const formats = { en: createFormat('en', timeZone), id: createFormat('id', timeZone) };
  return (c) => {
    const asked = c.req.query('lang');
    const chosen = chooseLanguage(asked, getCookie(c, LANGUAGE), c.req.header('accept-language'));
    const language = languages.includes(chosen) ? chosen : 'en';
    if (asLanguage(asked) !== null)
      setCookie(c, LANGUAGE, language, {
        path: '/',
        sameSite: 'Strict',
        httpOnly: true,
        maxAge: YEAR_SECONDS,
      });
    c.header('Content-Language', language);
    return {
      language,
      languages,
      texts: TEXTS[language],
      format: formats[language],
      path: withoutDone(c.req.url),
      formToken: access.formToken(c),
      loggedIn: access.isLoggedIn(c),
      mayAct: access.mayAct(c),
      requireReason,
      version,
      runbookUrl,
      holder,
      entities: entities.map(({ name }) => name),
      leftOpen: entities.flatMap(({ name, onVanished }) =>
        onVanished === 'report' || onVanished === 'ignore' ? [name] : [],
      ),
      where,
      navigation,
    };
  };
}

function logInRoutes(app: Hono<DashboardEnv>, access: Access): void {
  app.get('/login', (c) => {
    const back = localPath(c.req.query('back'));
    return access.hasToken ? c.html(loginPage(c.get('page'), back, null)) : c.redirect('/', 303);
  });
  app.post('/login', async (c) => {
    if (!access.isIntendedLogin(c)) return refused(c, 'form');
    const { token = '', back }: Readonly<Record<string, string>> = Object.fromEntries(await readForm(c));
    const page = c.get('page');
    const outcome = access.logIn(c, token);
    if (outcome === 'welcome') return c.redirect(localPath(back), 303);
    if (outcome === 'wrong') return c.html(loginPage(page, localPath(back), page.texts.loginWrong), 401);
    c.header('Retry-After', String(outcome.wait));
    const problem = page.texts.loginTooMany(page.format.number(outcome.wait));
    return c.html(loginPage(page, localPath(back), problem), 429);
  });
  app.post('/logout', async (c) => {
    const form = await readForm(c);
    if (!access.isIntended(c, form.get('form') ?? '')) return refused(c, 'form');
    access.logOut(c);
    return c.redirect('/login', 303);
  });
}

/** The page for a request that is not admitted; null: admitted. */
function refuse(c: DashboardRequest, admission: Admission): Response | Promise<Response> | null {
  const page = c.get('page');
  const { refusals } = page.texts;
  if (admission === 'admitted') return null;
  if (admission === 'switched-off') return refused(c, 'noToken', true);
  if (admission === 'foreign-host') {
    const reason = refusals.hostReason((c.req.header('host') ?? '').slice(0, 100));
    return refusal(c, 403, { title: refusals.host, reason, hint: refusals.hostHint, bare: true });
  }
  if (admission === 'login') {
    c.header('WWW-Authenticate', 'Bearer');
    const back = c.req.method === 'GET' ? localPath(page.path) : '/';
    return c.html(loginPage(page, back, null), 401);
  }
  c.header('Retry-After', String(admission.wait));
  return c.html(loginPage(page, '/', page.texts.loginTooMany(page.format.number(admission.wait))), 429);
}

type Refusal = Parameters<typeof noticePage>[1];

function refusal(c: DashboardRequest, status: 400 | 403 | 404 | 409 | 500 | 503, why: Refusal) {
  return c.html(noticePage(c.get('page'), why), status);
}

/** Why nothing is shown or done, where that has a text of its own, and the status that says the same. */
const REFUSED = {
  noToken: 403,
  form: 403,
  look: 403,
  noReason: 400,
  noNumber: 400,
  notFound: 404,
  badRequest: 400,
  unexpected: 500,
} as const;

export function refused(c: DashboardRequest, name: keyof typeof REFUSED, bare = false) {
  const { refusals } = c.get('page').texts;
  const hint = name === 'badRequest' ? refusals.notFoundHint : refusals[`${name}Hint` as const];
  const reason = refusals[`${name}Reason` as const];
  return refusal(c, REFUSED[name], { title: refusals[name], reason, hint, bare });
}

/** The page for an error, without the parts of the error that are not meant for people. */
function failure(error: Error, c: DashboardRequest, emit: Emit): Response | Promise<Response> {
  const page = c.get('page') as Page | undefined;
  // The caller has hung up and will see no page.
  if (!page || whenGone(c.env.incoming.socket).aborted) return c.text('failed\n', 503);
  const { refusals } = page.texts;
  if (!(error instanceof SyncError)) {
    emit({ type: 'warning', message: `The dashboard failed: ${error.message}` });
    return refused(c, 'unexpected');
  }
  const { message, hint = '' } = error;
  if (error.code === 'environment-changed')
    return refusal(c, 409, { title: refusals.otherEnvironment, reason: message, hint });
  c.header('Retry-After', '5');
  const busy = whyBusy(error, page);
  return busy === null
    ? refusal(c, 503, { title: refusals.unavailable, reason: message, hint: refusals.unavailableHint })
    : refusal(c, 503, { title: refusals.busy, reason: busy, hint: refusals.busyHint });
}

/** Postgres' codes for a wait for a lock, and for a statement, that took too long. */
const TOO_LONG: readonly unknown[] = ['55P03', '57014'];

/** Null: the database is not busy, the cause is another one. */
function whyBusy({ code, details }: SyncError, { texts: { refusals }, format }: Page): string | null {
  if (details.busy === true)
    return code === 'source-unavailable' ? refusals.manyForSource : refusals.manyForState;
  if (typeof details.timeout === 'number') return refusals.timeout(format.number(details.timeout / 1000));
  return TOO_LONG.includes(details.code) ? refusals.locked : null;
}

/** How long a page waits for the databases, milliseconds. */
export const PATIENCE_MS = 12_000;

/** What a page reads for this request: as `answerInTime`, for a caller who may hang up. */
export function readFor<T>(
  c: DashboardRequest,
  work: (signal: AbortSignal) => Promise<T>,
  ms = PATIENCE_MS,
): Promise<T> {
  return answerInTime(ms, whenGone(c.env.incoming.socket), work);
}

/**
 * The result of `work` if it comes in time and the caller still waits. Otherwise the signal of `work` aborts, and the
 * page does not wait for its end.
 * Errors: those of `work`; SyncError `state-unavailable` with `details.timeout` after `ms`, `interrupted` when `gone`
 * aborts.
 */
export async function answerInTime<T>(
  ms: number,
  gone: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withinTime(
    ms,
    gone,
    (signal) =>
      new Promise((resolve, reject) => {
        const leave = () =>
          reject(
            gone.aborted
              ? new SyncError('interrupted', 'the caller of the page has left', { scope: 'run' })
              : new SyncError('state-unavailable', `no answer within ${ms} ms`, {
                  scope: 'run',
                  details: { timeout: ms },
                }),
          );
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        work(signal).then(resolve, reject);
      }),
  );
}
