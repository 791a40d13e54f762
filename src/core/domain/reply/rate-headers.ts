import { numberedWait, parseHttpDate } from './waits.js';

/**
 * Headers in which a platform announces its rate: `RateLimit` and `RateLimit-Policy` of the IETF drafts, and what services
 * invented (`X-RateLimit-Limit`, `-Remaining`, `-Reset`). Names are in lower case.
 */

type RateHeaders = Readonly<Record<string, string>>;

/** A limit that the platform announces. */
export interface AnnouncedLimit {
  readonly header: string;
  readonly requests: number;
  readonly seconds: number;
  /** The header does not say how long its window is: a minute is usual. */
  readonly assumedMinute: boolean;
}

/** Headers that carry the limit itself, in the order of trust: RFC drafts, then what services invented. */
const LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'ratelimit-limit',
  'x-ratelimit-limit',
  'x-rate-limit-limit',
] as const;

/** Reads the limit of a reply's rate headers; null: they have none that is understood. */
export function announcedLimit(headers: RateHeaders): AnnouncedLimit | null {
  for (const header of LIMIT_HEADERS) {
    const value = headers[header];
    if (value === undefined) continue;
    const requests = /(?:\bq=|\blimit=|^\s*)(\d{1,9})\b/.exec(value)?.[1];
    if (requests === undefined) continue;
    const window = /;\s*w=(\d{1,9})\b/.exec(value)?.[1];
    const seconds = window === undefined ? 60 : Math.max(1, Number(window));
    return { header, requests: Number(requests), seconds, assumedMinute: window === undefined };
  }
  return null;
}

/** The longest window whose requests are spread over it, seconds: a small run would take hours for a daily one. */
const LONGEST_SPREAD_S = 60;

/** Requests a second, by the narrowest window whose length is said; null: none is. */
export function announcedPace(headers: RateHeaders): number | null {
  const paces = ['ratelimit-policy', 'ratelimit-limit'].flatMap((header) =>
    itemsOf(headers[header]).flatMap((item) => {
      const requests = numberIn(item, /(?:\bq=|^\s*)(\d{1,9})\b/);
      const seconds = numberIn(item, /;\s*w=(\d{1,9})\b/);
      if (requests === null || seconds === null || requests === 0 || seconds === 0) return [];
      return seconds <= LONGEST_SPREAD_S ? [requests / seconds] : [];
    }),
  );
  return paces.length === 0 ? null : Math.min(...paces);
}

/**
 * How long nothing more is taken, milliseconds; null: more is, or nothing says so. A moment is measured against the reply's
 * own `Date`, so that a wrong clock on our side does no harm; without it, against `nowMs`.
 */
export function announcedWait(headers: RateHeaders, date: string | null, nowMs: number): number | null {
  const from = (date === null ? null : parseHttpDate(date)) ?? nowMs;
  const waits = [
    ...itemsOf(headers.ratelimit).map((item) => waitOf(item, /;\s*r=(\d+)\b/, /;\s*t=(\d+)\b/)),
    waitOf(headers.ratelimit, /\bremaining=(\d+)\b/, /\breset=(\d+)\b/),
    ...['ratelimit', 'x-ratelimit', 'x-rate-limit'].map((name) =>
      waitOf(`r=${headers[`${name}-remaining`]} t=${headers[`${name}-reset`]}`, /r=(\d+)\b/, /t=(\d+)\b/),
    ),
  ].flatMap((reset) => (reset === null ? [] : [numberedWait(reset, from)]));
  const known = waits.filter((wait) => wait !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The reset, if nothing remains. */
function waitOf(text: string | undefined, remaining: RegExp, reset: RegExp): number | null {
  return numberIn(text, remaining) === 0 ? numberIn(text, reset) : null;
}

function itemsOf(value: string | undefined): readonly string[] {
  return value?.split(',') ?? [];
}

function numberIn(text: string | undefined, pattern: RegExp): number | null {
  const found = pattern.exec(text ?? '')?.[1];
  return found === undefined ? null : Number(found);
}
