import { describe, expect, it } from 'vitest';
import {
  type LearnedRate,
  learnRate,
  type RateEvent,
  rateNews,
  resumedRate,
  shownRate,
} from '../../../src/core/domain/learned-rate.js';
import { announcedPace, announcedWait } from '../../../src/core/domain/reply/rate-headers.js';
import type { Answer } from '../../../src/core/domain/reply/reply.js';

const LIMITED: RateEvent = { kind: 'limited', elapsedMs: 0, used: 0 };
const accepted = (count: number): RateEvent => ({ kind: 'accepted', count });

/** What is known after these events under a setting of 10, one second after another. */
function after(events: readonly RateEvent[], ceiling: number | null = 10): LearnedRate | null {
  return events.reduce<LearnedRate | null>(
    (known, event, index) => learnRate(known, event, ceiling, 1_000 * (index + 1)),
    null,
  );
}

/** Whether a server takes a request at a time, milliseconds. */
type Server = (at: number) => boolean;

const slidingSecond = (most: number): Server => {
  let taken: number[] = [];
  return (at) => {
    taken = taken.filter((other) => at - other < 1_000);
    if (taken.length >= most) return false;
    taken.push(at);
    return true;
  };
};
const fixedSeconds = (most: number): Server => {
  let [second, count] = [-1, 0];
  return (at) => {
    if (Math.floor(at / 1_000) !== second) [second, count] = [Math.floor(at / 1_000), 0];
    count += 1;
    return count <= most;
  };
};
const bucket = (perSecond: number, size: number): Server => {
  let [level, last] = [size, 0];
  return (at) => {
    level = Math.min(size, level + ((at - last) * perSecond) / 1_000);
    last = at;
    if (level < 1) return false;
    level -= 1;
    return true;
  };
};
/** Refuses everything for so long after each refusal. */
const unforgiving = (inner: Server, ms: number): Server => {
  let until = 0;
  return (at) => {
    const taken = at >= until && inner(at);
    if (!taken) until = at + ms;
    return taken;
  };
};

/** Numbers from 0 to 1 that look random and are the same each time. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Drive {
  readonly seed?: number;
  /** Share of requests that a 429 meets whatever the rate is. */
  readonly stray?: number;
  /** Default: the area pauses after a 429 (area-condition.ts). Without: other tenants of a fleet go on. */
  readonly pauses?: boolean;
  readonly known?: LearnedRate | null;
  /** How long a reply takes to reach us. */
  readonly replyMs?: number;
}

/** A client that always has work, at this server, for so long; each request arrives up to 30 ms late. */
function drive(server: Server, ceiling: number | null, seconds: number, options: Drive = {}) {
  const { seed = 7, stray = 0, pauses: doesPause = true, replyMs = 40 } = options;
  const random = pseudoRandom(seed);
  let known = options.known ?? null;
  let [at, refusals, taken, fastest] = [0, 0, 0, 0];
  for (let pauses = 0; at < seconds * 1_000;) {
    const isTaken = random() >= stray && server(at + 30 * random());
    const event = isTaken ? accepted(1) : { kind: 'limited' as const, elapsedMs: replyMs, used: 20 };
    known = learnRate(known, event, ceiling, at + replyMs);
    taken += isTaken ? 1 : 0;
    refusals += isTaken ? 0 : 1;
    pauses = isTaken ? 0 : pauses + 1;
    const perSecond = known?.perSecond ?? ceiling ?? 20;
    fastest = Math.max(fastest, perSecond);
    const sentAt = at;
    at += 1_000 / perSecond;
    if (!isTaken && doesPause) at = Math.max(at, sentAt + replyMs + 1_000 * 2 ** Math.min(5, pauses - 1));
  }
  return { known, refusals, taken, perSecond: taken / seconds, fastest };
}

const HOURS = 3_600;
const SEEDS = [1, 2];

describe('a platform without a limit whose gateway refuses a request now and then', () => {
  it.each([
    [10, 1 / 100_000, 0.995],
    [10, 1 / 10_000, 0.99],
    [10, 1 / 1_000, 0.98],
    [10, 2 / 1_000, 0.95],
    [50, 1 / 10_000, 0.99],
    [50, 1 / 1_000, 0.96],
    [50, 2 / 1_000, 0.9],
    [2, 1 / 1_000, 0.98],
  ])(
    'is used at %j a second, with a share of %j refused, for two hours by this share: %j',
    (setting, stray, share) => {
      for (const seed of SEEDS) {
        const used =
          drive(() => true, setting, 2 * HOURS, { seed, stray, pauses: false }).perSecond / setting;
        expect(used, `seed ${String(seed)}`).toBeGreaterThanOrEqual(share);
      }
    },
  );

  it.each([
    [10, 1 / 1_000, 0.97],
    [50, 1 / 10_000, 0.97],
    [50, 1 / 1_000, 0.91],
    [50, 2 / 1_000, 0.85],
  ])('also where the area pauses for a second each time: %j, %j, %j', (setting, stray, share) => {
    for (const seed of SEEDS)
      expect(
        drive(() => true, setting, 2 * HOURS, { seed, stray }).perSecond / setting,
      ).toBeGreaterThanOrEqual(share);
  });

  it('is as fast as before after one that was alone, and nothing of it is shown', () => {
    const alone = learnRate(null, LIMITED, 50, 10_000);
    expect(alone).toMatchObject({ perSecond: 50, refused: null });
    expect(alone && shownRate(alone)).toBeNull();
    expect(alone && learnRate(alone, accepted(100), 50, 13_000)).toBeNull();
  });
});

describe('a platform with an unannounced limit of 5 a second under a setting of 10', () => {
  it.each([
    ['counts a sliding second', () => slidingSecond(5)],
    ['counts whole seconds', () => fixedSeconds(5)],
    ['has a bucket of five', () => bucket(5, 5)],
    ['has a bucket of two, so that no burst passes', () => bucket(5, 2)],
    ['lets a burst of twenty pass, as nginx can', () => bucket(5, 20)],
  ])('that %s is used by nine tenths, with one 429 in 50 at most', (_, server) => {
    const { known, refusals, taken, perSecond, fastest } = drive(server(), 10, 600);
    expect(perSecond).toBeGreaterThanOrEqual(0.9 * 5);
    expect(refusals).toBeLessThanOrEqual(taken / 50);
    expect(fastest).toBeLessThanOrEqual(10);
    expect(known && shownRate(known)?.suggested).toBe(5);
    for (const seed of SEEDS) {
      const long = drive(server(), 10, 2 * HOURS, { seed });
      expect(long.perSecond).toBeGreaterThanOrEqual(0.9 * 5);
      expect(long.refusals).toBeLessThanOrEqual(long.taken / 50);
      // With stray ones, too.
      const both = drive(server(), 10, 2 * HOURS, { seed, stray: 1 / 1_000 });
      expect(both.perSecond).toBeGreaterThanOrEqual(0.88 * 5);
      expect(both.refusals).toBeLessThanOrEqual(both.taken / 50);
    }
  });

  it.each([
    ['bucket', 1, 10],
    ['bucket', 30, 50],
    ['bucket', 40, 50],
    ['bucket', 9, 10],
    ['bucket', 5, null],
    ['second', 1, 10],
    ['second', 30, 50],
    ['second', 40, 50],
    ['second', 45, 50],
    ['bucket', 80, 100],
  ])('the same holds of a %s of %j under a setting of %j, over an hour', (kind, limit, ceiling) => {
    for (const seed of SEEDS) {
      const server = kind === 'second' ? slidingSecond(limit) : bucket(limit, Math.max(1.2, limit));
      const { refusals, taken, perSecond } = drive(server, ceiling, HOURS, { seed });
      expect(perSecond).toBeGreaterThanOrEqual(0.9 * limit);
      expect(refusals).toBeLessThanOrEqual(taken / 50);
    }
  });

  it('one that refuses all for two seconds after each refusal is used by six sevenths', () => {
    const { refusals, taken, perSecond } = drive(unforgiving(slidingSecond(5), 2_000), 10, 600);
    expect(perSecond).toBeGreaterThanOrEqual(0.857 * 5);
    expect(refusals).toBeLessThanOrEqual(taken / 50);
  });

  it('the same holds where other tenants go on while one pauses', () => {
    for (const seed of SEEDS) {
      const { refusals, taken, perSecond } = drive(slidingSecond(5), 10, HOURS, { seed, pauses: false });
      expect(perSecond).toBeGreaterThanOrEqual(0.9 * 5);
      expect(refusals).toBeLessThanOrEqual(taken / 50);
    }
  });

  it('a limit that changes is followed both ways', () => {
    const { known } = drive(slidingSecond(5), 10, HOURS);
    const higher = drive(slidingSecond(8), 10, HOURS, { known });
    expect(higher.perSecond).toBeGreaterThanOrEqual(0.85 * 8);
    const lower = drive(slidingSecond(2), 10, HOURS, { known: higher.known });
    expect(lower.perSecond).toBeGreaterThanOrEqual(0.9 * 2);
    expect(lower.refusals).toBeLessThanOrEqual(lower.taken / 50);
  });

  it('goes back to the setting within eleven minutes after a burst of refusals, however low it fell', () => {
    const known = after(
      Array.from({ length: 20 }, () => LIMITED),
      50,
    );
    expect(known?.perSecond).toBe(0.1);
    const tried = learnRate(learnRate(known, accepted(1), 50, 30_000), LIMITED, 50, 31_000);
    for (const fallen of [known, tried])
      expect(drive(() => true, 50, 660, { known: fallen }).known?.perSecond ?? 50).toBe(50);
  });

  it.each([
    [5, 10],
    [1, 10],
    [30, 50],
  ])(
    'goes back to the setting within eleven minutes when the limit is gone: %j under %j',
    (limit, setting) => {
      const { known } = drive(slidingSecond(limit), setting, HOURS);
      expect(known?.perSecond).toBeLessThan(1.1 * limit);
      const later = drive(() => true, setting, 660, { known });
      expect(later.known?.perSecond ?? setting).toBe(setting);
      expect(drive(() => true, setting, 120, { known: later.known }).known).toBeNull();
    },
  );
});

describe('the learned rate', () => {
  it('is nothing before a refusal, and none yet after one', () => {
    expect(after([accepted(1_000)])).toBeNull();
    expect(after([LIMITED])).toEqual({
      ...{ perSecond: 10, refused: null, limitedAt: 1_000, announced: null, accepted: 0, setting: 10 },
    });
  });

  it('is lower after a second refusal near the first, and that is what was refused', () => {
    expect(after([LIMITED, accepted(99), LIMITED])).toMatchObject({ perSecond: 9.7, refused: 10 });
    expect(after([LIMITED, accepted(100), LIMITED])).toMatchObject({ perSecond: 10, refused: null });
  });

  it('falls by more when it is refused at once, which says nothing of where the limit is', () => {
    expect(after([LIMITED, LIMITED])).toMatchObject({ perSecond: 7, refused: null });
    const again = after([LIMITED, accepted(5), LIMITED, accepted(4), LIMITED]);
    expect(again?.perSecond).toBeCloseTo(0.97 * 7, 4);
    expect(again?.refused).toBe(10);
  });

  it('is lowered once by all requests that were under way together, and again by one that left later', () => {
    const underWay: RateEvent = { kind: 'limited', elapsedMs: 1_500, used: 0 };
    expect(after([LIMITED, underWay])?.perSecond).toBe(10);
    expect(after([LIMITED, { kind: 'limited', elapsedMs: 500, used: 0 }])?.perSecond).toBe(7);
  });

  it('is lowered also when the clock was set back since', () => {
    const known = learnRate(null, LIMITED, 10, 5_000_000);
    expect(learnRate(known, LIMITED, 10, 1_000)?.perSecond).toBe(7);
  });

  it('never falls below one request in ten seconds, nor above the setting', () => {
    expect(after(Array.from({ length: 20 }, () => LIMITED))?.perSecond).toBe(0.1);
    expect(after([LIMITED, LIMITED], 0.05)?.perSecond).toBe(0.05);
    expect(after([LIMITED, LIMITED, accepted(100_000)], 5)).toBeNull();
  });

  it('without a setting begins with what was used', () => {
    const refused: RateEvent = { kind: 'limited', elapsedMs: 0, used: 36 };
    expect(after([refused, accepted(20), refused], null)).toMatchObject({ perSecond: 34.92, refused: 36 });
    expect(after([LIMITED, accepted(100)], null)).toBeNull();
  });

  it('comes back quickly to just below what was refused, and from there faster and faster', () => {
    const fallen: LearnedRate = { ...after([LIMITED, accepted(99), LIMITED])!, perSecond: 5 };
    const later = (...counts: readonly number[]) =>
      counts.reduce<LearnedRate | null>(
        (known, count) => known && learnRate(known, accepted(count), 20, 60_000),
        { ...fallen, setting: 20 },
      )?.perSecond;
    expect(later(40)).toBe(9);
    expect(later(47)).toBe(9.7);
    expect(later(47, 485)).toBeCloseTo(9.7 * 1.05, 9);
    expect(later(47, 485, 510)).toBeCloseTo(9.7 * 1.05 ** 8, 1);
  });

  it('that an earlier version stored is read', () => {
    const stored = { perSecond: 2, refused: 2.2, limitedAt: 5, announced: null, accepted: 3, setting: 50 };
    const later = { ...stored, back: null, calm: 70, confirmed: 2 };
    for (const known of [stored, later]) {
      expect(drive(() => true, 50, 600, { known }).known?.perSecond ?? 50).toBe(50);
      expect(shownRate(known)).toMatchObject({ learned: 2 });
    }
  });

  it('is what the platform announces, as long as that is below the setting', () => {
    const announced = (perSecond: number): RateEvent => ({ kind: 'announced', perSecond });
    expect(after([announced(20)])).toBeNull();
    expect(after([announced(4), accepted(1_000)])).toMatchObject({ perSecond: 4, announced: 4 });
    expect(after([announced(4), LIMITED, accepted(1_000), announced(4)])?.perSecond).toBe(4);
    expect(after([announced(4), announced(20), accepted(60)])).toBeNull();
  });

  it('of an earlier process counts while it is below the setting of now', () => {
    const known = after([LIMITED, LIMITED]);
    expect(resumedRate(known, 10)).toBe(known);
    expect(resumedRate(known, 5)).toBeNull();
    expect(resumedRate(known, 8)).toMatchObject({ perSecond: 7, setting: 8 });
  });

  it('becomes a suggestion when it has come near its mark, and another one than the setting', () => {
    const rate = (perSecond: number, refused: number | null, announced: number | null = null) =>
      shownRate({
        ...{ perSecond, refused, announced, base: Math.min(perSecond, refused ?? 0) },
        ...{ limitedAt: 1, accepted: 0, setting: 10 },
      })?.suggested;
    expect(rate(5, 10)).toBeNull();
    expect(rate(4.6, 5.1)).toBe(5);
    expect(rate(0.26, 0.27)).toBe(1);
    expect(rate(9.5, 10)).toBeNull();
    expect(rate(9.6, 5.1)).toBeNull();
    expect(rate(4, null, 4)).toBe(4);
    expect(rate(4.9, 5, 20)).toBe(5);
  });

  it.each([
    [4.5678, 4.6],
    [0.2531, 0.25],
    [48.2, 48],
    [512.4, 512],
  ])('%j is shown as %j', (perSecond, learned) => {
    const known = after([LIMITED, LIMITED], 1_000);
    expect(known && shownRate({ ...known, perSecond })).toEqual({
      ...{ learned, ratePerSecond: 1_000, suggested: null, refusedAt: '1970-01-01T00:00:02.000Z' },
    });
  });
});

const DATE = 'Mon, 02 Mar 2026 08:00:00 GMT';
const NOW = Date.parse(DATE) + 3_600_000;

describe('what a reply says about the rate', () => {
  const answer = (
    status: number,
    rateHeaders: Record<string, string>,
    retryAfter: string | null = null,
  ): Answer => ({
    ...{ kind: 'answered', status, result: null, malformed: null, json: {}, html: false },
    ...{ retryAfter, date: DATE, location: null, receivedAt: NOW, rateHeaders },
  });

  it.each([
    [{ ratelimit: '"default";r=0;t=1' }, 1_000],
    [{ ratelimit: '"burst";r=3;t=1, "daily";r=0;t=3600' }, 3_600_000],
    [{ ratelimit: 'limit=5, remaining=0, reset=2' }, 2_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '3' }, 3_000],
    [{ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4' }, 4_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse(DATE) / 1_000 + 5) }, 5_000],
    [{ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(Date.parse(DATE) + 6_000) }, 6_000],
    [{ ratelimit: '"default";r=1;t=1' }, null],
    [{ 'x-ratelimit-remaining': '0' }, null],
    [{ 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': 'soon' }, null],
  ])('the wait of %j is %j ms', (headers, wait) => {
    expect(announcedWait(headers, DATE, NOW)).toBe(wait);
  });

  it.each([
    [{ 'ratelimit-policy': '"default";q=5;w=1' }, 5],
    [{ 'ratelimit-policy': '"burst";q=50;w=1, "slow";q=120;w=60, "daily";q=1000;w=86400' }, 2],
    [{ 'ratelimit-limit': '100, 100;w=10' }, 10],
    [{ 'ratelimit-policy': '"daily";q=1000;w=86400' }, null],
    [{ 'x-ratelimit-limit': '5' }, null],
    [{ 'ratelimit-policy': '"none";q=0;w=1' }, null],
  ])('the pace of %j is %j', (headers, pace) => {
    expect(announcedPace(headers)).toBe(pace);
  });

  it('a 429 is about the rate, unless it asks for more than a minute', () => {
    const verdict = (headers: Record<string, string>, retryAfter: string | null = null) =>
      rateNews(answer(429, headers, retryAfter), NOW).verdict;
    expect(verdict({})).toBe('limited');
    expect(verdict({}, '60')).toBe('limited');
    expect(verdict({}, '1800')).toBe('silent');
    expect(verdict({ ratelimit: '"daily";r=0;t=1800' })).toBe('silent');
  });

  it('other replies of the platform are accepted, and wait for as long as nothing more is taken, up to a minute', () => {
    expect(rateNews(answer(200, { ratelimit: '"default";r=0;t=1' }), NOW)).toEqual({
      ...{ verdict: 'accepted', announced: null, waitMs: 1_000 },
    });
    expect(rateNews(answer(422, { ratelimit: '"daily";r=0;t=1800' }), NOW).waitMs).toBe(0);
    expect(rateNews(answer(503, {}), NOW).verdict).toBe('silent');
    expect(rateNews({ kind: 'silent', code: 'X', message: '' }, NOW).verdict).toBe('silent');
  });
});
