import { announcedPace, announcedWait } from './reply/rate-headers.js';
import { type Reply } from './reply/reply.js';
import { retryAfterDelay } from './reply/waits.js';

/**
 * What a platform teaches about its rate, below the setting `ratePerSecond`. A 429 alone says nothing about the rate: it costs
 * a second of a lower one. A second one near it does, because one in a hundred is too many: the rate falls, and leaves a mark,
 * the rate that was refused. From there it comes back quickly to just below the mark, stays for a while, and then climbs, first
 * by little and then by more and more: a limit that is real refuses again at once, and one that is not is soon forgotten. A
 * mark that proves right is tried less often. A rate that the platform announces is kept as it is.
 */

/** Times are of one clock, which the caller chooses: milliseconds since the Unix epoch. */
export interface LearnedRate {
  /** Requests a second now. */
  readonly perSecond: number;
  /** The mark: a rate at which two requests near each other were refused; null: none. */
  readonly refused: number | null;
  /** When a request was refused last; 0: never. */
  readonly limitedAt: number;
  /** The platform says so many a second; null: it says nothing. */
  readonly announced: number | null;
  /** Requests accepted since then. */
  readonly accepted: number;
  /** `ratePerSecond`, above which it never is; null: no limit. */
  readonly setting: number | null;
  /** After a refusal that was alone: the rate that comes back. What an earlier version stored lacks this and the next two. */
  readonly back?: number | null;
  /** Seconds' worth of requests that were accepted since the rate fell. */
  readonly calm?: number;
  /** How often the mark has proved right. */
  readonly confirmed?: number;
}

export type RateEvent =
  | { readonly kind: 'accepted'; readonly count: number }
  /** `elapsedMs`: since the request left. `used`: requests of the last second; it counts where there is no setting. */
  | { readonly kind: 'limited'; readonly elapsedMs: number; readonly used: number }
  | { readonly kind: 'announced'; readonly perSecond: number };

/** Below this a rate never falls: one request in ten seconds finds out whether more is possible. */
const LEAST = 0.1;
/** Refusals are near each other when fewer requests than this were accepted in between, or than a second's worth. */
const NEAR_REQUESTS = 100;
/** After a refusal that was alone the rate is lower by so much, for so long. */
const SLOWER = 0.75;
const SLOWER_MS = 1_000;
/** Accepted for so long, a rate was tried; if less, the platform may not have forgiven the refusal before. */
const TRIED_SECONDS = 0.5;
/** A rate that was tried and refused falls to this share. */
const LOWER = 0.9;
/** What an accepted request adds up to the rest below the mark: a tenth more each second, whatever the rate is. */
const GROWTH = 0.1;
/** There, at this share of the mark, the rate rests: seconds' worth of requests, and requests. */
const NEAR = 0.95;
const REST_SECONDS = 4;
const REST_REQUESTS = 100;
/** Twice as long each time that the mark proves right, to this difference; four times at most, and no longer than this. */
const SAME = 0.06;
const MOST_CONFIRMED = 4;
const LONGEST_REST_SECONDS = 600;
/** Then it climbs by this share of the mark, and twice as much each five seconds' worth. */
const STEP = 0.02;
const STEP_SECONDS = 5;
/** Accepted beyond this share of the mark, the mark says nothing any more. */
const OUTDATED = 1.1;
/** A mark so near to the setting shows nothing: the rate was there by itself. */
const OF_SETTING = 0.97;
/** Where there is no setting, a rate above this is none. */
const MOST = 1_000;

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
      return known && grown(known, event.count, ceiling, now);
  }
}

function refused(
  known: LearnedRate | null,
  { elapsedMs, used }: Extract<RateEvent, { kind: 'limited' }>,
  ceiling: number | null,
  now: number,
): LearnedRate {
  // A request that left before the last refusal says nothing about the rate since. A clock may have been set back.
  const since = known?.limitedAt ?? 0;
  if (known && since <= now && now - elapsedMs <= since) return known;
  const before = known?.perSecond ?? ceiling ?? Math.max(1, used);
  const at = known?.back ?? before;
  const mark = known?.refused ?? null;
  const accepted = known?.accepted ?? 0;
  const fallen = (perSecond: number) => Math.min(before, Math.max(LEAST, perSecond));
  const { announced = null, calm = 0, confirmed = 0 } = known ?? {};
  const noted = { limitedAt: now, announced, accepted: 0, setting: ceiling };
  const isNear = since > 0 && accepted < nearRequests(at);
  if (!isNear) return { ...noted, perSecond: fallen(SLOWER * at), refused: mark, back: at, calm, confirmed };
  const isTried = typeof known?.back === 'number' || accepted >= TRIED_SECONDS * before;
  if (!isTried) return { ...noted, perSecond: fallen(before / 2), refused: mark ?? at, confirmed };
  const isSame =
    mark !== null && Math.max(mark, at) < OF_SETTING * (ceiling ?? MOST) && Math.abs(at / mark - 1) < SAME;
  return {
    ...{ ...noted, perSecond: fallen(LOWER * at), refused: at },
    confirmed: isSame ? Math.min(MOST_CONFIRMED, confirmed + 1) : 0,
  };
}

const nearRequests = (perSecond: number): number => Math.max(NEAR_REQUESTS, perSecond);

function heard(known: LearnedRate | null, announced: number, ceiling: number | null): LearnedRate | null {
  if (known?.announced === announced) return known;
  if (announced >= (ceiling ?? MOST)) return known && { ...known, announced: null };
  const { refused, limitedAt, accepted } = known ?? { refused: null, limitedAt: 0, accepted: 0 };
  // What was learned under another announcement says little.
  const isLower = known !== null && known.limitedAt > 0;
  const perSecond = isLower ? Math.min(known.perSecond, announced) : announced;
  return { perSecond, refused, limitedAt, announced, accepted, setting: ceiling };
}

function grown(known: LearnedRate, count: number, ceiling: number | null, now: number): LearnedRate | null {
  const most = Math.min(ceiling ?? MOST, known.announced ?? Infinity);
  const accepted = known.accepted + count;
  const calm = (known.calm ?? 0) + count / known.perSecond;
  const { back = null, limitedAt } = known;
  const isSlower = now >= limitedAt && now < limitedAt + SLOWER_MS;
  if (back !== null && isSlower && accepted < back) return { ...known, accepted, calm };
  const perSecond = Math.min(most, back ?? risen(known, count, calm, most));
  // As long as a refusal may be near the last one, that is known.
  const isFree = known.refused === null && known.announced === null && ceiling === null;
  const isOver = known.limitedAt === 0 || accepted >= nearRequests(perSecond);
  if (isOver && (isFree || perSecond >= (ceiling ?? MOST))) return null;
  return { ...known, perSecond, accepted, calm, back: null };
}

function risen(
  { perSecond, refused: mark, announced, setting, confirmed = 0 }: LearnedRate,
  count: number,
  calm: number,
  most: number,
): number {
  // Where there is no setting, nothing is above what was used.
  if (mark === null) return setting === null && announced === null ? perSecond : perSecond + GROWTH * count;
  const rest = NEAR * mark;
  const restSeconds = Math.min((REST_SECONDS + REST_REQUESTS / mark) * 2 ** confirmed, LONGEST_REST_SECONDS);
  const steps = (calm - restSeconds) / STEP_SECONDS;
  const climbed = steps > 0 ? rest + STEP * mark * (2 ** Math.min(steps, 64) - 1) : 0;
  return Math.min(most, Math.max(perSecond, climbed, Math.min(rest, perSecond + GROWTH * count)));
}

/** What an earlier process learned, under the setting of now. */
export function resumedRate(known: LearnedRate | null, ceiling: number | null): LearnedRate | null {
  if (known === null || known.perSecond >= (ceiling ?? MOST)) return null;
  return known.setting === ceiling ? known : { ...known, setting: ceiling };
}

/** Between what was refused and where the rate stays most of the time. */
const ABOUT = (1 + NEAR) / 2;

/**
 * The setting to suggest, once the rate has come near its mark or is announced; null: too early to say, or no other than
 * now.
 */
function suggestedRate(known: LearnedRate): number | null {
  const { perSecond, refused, announced, setting } = known;
  // Beyond the mark it says nothing, and a mark at the setting says only that the setting itself is too high.
  const isSettled =
    refused !== null &&
    perSecond <= OUTDATED * refused &&
    (refused < (setting ?? 0) || perSecond >= 0.999 * NEAR * refused);
  const found = announced !== null && perSecond >= announced ? announced : null;
  const about = found ?? (isSettled ? refused * ABOUT : null);
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

/** Null: nothing is learned. A refusal that was alone is none of it. */
export function shownRate(known: LearnedRate): ShownRate | null {
  const { setting, limitedAt, refused, announced } = known;
  const perSecond = known.back ?? known.perSecond;
  if ((refused === null && announced === null) || perSecond >= (setting ?? Infinity)) return null;
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
