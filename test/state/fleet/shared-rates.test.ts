import { expect, test } from 'vitest';
import { HELD_MS, type SharedPlace, type UsedPlace } from '../../../src/ports/tenants.js';
import { createRandom } from '../../random.js';
import { peakPerSecond } from '../../rate/arrivals.js';
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
  const reserved = await Promise.all(
    Array.from({ length: 20 }, (_, index) => rates.reserve('c', 50, 1 + (index % 3))),
  );
  const places = reserved.flatMap(({ places }) => places).sort((one, other) => one.at - other.at);
  // As many as lie within what is handed out ahead.
  expect(places.length).toBeGreaterThan(AHEAD_MS / 15);
  expect(new Set(places.map(({ index }) => index)).size).toBe(places.length);
  places.slice(1).forEach(({ at }, index) => expect(at - (places[index]?.at ?? 0)).toBeGreaterThan(11.7));
  expect(Math.max(...places.map(({ at }) => at)) - reserved[0]!.at).toBeLessThan(AHEAD_MS + 100);
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
  expect(next!.at - (held.at - 460)).toBeCloseTo(150 + cycleMs, 3);
  // Its holder is killed.
  await pass(SECOND_MS + HELD_MS - 700);
  expect((await rates.reserve('c', 0.99, 1, { turnAt: 0 })).places).toEqual([]);
  await pass(1_000);
  expect((await rates.reserve('c', 0.99, 1, { turnAt: 0 })).places).toHaveLength(1);
});

test('what is said twice, or of a place that is somebody else’s by now, changes nothing', async () => {
  const { rates, pass } = await openRates();
  const [first] = (await rates.reserve('c', 1, 1)).places;
  await pass(SECOND_MS + HELD_MS);
  const [second] = (await rates.reserve('c', 1, 1)).places;
  const late = before(first!, SECOND_MS + HELD_MS);
  expect((await rates.reserve('c', 1, 1, { used: [unused(late)], turnAt: 0 })).places).toEqual([]);
  const used = [usedAt(second!), unused(second!)];
  await rates.reserve('c', 1, 0, { used: used.slice(0, 1) });
  expect((await rates.reserve('c', 1, 1, { used: used.slice(1), turnAt: 0 })).places).toEqual([]);
});

test('whatever holders do, no second has more requests than the rate, and few places are lost', async () => {
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
  const seconds = (sent.at(-1)! - sent[0]!) / 1_000;
  expect(peakPerSecond(sent)).toBeLessThanOrEqual(RATE);
  expect(sent.length / seconds).toBeGreaterThan(RATE / 2);
});

test('who waits for a turn comes before who asks later, but a place that nobody took is for all', async () => {
  const { rates, pass } = await openRates();
  const taken = await rates.reserve('c', 2, 3);
  expect(taken.places).toHaveLength(2);
  const first = await rates.reserve('c', 2, 1);
  const second = await rates.reserve('c', 2, 1);
  expect(first.places).toEqual([]);
  expect(second.turnAt! - first.turnAt!).toBeCloseTo(500, 3);
  // Asked again before its turn, it keeps it.
  const early = await rates.reserve('c', 2, 1, { turnAt: first.turnAt });
  expect(early.turnAt).toBe(first.turnAt);
  await rates.reserve('c', 2, 0, { used: taken.places.map((place) => usedAt(place)) });
  const turnMs = first.turnAt! - early.at + 1;
  await pass(turnMs);
  expect((await rates.reserve('c', 2, 1)).places).toEqual([]);
  expect((await rates.reserve('c', 2, 1, { turnAt: first.turnAt! - turnMs })).places).toHaveLength(1);
  // Turns reach far ahead, but nobody comes: whoever asks may have the place.
  for (let asked = 0; asked < 20; asked += 1) await rates.reserve('c', 2, 1);
  await pass(3_000);
  expect((await rates.reserve('c', 2, 1)).places).toHaveLength(1);
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
  expect(slow.places.map(({ stamp, at }) => Math.round(stamp - at))).toEqual([
    HELD_MS + 1_236,
    HELD_MS + 1_236,
  ]);
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

test('a clock that was set back makes nobody wait, and hands out no place twice', async () => {
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
  expect(await rates.pauseLeft('a')).toBe(0);
  expect((await rates.reserve('a', 50, 5)).places).toHaveLength(5);
  expect((await rates.pauses()).map(({ credential }) => credential)).toEqual(['b']);
});
