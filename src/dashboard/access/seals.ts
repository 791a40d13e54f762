import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Length of a session, milliseconds. */
const SESSION_MS = 12 * 3_600_000;

/** Proves that a form or a cookie is ours, without stored state. */
export interface Seals {
  /** A name for a browser, so that what is sealed for one is of no use to another. */
  newVisit(): string;
  /** Goes into every form. */
  formToken(visit: string): string;
  isFormToken(visit: string, token: string): boolean;
  /** Says that this browser knew the token. `now`: milliseconds since the Unix epoch. */
  session(visit: string, now: number): string;
  isSession(visit: string, session: string, now: number): boolean;
  isToken(token: string): boolean;
}

/**
 * Seals are made with the token: they outlast a restart, are valid on every replica, and end when the token changes.
 * Without a token they are made with a secret of this process. `token`: `http.admin.token`.
 */
export function createSeals(token: string | null): Seals {
  const secret = token === null ? randomBytes(32) : hmac(Buffer.from(token), 'placement-sync dashboard');
  const seal = (text: string) => hmac(secret, text).toString('base64url');
  return {
    newVisit: () => randomBytes(18).toString('base64url'),
    formToken: (visit) => seal(`form ${visit}`),
    isFormToken: (visit, given) => equal(given, seal(`form ${visit}`)),
    session(visit, now) {
      const ends = String(now + SESSION_MS);
      return `${ends}.${seal(`session ${visit} ${ends}`)}`;
    },
    isSession(visit, session, now) {
      const [ends = '', given = ''] = session.split('.', 2);
      return /^\d{1,15}$/.test(ends) && Number(ends) > now && equal(given, seal(`session ${visit} ${ends}`));
    },
    isToken: (given) => token !== null && equal(given, token),
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
