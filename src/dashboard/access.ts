import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { isOwnOrigin, namesThisMachine } from '../runtime/http/own-origin.js';
import { listensOnLoopback } from '../runtime/loopback.js';
import type { DashboardRequest } from './dashboard-request.js';

/*
 * Who may see pages and press buttons. A caller shows the token, in a header or once in the log-in form, which gives him a
 * session. Names of browsers, sessions and forms are sealed with the token, so nothing is stored. Guesses are limited.
 */

const VISIT = 'placement_sync_visit';
const SESSION = 'placement_sync_session';

export type Admission = 'admitted' | 'switched-off' | 'foreign-host' | 'login' | { readonly wait: number };

export type Access = ReturnType<typeof createAccess>;

/**
 * A token that is set is always required. Without one, only this machine is admitted, and nobody if other machines can
 * reach the listener. `host`, `token`: those of `http.admin`.
 */
export function createAccess(host: string, token: string | null, clock: Pick<Clock, 'now' | 'monotonic'>) {
  const seals = createSeals(token);
  const guesses = createGuessLimit(() => clock.monotonic());
  const visits = new WeakMap<Request, string>();

  /** The browser's name; the answer to this request sets one if it has none. */
  const visitOf = (context: DashboardRequest): string => {
    const known = visits.get(context.req.raw) ?? getCookie(context, VISIT);
    if (known) return known;
    return giveVisit(context);
  };
  const giveVisit = (context: DashboardRequest): string => {
    const visit = seals.newVisit();
    visits.set(context.req.raw, visit);
    setCookie(context, VISIT, visit, cookieOptions(context));
    return visit;
  };
  const guess = (context: DashboardRequest, given: string): 'right' | 'wrong' | { wait: number } => {
    const address = context.env.incoming.socket.remoteAddress ?? '';
    const wait = guesses.secondsToWait(address);
    if (wait > 0) return { wait };
    if (seals.isToken(given)) return 'right';
    guesses.noteWrong(address);
    return 'wrong';
  };

  /** By a session, not by the token itself. */
  const isLoggedIn = (context: DashboardRequest): boolean => {
    const session = getCookie(context, SESSION);
    return session !== undefined && seals.isSession(visitOf(context), session, clock.now());
  };

  return {
    hasToken: token !== null,

    /** Counts a wrong `Authorization: Bearer` as a guess. */
    admit(context: DashboardRequest): Admission {
      if (token === null) {
        if (!listensOnLoopback(host)) return 'switched-off';
        return namesThisMachine(context.req.header('host')) ? 'admitted' : 'foreign-host';
      }
      const bearer = bearerOf(context);
      if (bearer !== null) {
        const guessed = guess(context, bearer);
        return guessed === 'right' ? 'admitted' : guessed === 'wrong' ? 'login' : guessed;
      }
      return isLoggedIn(context) ? 'admitted' : 'login';
    },

    isLoggedIn,

    /** For the forms of the page that answers this request. */
    formToken: (context: DashboardRequest) => seals.formToken(visitOf(context)),

    /** Whether the sender intended this POST: it carries the token itself, or a form of ours. */
    isIntended(context: DashboardRequest, formToken: string): boolean {
      // No browser sends this header by itself: its sender knows the token.
      if (token !== null && bearerOf(context) !== null) return true;
      const visit = getCookie(context, VISIT);
      return isOfOwnPage(context) && visit !== undefined && seals.isFormToken(visit, formToken);
    },

    /**
     * The same for a log-in. Its form has no seal: a caller who is not admitted could otherwise test guesses of the token
     * against it, without any limit. The form needs the token itself.
     */
    isIntendedLogin: isOfOwnPage,

    /** `wait`: seconds, after too many wrong tokens. */
    logIn(context: DashboardRequest, given: string): 'welcome' | 'wrong' | { readonly wait: number } {
      const guessed = guess(context, given);
      if (guessed !== 'right') return guessed;
      // Another site may have planted the browser's name, so a session gets a new one.
      const visit = giveVisit(context);
      setCookie(context, SESSION, seals.session(visit, clock.now()), cookieOptions(context));
      return 'welcome';
    },

    logOut(context: DashboardRequest): void {
      deleteCookie(context, SESSION, { path: '/' });
      deleteCookie(context, VISIT, { path: '/' });
    },
  };
}

function isOfOwnPage(context: DashboardRequest): boolean {
  return isOwnOrigin({
    host: context.req.header('host'),
    origin: context.req.header('origin'),
    secFetchSite: context.req.header('sec-fetch-site'),
  });
}

function bearerOf(context: DashboardRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? null;
}

function cookieOptions(context: DashboardRequest) {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    // Behind a proxy with TLS the cookie is sent over TLS only. Of several proxies the first is what the browser speaks to.
    secure: /^\s*https\s*(,|$)/i.test(context.req.header('x-forwarded-proto') ?? ''),
  } as const;
}

const SESSION_MS = 12 * 3_600_000;

/**
 * Seals prove that a form or a cookie is ours, without stored state. They are made with the token: they outlast a restart,
 * are valid on every replica, and end when the token changes. Without a token they are made with a secret of this process.
 * `token`: `http.admin.token`; `now`: milliseconds since the Unix epoch.
 */
export function createSeals(token: string | null) {
  const secret = token === null ? randomBytes(32) : hmac(Buffer.from(token), 'placement-sync dashboard');
  const seal = (text: string) => hmac(secret, text).toString('base64url');
  return {
    /** A name for a browser, so that what is sealed for one is of no use to another. */
    newVisit: () => randomBytes(18).toString('base64url'),
    formToken: (visit: string) => seal(`form ${visit}`),
    isFormToken: (visit: string, given: string) => equal(given, seal(`form ${visit}`)),
    /** Says that this browser knew the token. */
    session(visit: string, now: number) {
      const ends = String(now + SESSION_MS);
      return `${ends}.${seal(`session ${visit} ${ends}`)}`;
    },
    isSession(visit: string, session: string, now: number) {
      const [ends = '', given = ''] = session.split('.', 2);
      return /^\d{1,15}$/.test(ends) && Number(ends) > now && equal(given, seal(`session ${visit} ${ends}`));
    },
    isToken: (given: string) => token !== null && equal(given, token),
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** In constant time: it depends neither on where two texts differ nor on their lengths. */
function equal(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Wrong tokens within a minute: from one address, and from all together. */
const PER_ADDRESS = 5;
const OVERALL = 50;
const WINDOW_MS = 60_000;

/** Limits wrong tokens; a right one does not count. `now`: milliseconds that never jump. */
export function createGuessLimit(now: () => number) {
  // At most OVERALL entries: beyond that no token is checked.
  let wrong: readonly { readonly address: string; readonly at: number }[] = [];
  const recent = () => (wrong = wrong.filter(({ at }) => now() - at < WINDOW_MS));
  return {
    /** Seconds until another token is checked; 0: now. */
    secondsToWait(address: string): number {
      const all = recent();
      const own = all.filter((one) => one.address === address);
      const [blocking] =
        own.length >= PER_ADDRESS
          ? own.slice(own.length - PER_ADDRESS)
          : all.length >= OVERALL
            ? all.slice(all.length - OVERALL)
            : [];
      return blocking === undefined ? 0 : Math.ceil((blocking.at + WINDOW_MS - now()) / 1000);
    },
    noteWrong(address: string): void {
      wrong = [...recent(), { address, at: now() }];
    },
  };
}
