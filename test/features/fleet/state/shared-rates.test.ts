import { learnRate } from '../../../../src/core/domain/learned-rate.js';
import { expect, test } from 'vitest';
import {
  HELD_MS,
  type SharedPlace,
  type UsedPlace,
} from '../../../../src/features/fleet/state/shared-rates.js';
import { createRandom } from '../../../random.js';
import { peakPerSecond } from '../../../rate/arrivals.js';
import { openFleet } from './open-fleet.js';

/** From one request of a place to the next, milliseconds, at a whole rate. */
const SECOND_MS = 1_030;
/** A place is handed out so long before it is free, milliseconds. */
const AHEAD_MS = 250;

/** Rates, and a clock that can be moved on: all times of the rows go back instead. */
async function openRates() {
  const { database, rates } = await openFleet();
  const pass = (ms: number) =>
    database.query(`update fleet.rate set seen_at = seen_at - ${ms} * interval '1 millisecond',
      paused_until = paused_until - ${ms} * interval '1 millisecond', last_at = last_at - ${ms}, turn_at = turn_at - ${ms},
      places = array(select free - ${ms} from unnest(places) with ordinality p (free, index) order by index)`);
  return { database, rates, pass };
}

const usedAt = (place: SharedPlace, lateMs = 0): UsedPlace => ({ ...place, usedAt: place.at + lateMs });
const unused = (place: SharedPlace): UsedPlace => ({ ...place, usedAt: null });
/** As a place that was handed out is called after so much time. */
const before = (place: SharedPlace, ms: number): SharedPlace => ({
  ...place,
  at: place.at - ms,
  stamp: place.stamp - ms,
});

test('no place is handed out twice, whoever asks, and moments lie apart', async () => {
  const { rates } = await openRates();
  // More than two seconds' worth: however slow the machine is, some get nothing.
  const reserved = await Promise.all(
    Array.from({ length: 60 }, (_, index) => rates.reserve('c', 50, 1 + (index % 3))),
  );
  const places = reserved.flatMap(({ places }) => places).sort((one, other) => one.at - other.at);
  // As many as lie within what is handed out ahead.
  expect(places.length).toBeGreaterThan(AHEAD_MS / 15);
  // A second later a place is handed out again.
  expect(new Set(places.map(({ index, at }) => `${String(index)} ${String(at)}`)).size).toBe(places.length);
  places.slice(1).forEach(({ at }, index) => expect(at - (places[index]?.at ?? 0)).toBeGreaterThan(11.99));
  const last = Math.max(...reserved.map(({ at }) => at));
  expect(Math.max(...places.map(({ at }) => at)) - last).toBeLessThan(AHEAD_MS + 100);
  // Those who got nothing come one after the other.
  const turns = reserved.flatMap(({ turnAt }) => turnAt ?? []).sort((one, other) => one - other);
  expect(turns.length).toBeGreaterThan(1);
  turns.slice(1).forEach((at, index) => expect(at - (turns[index] ?? 0)).toBeGreaterThan(19.99));
});

test('a place is free a second after its request, at once if nothing was sent, and late if nobody says anything', async () => {
  const { rates, pass } = await openRates();
  const ask = (used: readonly UsedPlace[] = []) => rates.reserve('c', 0.99, 1, { used });
  const cycleMs = SECOND_MS / 0.99;
  const [first] = (await ask()).places;
  // The only place: held, so nobody else gets it.
  expect((await ask()).places).toEqual([]);
  const [again] = (await ask([unused(first!)])).places;
  expect(again!.at - first!.at).toBeLessThan(1_000);
  await pass(500);
  const held = before(again!, 500);
  const used = await ask([usedAt(held, 150)]);
  expect(used.places).toEqual([]);
  await pass(460);
  const [next] = (await rates.reserve('c', 0.99, 1, { turnAt: 0 })).places;
  const waitedMs = next!.at - (held.at - 460);
  // Later only if the machine is.
  expect(waitedMs).toBeGreaterThan(150 + cycleMs - 0.001);
  expect(waitedMs).toBeLessThan(150 + cycleMs + 1_000);
  // Its holder is killed.
  await pass(SECOND_MS + HELD_MS - 700);
  expect((await rates.reserve('c', 0.99, 1, { turnAt: 0 })).places).toEqual([]);
  await pass(1_000);
  expect((await rates.reserve('c', 0.99, 1, { turnAt: 0 })).places).toHaveLength(1);
});

test('what is said twice, or of a place that is somebody else’s by now, frees nothing, and is said to be lost', async () => {
  const { rates, pass } = await openRates();
  const [first] = (await rates.reserve('c', 1, 1)).places;
  await pass(SECOND_MS + HELD_MS);
  const [second] = (await rates.reserve('c', 1, 1)).places;
  const late = before(first!, SECOND_MS + HELD_MS);
  const nothing = await rates.reserve('c', 1, 1, { used: [unused(late)], turnAt: 0 });
  expect(nothing).toMatchObject({ places: [], lost: 0 });
  expect((await rates.reserve('c', 1, 0, { used: [usedAt(late)] })).lost).toBe(1);
  expect((await rates.reserve('c', 1, 0, { used: [usedAt(second!)] })).lost).toBe(0);
  const again = await rates.reserve('c', 1, 1, { used: [usedAt(second!), unused(second!)], turnAt: 0 });
  expect(again).toMatchObject({ places: [], lost: 1 });
});

test('a place that went back unused is another one next time', async () => {
  const { rates } = await openRates();
  await rates.reserve('c', 1, 0);
  const [first] = (await rates.reserve('c', 1, 1, { leadMs: 200 })).places;
  const [second] = (await rates.reserve('c', 1, 1, { used: [unused(first!)] })).places;
  expect(second!.at - first!.at).toBeLessThan(1);
  expect((await rates.reserve('c', 1, 1, { used: [unused(first!)], turnAt: 0 })).places).toEqual([]);
});

test('whether holders are quick, late, silent or killed, no second has more requests than the rate', async () => {
  const { rates, pass } = await openRates();
  const random = createRandom(11);
  const RATE = 8;
  const holders = Array.from({ length: 4 }, () => ({
    held: [] as SharedPlace[],
    used: [] as UsedPlace[],
    turnAt: null as number | null,
  }));
  const sent: number[] = [];
  let offset = 0;
  const move = async (ms: number) => {
    await pass(ms);
    offset += ms;
    for (const holder of holders) {
      holder.held = holder.held.map((place) => before(place, ms));
      holder.used = holder.used.map(({ usedAt, ...place }) => ({
        ...before(place, ms),
        usedAt: usedAt === null ? null : usedAt - ms,
      }));
      holder.turnAt = holder.turnAt === null ? null : holder.turnAt - ms;
    }
  };
  for (let step = 0; step < 400; step += 1) {
    await move(random.integer(1, 120));
    const holder = random.pick(holders);
    const now = await rates.now();
    // Killed: what it holds, and what it has not said.
    if (random.chance(0.01)) Object.assign(holder, { held: [], used: [], turnAt: null });
    for (const place of holder.held.filter(({ at }) => at <= now)) {
      const isMissed = now - place.at > HELD_MS;
      if (!isMissed) sent.push(now + offset);
      holder.used.push({ ...place, usedAt: isMissed ? null : now });
    }
    holder.held = holder.held.filter(({ at }) => at > now);
    if (random.chance(0.2)) continue;
    const { used, turnAt } = holder;
    const answer = await rates.reserve('c', RATE, random.integer(0, 3), { used, turnAt });
    holder.used = [];
    holder.held.push(...answer.places);
    holder.turnAt = answer.turnAt;
  }
  expect(peakPerSecond(sent)).toBeLessThanOrEqual(RATE);
  // Otherwise nothing was shown.
  const seconds = (sent.at(-1)! - sent[0]!) / 1_000;
  expect(sent.length / seconds).toBeGreaterThan(RATE / 2);
});

/** Holders that always have something to send, and ask when they may, until so much time has passed. Gives when each has sent. */
async function saturate(
  { rates, pass }: Awaited<ReturnType<typeof openRates>>,
  ratePerSecond: number,
  holders: readonly { readonly leadMs?: number; readonly untilMs?: number }[],
  endMs: number,
) {
  const startedAt = await rates.now();
  let offset = 0;
  let last = 0;
  const all = holders.map((options) => ({
    ...{ leadMs: 0, untilMs: Infinity, ...options },
    ...{
      askAt: 0,
      place: null as SharedPlace | null,
      used: [] as UsedPlace[],
      turnAt: null as number | null,
    },
    sent: [] as number[],
  }));
  for (;;) {
    const now = (await rates.now()) + offset - startedAt;
    const alive = all.filter(({ untilMs }) => untilMs > now);
    const next = alive.toSorted((one, other) => one.askAt - other.askAt)[0]!;
    if (next.askAt > endMs) return all;
    // What the machine takes counts as little as possible, but time never goes back.
    const move = Math.max(next.askAt, last) - now;
    await pass(move);
    offset += move;
    // Times of the row are those of the clock; what a holder remembers is older by what has passed since.
    const there = (moment: number) => moment + startedAt - offset;
    const { place } = next;
    if (place) {
      const at = Math.max(place.at, next.askAt);
      next.sent.push(at);
      next.used.push({
        index: place.index,
        stamp: there(place.stamp),
        at: there(place.at),
        usedAt: there(at),
      });
      next.place = null;
    }
    const turnAt = next.turnAt === null ? null : there(next.turnAt);
    const answer = await rates.reserve('c', ratePerSecond, 1, {
      used: next.used,
      leadMs: next.leadMs,
      turnAt,
    });
    next.used = [];
    const here = (moment: number) => moment - startedAt + offset;
    last = here(answer.at);
    const [given] = answer.places;
    next.place = given ? { ...given, at: here(given.at), stamp: here(given.stamp) } : null;
    next.turnAt = answer.turnAt === null ? null : here(answer.turnAt);
    next.askAt = next.place?.at ?? here(answer.at) + Math.min(1_000, answer.waitMs);
  }
}

const NEAR = {};

test('of more holders than places each gets its share', async () => {
  const five = Array.from({ length: 5 }, () => NEAR);
  const counts = (await saturate(await openRates(), 2, five, 40_000)).map(({ sent }) => sent.length);
  const sum = counts.reduce((total, count) => total + count, 0);
  expect(Math.min(...counts), counts.join(' ')).toBeGreaterThan((0.3 * sum) / 5);
});

test('turns of those who are gone hold nobody up for long', async () => {
  const later = async (others: number) => {
    const gone = Array.from({ length: others }, () => ({ untilMs: 2_000 }));
    const [left] = await saturate(await openRates(), 5, [NEAR, ...gone], 12_000);
    return left!.sent.filter((at) => at > 6_000).length;
  };
  expect(await later(15)).toBeGreaterThan(0.7 * (await later(0)));
});

test('one that is far from the database does not hold up the others', async () => {
  const sum = async (far: readonly { readonly leadMs: number }[]) => {
    const all = await saturate(await openRates(), 20, [...far, NEAR, NEAR, NEAR, NEAR], 10_000);
    const sent = all.flatMap((each) => each.sent).sort((one, other) => one - other);
    expect(peakPerSecond(sent)).toBeLessThanOrEqual(20);
    return sent.length;
  };
  expect(await sum([{ leadMs: 1_000 }])).toBeGreaterThan(0.8 * (await sum([])));
});

test('who waits for a turn comes before who asks later, but a place that nobody took is for all', async () => {
  const { rates, pass } = await openRates();
  expect((await rates.reserve('c', 4, 4)).places).toHaveLength(2);
  // So that a slow machine brings no place in between.
  await pass(-500);
  const first = await rates.reserve('c', 4, 1);
  const second = await rates.reserve('c', 4, 1);
  expect(first.places).toEqual([]);
  expect(second.turnAt! - first.turnAt!).toBeCloseTo(250, 3);
  // Asked again before its turn, it keeps it.
  const early = await rates.reserve('c', 4, 1, { turnAt: second.turnAt });
  expect(early.turnAt).toBe(second.turnAt);
  const turnMs = Math.max(1, first.turnAt! - early.at + 1);
  await pass(turnMs);
  expect((await rates.reserve('c', 4, 1)).places).toEqual([]);
  expect((await rates.reserve('c', 4, 1, { turnAt: first.turnAt! - turnMs })).places).toHaveLength(1);
  // Turns reach far ahead, but nobody comes: whoever asks may have the place.
  for (let asked = 0; asked < 40; asked += 1) await rates.reserve('c', 4, 1);
  await pass(3_000);
  expect((await rates.reserve('c', 4, 1)).places).toHaveLength(1);
});

test('each credential has a rate of its own, also below one a second', async () => {
  const { rates } = await openRates();
  expect((await rates.reserve('slow', 0.1, 2)).places).toHaveLength(1);
  const { waitMs, turnAt } = await rates.reserve('slow', 0.1, 1);
  expect(turnAt).not.toBeNull();
  expect(waitMs).toBeGreaterThan(9_000);
  expect(waitMs).toBeLessThanOrEqual(10_300);
  expect((await rates.reserve('other', 0.1, 1)).places).toHaveLength(1);
});

test('no place is sooner than its answer', async () => {
  const { rates } = await openRates();
  const { at, places } = await rates.reserve('c', 50, 1, { leadMs: 80 });
  expect(places[0]!.at - at).toBeCloseTo(80, 3);
});

test('what one has learned makes the places of all fewer, until it is forgotten; a row is not needed before', async () => {
  const { rates, pass } = await openRates();
  const known = { refused: 50, limitedAt: 1, announced: null, accepted: 0, setting: 50 };
  const halve = (perSecond: number) => rates.learn('c', () => ({ ...known, perSecond }));
  expect(await halve(2.5)).toMatchObject({ perSecond: 2.5 });
  const slow = await rates.reserve('c', 50, 5);
  expect(slow.learned).toMatchObject({ perSecond: 2.5 });
  // Three places at 2.5 a second.
  expect(slow.places.map(({ stamp, at }) => Math.round(stamp - at))).toEqual([HELD_MS + 1_236]);
  // The setting stays the most.
  await pass(10_000);
  const [place] = (await rates.reserve('c', 1, 1)).places;
  expect(place!.stamp - place!.at).toBeCloseTo(HELD_MS + SECOND_MS, 3);
  expect((await rates.reserve('other', 50, 1)).learned).toBeNull();
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 10 }, () =>
      rates.learn('c', (shared, now) => {
        seen.push(now);
        return shared && { ...shared, accepted: shared.accepted + 1 };
      }),
    ),
  );
  expect((await rates.reserve('c', 50, 1)).learned).toMatchObject({ perSecond: 2.5, accepted: 10 });
  expect(Math.abs((seen[0] ?? 0) - Date.now())).toBeLessThan(60_000);
  await rates.learn('c', () => null);
  await pass(10_000);
  const free = await rates.reserve('c', 50, 5);
  expect(free.learned).toBeNull();
  expect(free.places).toHaveLength(5);
});

test('nothing is handed out in a pause, and a longer one stays', async () => {
  const { rates, pass } = await openRates();
  expect(await rates.pauseLeft('c')).toBe(0);
  await rates.pause('c', 60_000);
  await rates.pause('c', 1_000);
  const left = await rates.pauseLeft('c');
  expect(left).toBeGreaterThan(30_000);
  expect(left).toBeLessThanOrEqual(60_000);
  const asked = await rates.reserve('c', 50, 5);
  expect(asked).toMatchObject({ places: [], turnAt: null });
  expect(asked.waitMs).toBeGreaterThan(30_000);
  await rates.pause('c', 120_000);
  expect((await rates.reserve('c', 50, 1)).waitMs).toBeGreaterThan(90_000);
  expect(await rates.pauseLeft('other')).toBe(0);
  await pass(121_000);
  expect((await rates.reserve('c', 50, 5)).places).toHaveLength(5);
});

test('a clock that was set back lets nobody wait for long, and hands out no place twice', async () => {
  const { database, rates, pass } = await openRates();
  const { places } = await rates.reserve('c', 3, 3);
  await rates.pause('c', 60_000);
  // The row as a clock wrote it that was a day ahead.
  await pass(-86_400_000);
  const left = await rates.pauseLeft('c');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
  await rates.pause('c', 1);
  await rates.endPause('c');
  // A turn of before counts as the last one.
  const { turnAt } = await rates.reserve('c', 3, 1, { turnAt: Date.now() + 86_400_000 });
  expect((turnAt ?? 0) - Date.now()).toBeLessThan(60_000);
  const indexes = new Set(places.map(({ index }) => index));
  const answer = await rates.reserve('c', 3, 3);
  expect(answer.places.filter(({ index }) => indexes.has(index))).toEqual([]);
  await database.query(`select pg_sleep(${(SECOND_MS + HELD_MS + 600) / 1_000})`);
  expect((await rates.reserve('c', 3, 1)).places).toHaveLength(1);
});

test('times further ahead than is possible count as what is possible', async () => {
  const { database, rates, pass } = await openRates();
  await rates.reserve('c', 50, 5);
  await database.query(`update fleet.rate set last_at = last_at + 86400000, turn_at = last_at + 86400000,
    places = array_fill((select max(free) + 86400000 from unnest(places) p (free)), array[50])`);
  expect((await rates.reserve('c', 50, 5)).places).toEqual([]);
  await pass(5_000);
  expect((await rates.reserve('c', 50, 5)).places).toHaveLength(5);
});

test('a pause is listed until it ends; once somebody ends it, places are there at once', async () => {
  const { rates } = await openRates();
  await rates.pause('b', 3_600_000);
  await rates.pause('a', 1_800_000);
  await rates.reserve('a', 50, 5);
  await rates.reserve('free', 50, 5);
  const listed = await rates.pauses();
  expect(listed.map(({ credential }) => credential)).toEqual(['a', 'b']);
  expect(listed[0]!.until.getTime()).toBeLessThan(listed[1]!.until.getTime());
  expect(await rates.endPause('a')).toBe(true);
  expect(await rates.endPause('a')).toBe(false);
  expect(await rates.endPause('free')).toBe(false);
  // What was learned is forgotten, too.
  for (let refused = 0; refused < 2; refused++)
    await rates.learn('free', (known, now) =>
      learnRate(known, { kind: 'limited', elapsedMs: 0, used: 0 }, 50, now),
    );
  expect((await rates.reserve('free', 50, 1)).learned).toMatchObject({ perSecond: 35 });
  expect(await rates.credentials()).toEqual(['a', 'b', 'free']);
  expect(await rates.endPause('free')).toBe(true);
  expect((await rates.reserve('free', 50, 1)).learned).toBeNull();
  expect(await rates.pauseLeft('a')).toBe(0);
  expect((await rates.reserve('a', 50, 5)).places).toHaveLength(5);
  expect((await rates.pauses()).map(({ credential }) => credential)).toEqual(['b']);
});
