import { announcedPace, announcedWait } from './reply/rate-headers.js';
import { type Reply, retryAfterDelay } from './reply/reply.js';

/**
 * What a platform teaches about its rate, below the setting `ratePerSecond`. A 429 halves the rate and leaves a mark: the
 * rate that was refused. Each accepted request lets the rate grow, quickly up to nine tenths of the mark, and from there
 * by a small step for each minute's worth of requests. A rate that the platform announces is kept as it is. When the rate
 * has come back to the setting, nothing is left of it.
 */

/** Times are of one clock, which the caller chooses: milliseconds since the Unix epoch. */
export interface LearnedRate {
  /** Requests a second now. */
  readonly perSecond: number;
  /** The rate that was refused last; null: none, or it is long ago. */
  readonly refused: number | null;
  /** When a request was refused last; 0: never. */
  readonly limitedAt: number;
  /** The platform says so many a second; null: it says nothing. */
  readonly announced: number | null;
  /** Requests accepted since the last refusal or step. */
  readonly accepted: number;
  /** `ratePerSecond`, above which it never is; null: no limit. */
  readonly setting: number | null;
}

export type RateEvent =
  | { readonly kind: 'accepted'; readonly count: number }
  /** `elapsedMs`: since the request left. `used`: requests of the last second; it counts where there is no setting. */
  | { readonly kind: 'limited'; readonly elapsedMs: number; readonly used: number }
  | { readonly kind: 'announced'; readonly perSecond: number };

/** Below this a rate never falls: one request in ten seconds finds out whether more is possible. */
const LEAST = 0.1;
/** What an accepted request adds: a tenth more each second, whatever the rate is. */
const GROWTH = 0.1;
/** Up to this share of the mark the rate grows quickly. */
const NEAR = 0.9;
/** From there it grows by this share of the mark for each minute's worth of requests. */
const STEP = 0.02;
const STEP_SECONDS = 60;
/** Accepted beyond this share of the mark, the mark says nothing any more. */
const OUTDATED = 1.1;
/** So long a mark counts. */
const FORGET_MS = 6 * 3_600_000;
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
      return halved(known, event, ceiling, now);
    case 'announced':
      return heard(known, event.perSecond, ceiling);
    case 'accepted':
      return known && grown(known, event.count, ceiling, now);
  }
}

function halved(
  known: LearnedRate | null,
  { elapsedMs, used }: Extract<RateEvent, { kind: 'limited' }>,
  ceiling: number | null,
  now: number,
): LearnedRate {
  // A request that left before the last halving says nothing about the rate since. A clock may have been set back.
  const since = known?.limitedAt ?? 0;
  if (known && since <= now && now - elapsedMs <= since) return known;
  const before = known?.perSecond ?? ceiling ?? Math.max(1, used);
  // Refused again at once: the platform has not forgiven yet, and the rate itself was not tried.
  const isTried = (known?.accepted ?? 0) >= 2 * before;
  return {
    perSecond: Math.min(before, Math.max(LEAST, before / 2)),
    refused: isTried ? before : (known?.refused ?? before),
    limitedAt: now,
    announced: known?.announced ?? null,
    accepted: 0,
    setting: ceiling,
  };
}

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
  const mark = now - known.limitedAt > FORGET_MS ? null : known.refused;
  const quickly = mark === null ? most : NEAR * mark;
  const accepted = known.accepted + count;
  const isStep = known.perSecond >= quickly && accepted >= STEP_SECONDS * known.perSecond;
  const perSecond = Math.min(
    most,
    known.perSecond < quickly
      ? Math.min(quickly, known.perSecond + GROWTH * count)
      : known.perSecond + (isStep ? STEP * (mark ?? 0) : 0),
  );
  if (perSecond >= (ceiling ?? MOST)) return null;
  const refused = mark !== null && perSecond > OUTDATED * mark ? null : mark;
  return { ...known, perSecond, refused, accepted: isStep ? 0 : accepted };
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
  // The first refusal says only that the setting itself is too high.
  const isSettled = refused !== null && (refused < (setting ?? 0) || perSecond >= 0.999 * NEAR * refused);
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

export function shownRate(known: LearnedRate): ShownRate {
  const { perSecond, setting, limitedAt } = known;
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
