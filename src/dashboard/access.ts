import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Emit } from '../core/domain/events.js';
import type { Operator } from '../core/domain/operator-action.js';
import type { Clock } from '../core/ports/clock.js';
import { isOwnOrigin, namesThisMachine } from '../features/http/own-origin.js';
import { listensOnLoopback } from '../core/runtime/loopback.js';
import type { DashboardRequest } from './dashboard-request.js';

/*
 * Who may see pages and press buttons, and under which name. A caller shows a token, in a header or once in the log-in
 * form, which gives him a session. Sessions and forms are sealed with his token, so nothing is stored: they end when
 * the token changes, and have the role that it has now. Guesses are limited.
 *
 * The name is that of the token.
 */

const VISIT = 'placement_sync_visit';
const SESSION = 'placement_sync_session';

export type Admission = 'admitted' | 'switched-off' | 'foreign-host' | 'login' | { readonly wait: number };

export type Access = ReturnType<typeof createAccess>;

/** Of `http.admin`. What may be left out: none. */
export interface AdmissionSettings {
  readonly host: string;
  /** Null: none without a name. */
  readonly token: string | null;
  readonly tokens?: readonly PageToken[];
}

interface PageToken {
  readonly name: string;
  readonly token: string;
  /** `look`: pages only; `act`: their buttons too. */
  readonly role: 'look' | 'act';
}

/** Of the one token that has no name in the configuration. */
const UNNAMED = 'token';
/** Who acts where no token is set: whoever works at this machine. */
const THIS_MACHINE = 'this machine';

/**
 * A token that is set is always required. Without one, only this machine is admitted, and nobody if other machines can
 * reach the listener.
 */
export function createAccess(settings: AdmissionSettings, clock: Pick<Clock, 'now' | 'monotonic'>) {
  const { host, token, tokens: named = [] } = settings;
  const unnamed = token === null ? [] : [{ name: UNNAMED, token, role: 'act' } as const];
  const tokens = [...unnamed, ...named].map((one) => ({ ...one, seals: createSeals(one.token) }));
  const isLocal = tokens.length === 0;
  const local = createSeals(null);
  const guesses = createGuessLimit(() => clock.monotonic());
  const visits = new WeakMap<Request, string>();

  /** The browser's name; the answer to this request sets one if it has none. */
  const visitOf = (context: DashboardRequest): string => {
    const known = visits.get(context.req.raw) ?? getCookie(context, VISIT);
    if (known) return known;
    return giveVisit(context);
  };
  const giveVisit = (context: DashboardRequest): string => {
    const visit = local.newVisit();
    visits.set(context.req.raw, visit);
    setCookie(context, VISIT, visit, cookieOptions(context));
    return visit;
  };
  const guess = (context: DashboardRequest, given: string): Holder | 'wrong' | { wait: number } => {
    const address = context.env.incoming.socket.remoteAddress ?? '';
    const wait = guesses.secondsToWait(address);
    // All are compared: the time says nothing about which one it is.
    const [holder] = tokens.filter(({ seals }) => seals.isToken(given));
    // Nobody guesses a long one, so nobody else's guesses keep it out.
    if (holder !== undefined && (wait === 0 || holder.token.length >= LONG_TOKEN)) return holder;
    if (wait > 0) return { wait };
    guesses.noteWrong(address);
    return 'wrong';
  };

  /** By a session, not by the token itself. */
  const ofSession = (context: DashboardRequest): Holder | undefined => {
    const session = getCookie(context, SESSION);
    if (session === undefined) return undefined;
    const visit = visitOf(context);
    const [holder] = tokens.filter(({ seals }) => seals.isSession(visit, session, clock.now()));
    return holder;
  };

  type Holder = (typeof tokens)[number];
  /** Whose token an admitted request has shown; none where no token is set. */
  const holders = new WeakMap<Request, Holder>();
  const admitted = (context: DashboardRequest, holder: Holder): 'admitted' => {
    holders.set(context.req.raw, holder);
    return 'admitted';
  };
  const holderOf = (context: DashboardRequest): Holder | undefined => holders.get(context.req.raw);
  const sealsOf = (context: DashboardRequest) => (isLocal ? local : holderOf(context)?.seals);

  return {
    hasToken: !isLocal,

    /** Counts a wrong `Authorization: Bearer` as a guess. */
    admit(context: DashboardRequest): Admission {
      if (isLocal) {
        if (!listensOnLoopback(host)) return 'switched-off';
        return namesThisMachine(context.req.header('host')) ? 'admitted' : 'foreign-host';
      }
      const bearer = bearerOf(context);
      if (bearer !== null) {
        const guessed = guess(context, bearer);
        if (guessed === 'wrong') return 'login';
        return 'wait' in guessed ? guessed : admitted(context, guessed);
      }
      const holder = ofSession(context);
      return holder === undefined ? 'login' : admitted(context, holder);
    },

    /** An admitted request: by a session, not by the token itself. */
    isLoggedIn: (context: DashboardRequest) => holderOf(context) !== undefined && bearerOf(context) === null,

    /** Whether an admitted request may change something. */
    mayAct: (context: DashboardRequest): boolean => isLocal || holderOf(context)?.role === 'act',

    /** Who an admitted request comes from. */
    operator: (context: DashboardRequest): Operator => ({
      who: holderOf(context)?.name ?? THIS_MACHINE,
      via: 'page',
    }),

    /** For the forms of the page that answers this request; empty for a caller who is not admitted. */
    formToken(context: DashboardRequest): string {
      const visit = visitOf(context);
      return sealsOf(context)?.formToken(visit) ?? '';
    },

    /** Whether the sender intended this POST: it carries the token itself, or a form of ours. */
    isIntended(context: DashboardRequest, formToken: string): boolean {
      // No browser sends this header by itself: its sender knows the token.
      if (!isLocal && bearerOf(context) !== null) return true;
      const visit = getCookie(context, VISIT);
      const seals = sealsOf(context);
      return isOfOwnPage(context) && visit !== undefined && seals?.isFormToken(visit, formToken) === true;
    },

    /**
     * The same for a log-in. Its form has no seal: a caller who is not admitted could otherwise test guesses of the token
     * against it, without any limit. The form needs the token itself.
     */
    isIntendedLogin: isOfOwnPage,

    /** `wait`: seconds, after too many wrong tokens. */
    logIn(context: DashboardRequest, given: string): 'welcome' | 'wrong' | { readonly wait: number } {
      const guessed = guess(context, given);
      if (guessed === 'wrong' || 'wait' in guessed) return guessed;
      // Another site may have planted the browser's name, so a session gets a new one.
      const visit = giveVisit(context);
      setCookie(context, SESSION, guessed.seals.session(visit, clock.now()), cookieOptions(context));
      return 'welcome';
    },

    logOut(context: DashboardRequest): void {
      deleteCookie(context, SESSION, { path: '/' });
      deleteCookie(context, VISIT, { path: '/' });
    },
  };
}

/** A token of so many characters, made by chance, cannot be guessed. */
const LONG_TOKEN = 24;

/** Warns of tokens that could be guessed, where other machines can reach the pages. */
export function warnOfShortTokens({ host, token, tokens = [] }: AdmissionSettings, emit: Emit): void {
  const all = token === null ? tokens : [{ name: UNNAMED, token }, ...tokens];
  const short = all.filter((one) => one.token.length < LONG_TOKEN).map(({ name }) => name);
  if (short.length === 0 || listensOnLoopback(host)) return;
  emit({
    type: 'warning',
    message: `Tokens of the dashboard have fewer than ${LONG_TOKEN} characters: ${short.join(', ')}. They could be guessed, and after wrong guesses a right one waits, too.`,
    hint: 'Set one that is made by chance (http.admin.token, http.admin.tokens): openssl rand -hex 24',
  });
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
