import { announcedPace, announcedWait } from './reply/rate-headers.js';
import { type Reply } from './reply/reply.js';
import { retryAfterDelay } from './reply/waits.js';

/**
 * What a platform teaches about its rate, below the setting `ratePerSecond`. A 429 that is alone says nothing about the rate:
 * gateways refuse one now and then. A second one near it does: the rate falls, by a little when it was used for a while, by more
 * when it was refused at once. From there it creeps back, faster the longer nothing is refused, so that a real limit is met
 * seldom and one that is gone is soon forgotten. A rate that the platform announces is kept as it is.
 */

/** Times are of one clock, which the caller chooses: milliseconds since the Unix epoch. */
export interface LearnedRate {
  /** Requests a second now. */
  readonly perSecond: number;
  /** The rate that was used for a while and then refused; null: none was. */
  readonly refused: number | null;
  /** When a request was refused last; 0: never. */
  readonly limitedAt: number;
  /** The platform says so many a second; null: it says nothing. */
  readonly announced: number | null;
  /** Requests accepted since the last refusal. */
  readonly accepted: number;
  /** `ratePerSecond`, above which it never is; null: no limit. */
  readonly setting: number | null;
  /** The rate from which it creeps, and how many steps it has gone. Left out: it has not fallen, or an earlier version stored it. */
  readonly base?: number;
  readonly way?: number;
}

export type RateEvent =
  | { readonly kind: 'accepted'; readonly count: number }
  /** `elapsedMs`: since the request left. `used`: requests of the last second; it counts where there is no setting. */
  | { readonly kind: 'limited'; readonly elapsedMs: number; readonly used: number }
  | { readonly kind: 'announced'; readonly perSecond: number };

/** Below this a rate never falls: one request in ten seconds finds out whether more is possible. */
const LEAST = 0.1;
/** Where there is no setting, a rate above this is none. */
const MOST = 1_000;
/** Refusals are near each other when fewer requests than this were accepted in between, or than a second's worth. */
const NEAR_REQUESTS = 100;
/**
 * Accepted so often, and for so long, a rate was tried; if less, it is far too high, or the platform has not forgiven the
 * refusal before.
 */
const TRIED_REQUESTS = 2;
const TRIED_SECONDS = 0.5;
/** A rate that was tried falls to this share, and another to that. */
const TRIED = 0.97;
const UNTRIED = 0.7;
/** Up to the share of a rate that was tried it comes back quickly: this is what an accepted request adds. */
const GROWTH = 0.1;
/**
 * From there it creeps: a twentieth more in so many seconds' worth of requests, and then faster and faster. Where a limit was
 * met, a step also takes so many requests, but no longer than the last figure.
 */
const STEP = 1.05;
const STEP_SECONDS = 50;
const STEP_REQUESTS = 300;
const LONGEST_STEP_SECONDS = 240;

/** `ceiling`: the setting; null: no limit. Null: nothing speaks against the setting. */
export function learnRate(
  known: LearnedRate | null,
  event: RateEvent,
  ceiling: number | null,
  now: number,
): LearnedRate | null {
  switch (event.kind) {
    case 'limited':
      return refused(known, event, ceiling, now);
    case 'announced':
      return heard(known, event.perSecond, ceiling);
    case 'accepted':
      return known && grown(known, event.count, ceiling);
  }
}

function refused(
  known: LearnedRate | null,
  { elapsedMs, used }: Extract<RateEvent, { kind: 'limited' }>,
  setting: number | null,
  now: number,
): LearnedRate {
  const before = known ?? {
    ...{ perSecond: setting ?? Math.max(1, used), refused: null, announced: null },
    ...{ limitedAt: 0, accepted: 0 },
  };
  const { perSecond, limitedAt, accepted } = before;
  // A request that left before the last refusal says nothing about the rate since. A clock may have been set back.
  if (known && limitedAt <= now && now - elapsedMs <= limitedAt) return known;
  const noted = { ...before, limitedAt: now, accepted: 0, setting };
  if (limitedAt === 0 || accepted >= nearRequests(perSecond)) return noted;
  const isTried = accepted >= Math.max(TRIED_REQUESTS, TRIED_SECONDS * perSecond);
  const base = Math.min(perSecond, Math.max(LEAST, (isTried ? TRIED : UNTRIED) * perSecond));
  return { ...noted, perSecond: base, refused: isTried ? perSecond : before.refused, base, way: 0 };
}

const nearRequests = (perSecond: number): number => Math.max(NEAR_REQUESTS, perSecond);

function heard(known: LearnedRate | null, announced: number, ceiling: number | null): LearnedRate | null {
  if (known?.announced === announced) return known;
  const { refused, limitedAt, accepted } = known ?? { refused: null, limitedAt: 0, accepted: 0 };
  if (announced >= (ceiling ?? MOST)) return known && limitedAt > 0 ? { ...known, announced: null } : null;
  // What was learned under another announcement says little.
  const perSecond = limitedAt > 0 ? Math.min(known?.perSecond ?? announced, announced) : announced;
  return { perSecond, refused, limitedAt, announced, accepted, setting: ceiling };
}

function grown(known: LearnedRate, count: number, ceiling: number | null): LearnedRate | null {
  const accepted = known.accepted + count;
  // As long as a refusal may be near the last one, that is known.
  const isOver = known.limitedAt === 0 || accepted >= nearRequests(known.perSecond);
  if (!isLearned(known)) return isOver ? null : { ...known, accepted };
  const rest = TRIED * (known.refused ?? 0);
  const fewest = known.refused === null ? 0 : Math.min(STEP_REQUESTS, LONGEST_STEP_SECONDS * known.perSecond);
  const step = count / Math.max(fewest, STEP_SECONDS * known.perSecond);
  const { base, way } =
    known.perSecond < rest
      ? { base: Math.min(rest, known.perSecond + GROWTH * count), way: 0 }
      : { base: known.base ?? known.perSecond, way: (known.way ?? 0) + step };
  const most = Math.min(ceiling ?? MOST, known.announced ?? Infinity);
  const perSecond = Math.min(most, base * STEP ** (way ** 3));
  return isOver && perSecond >= (ceiling ?? MOST) ? null : { ...known, perSecond, accepted, base, way };
}

/** A refusal that was alone is not enough. */
const isLearned = ({ base, refused, announced }: LearnedRate): boolean =>
  base !== undefined || refused !== null || announced !== null;

/** What an earlier process learned, under the setting of now. */
export function resumedRate(known: LearnedRate | null, ceiling: number | null): LearnedRate | null {
  if (known === null || known.perSecond >= (ceiling ?? MOST)) return null;
  return known.setting === ceiling ? known : { ...known, setting: ceiling };
}

/** The setting to suggest, once the rate has met its limit or is announced; null: too early to say, or no other than now. */
function suggestedRate({ perSecond, refused, announced, setting, base = 0 }: LearnedRate): number | null {
  // A rate that was refused at once is not the limit, and one that has grown beyond it neither.
  const isMet = refused !== null && base >= 0.9 * refused && perSecond <= 1.1 * refused;
  const found = announced !== null && perSecond >= announced ? announced : null;
  const about = found ?? (isMet ? (refused * (1 + TRIED)) / 2 : null);
  if (about === null) return null;
  // The setting is a whole number.
  const figure = Math.max(1, Math.round(about));
  return figure < (setting ?? Infinity) ? figure : null;
}

/** What is shown of it. `status --json` prints it, and pages and metrics show it: public interface. */
export interface ShownRate {
  /** Requests a second now: `4.6`, `0.25`, `48`. */
  readonly learned: number;
  readonly ratePerSecond: number | null;
  /** A better `ratePerSecond`; null: too early to say, or none. */
  readonly suggested: number | null;
  /** When the platform last refused a request because of the rate; null: it only announces a lower one. */
  readonly refusedAt: string | null;
}

/** Null: nothing is learned. */
export function shownRate(known: LearnedRate): ShownRate | null {
  const { setting, limitedAt, perSecond } = known;
  if (!isLearned(known) || perSecond >= (setting ?? Infinity)) return null;
  return {
    learned: Number(perSecond.toPrecision(perSecond < 100 ? 2 : 3)),
    ratePerSecond: setting,
    suggested: suggestedRate(known),
    refusedAt: limitedAt === 0 ? null : new Date(limitedAt).toISOString(),
  };
}

/** What a reply says about the rate. */
export interface RateNews {
  /** `limited`: there were too many requests. `silent`: the platform itself has not answered. */
  readonly verdict: 'accepted' | 'limited' | 'silent';
  /** The platform says so many a second; null: it says nothing. */
  readonly announced: number | null;
  /** Nothing more is taken for so long, milliseconds; 0: more is. */
  readonly waitMs: number;
}

/** A longer wait is about an hour or a day, and not about a rate in a second. */
const LONGEST_WINDOW_MS = 60_000;

/** `now`: milliseconds since the Unix epoch. */
export function rateNews(reply: Reply, now: number): RateNews {
  if (reply.kind !== 'answered') return { verdict: 'silent', announced: null, waitMs: 0 };
  const { status, rateHeaders = {}, retryAfter, date } = reply;
  const announced = announcedPace(rateHeaders);
  const waitMs = announcedWait(rateHeaders, date, now) ?? 0;
  const named = retryAfterDelay(retryAfter, date, now) ?? waitMs;
  if (status === 429)
    // The area's own pause is as long as the reply says.
    return { verdict: named <= LONGEST_WINDOW_MS ? 'limited' : 'silent', announced, waitMs: 0 };
  const verdict = status >= 500 ? 'silent' : 'accepted';
  return { verdict, announced, waitMs: waitMs <= LONGEST_WINDOW_MS ? waitMs : 0 };
}
