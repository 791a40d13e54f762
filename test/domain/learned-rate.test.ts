import { describe, expect, it } from 'vitest';
import {
  type LearnedRate,
  learnRate,
  type RateEvent,
  rateNews,
  resumedRate,
  shownRate,
} from '../../src/domain/learned-rate.js';
import { announcedPace, announcedWait } from '../../src/domain/reply/rate-headers.js';
import type { Answer } from '../../src/domain/reply/reply.js';

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

/** A client that always has work, at this server, for so long; each request arrives up to 30 ms late. */
function drive(server: Server, ceiling: number | null, seconds: number, known: LearnedRate | null = null) {
  const random = pseudoRandom(7);
  let [at, refusals, taken, fastest] = [0, 0, 0, 0];
  for (let pauses = 0; at < seconds * 1_000;) {
    const isTaken = server(at + 30 * random());
    const event = isTaken ? accepted(1) : { kind: 'limited' as const, elapsedMs: 20, used: 20 };
    known = learnRate(known, event, ceiling, at + 40);
    taken += isTaken ? 1 : 0;
    refusals += isTaken ? 0 : 1;
    pauses = isTaken ? 0 : pauses + 1;
    const perSecond = known?.perSecond ?? ceiling ?? 20;
    fastest = Math.max(fastest, perSecond);
    at += 1_000 / perSecond;
    // As the area pauses (area-condition.ts).
    if (!isTaken) at = Math.max(at, at + 1_000 * 2 ** Math.min(5, pauses - 1));
  }
  return { known, refusals, taken, perSecond: taken / seconds, fastest };
}

describe('a platform with an unannounced limit of 5 a second under a setting of 10', () => {
  it.each([
    ['counts a sliding second', slidingSecond(5)],
    ['counts whole seconds', fixedSeconds(5)],
    ['has a bucket of five', bucket(5, 5)],
    ['has a bucket of two, so that no burst passes', bucket(5, 2)],
    ['refuses all for two seconds after each refusal', unforgiving(slidingSecond(5), 2_000)],
  ])('that %s is used by 85 %% at least over ten minutes, with one 429 in 50 at most', (_, server) => {
    const { known, refusals, taken, perSecond, fastest } = drive(server, 10, 600);
    expect(perSecond).toBeGreaterThanOrEqual(0.85 * 5);
    expect(refusals).toBeLessThanOrEqual(taken / 50);
    expect(fastest).toBeLessThanOrEqual(10);
    expect(known && shownRate(known).suggested).toBe(5);
  });

  it.each([
    [1, 50],
    [0.5, 10],
    [40, 50],
    [9, 10],
    [5, null],
  ])('the same holds of a limit of %j under a setting of %j', (limit, ceiling) => {
    const { refusals, taken, perSecond } = drive(bucket(limit, Math.max(1.2, limit)), ceiling, 1_200);
    expect(perSecond).toBeGreaterThanOrEqual(0.85 * limit);
    expect(refusals).toBeLessThanOrEqual(Math.max(15, taken / 50));
  });

  it('goes back to the setting when the limit is gone', () => {
    const { known } = drive(slidingSecond(5), 10, 300);
    const { known: later, perSecond } = drive(() => true, 10, 3_600, known);
    expect(later).toBeNull();
    expect(perSecond).toBeGreaterThan(8);
  });
});

describe('the learned rate', () => {
  it('is half of the rate that was refused, and nothing before a refusal', () => {
    expect(after([accepted(1_000)])).toBeNull();
    expect(after([LIMITED])).toEqual({
      ...{ perSecond: 5, refused: 10, limitedAt: 1_000, announced: null, accepted: 0, setting: 10 },
    });
  });

  it('is halved once by all requests that were under way together, and again by one that left later', () => {
    const underWay: RateEvent = { kind: 'limited', elapsedMs: 1_500, used: 0 };
    expect(after([LIMITED, underWay])?.perSecond).toBe(5);
    expect(after([LIMITED, { kind: 'limited', elapsedMs: 500, used: 0 }])?.perSecond).toBe(2.5);
  });

  it('is halved also when the clock was set back since', () => {
    const known = learnRate(null, LIMITED, 10, 5_000_000);
    expect(learnRate(known, LIMITED, 10, 1_000)?.perSecond).toBe(2.5);
  });

  it('never falls below one request in ten seconds, nor above the setting', () => {
    expect(after(Array.from({ length: 20 }, () => LIMITED))?.perSecond).toBe(0.1);
    expect(after([LIMITED], 0.05)?.perSecond).toBe(0.05);
    expect(after([LIMITED, accepted(10_000)], 5)).toMatchObject({ perSecond: 4.5 });
  });

  it('without a setting begins with half of what was used', () => {
    expect(after([{ kind: 'limited', elapsedMs: 0, used: 36 }], null)?.perSecond).toBe(18);
    expect(after([LIMITED], null)?.perSecond).toBe(0.5);
  });

  it('grows quickly to nine tenths of the mark, and then by a small step for each minute’s worth', () => {
    const near = after([LIMITED, accepted(40)]);
    expect(near?.perSecond).toBe(9);
    const step = (count: number) => near && learnRate(near, accepted(count), 10, 3_000)?.perSecond;
    expect(step(499)).toBe(9);
    expect(step(500)).toBeCloseTo(9.2, 9);
  });

  it('keeps its mark when it is refused again at once, because the platform has not forgiven yet', () => {
    expect(after([LIMITED, LIMITED, LIMITED])).toMatchObject({ perSecond: 1.25, refused: 10 });
    expect(after([LIMITED, accepted(13), LIMITED])).toMatchObject({ refused: 6.3 });
  });

  it('forgets its mark after six hours, and grows quickly again', () => {
    const known = after([LIMITED, accepted(40)]);
    const later = (hours: number) => learnRate(known, accepted(5), 10, hours * 3_600_000);
    expect(later(5)?.perSecond).toBe(9);
    expect(later(7)).toMatchObject({ perSecond: 9.5, refused: null });
  });

  it('is what the platform announces, as long as that is below the setting', () => {
    const announced = (perSecond: number): RateEvent => ({ kind: 'announced', perSecond });
    expect(after([announced(20)])).toBeNull();
    expect(after([announced(4), accepted(1_000)])).toMatchObject({ perSecond: 4, announced: 4 });
    expect(after([announced(4), LIMITED, accepted(1_000), announced(4)])?.perSecond).toBe(3.6);
    expect(after([announced(4), announced(20), accepted(60)])).toBeNull();
  });

  it('of an earlier process counts while it is below the setting of now', () => {
    const known = after([LIMITED]);
    expect(resumedRate(known, 10)).toBe(known);
    expect(resumedRate(known, 5)).toBeNull();
    expect(resumedRate(known, 8)).toMatchObject({ perSecond: 5, setting: 8 });
  });

  it('becomes a suggestion when it has come near its mark, and another one than the setting', () => {
    const rate = (perSecond: number, refused: number | null, announced: number | null = null) =>
      shownRate({ ...{ perSecond, refused, announced }, limitedAt: 1, accepted: 0, setting: 10 }).suggested;
    expect(rate(5, 10)).toBeNull();
    expect(rate(4.6, 5.1)).toBe(5);
    expect(rate(2.6, 5.1)).toBe(5);
    expect(rate(0.26, 0.27)).toBe(1);
    expect(rate(9.5, 10)).toBeNull();
    expect(rate(4, null)).toBeNull();
    expect(rate(4, null, 4)).toBe(4);
  });

  it.each([
    [4.5678, 4.6],
    [0.2531, 0.25],
    [48.2, 48],
    [512.4, 512],
  ])('%j is shown as %j', (perSecond, learned) => {
    const known = after([LIMITED]);
    expect(known && shownRate({ ...known, perSecond })).toEqual({
      ...{ learned, ratePerSecond: 10, suggested: null, refusedAt: '1970-01-01T00:00:01.000Z' },
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
