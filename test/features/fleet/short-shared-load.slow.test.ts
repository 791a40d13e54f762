import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openFleet } from './state/open-fleet.js';
import { measureSharedLoad } from './measure-shared-load.js';

const RATE = 50;

it('four processes with several limits each send no more than the rate in any second, calm or not', async () => {
  for (const stallMs of [0, 100]) {
    const { database } = await openFleet();
    const load = { url: database.url, limits: 3, ratePerSecond: RATE, seconds: 10, stallMs };
    const { peak, arrivals, line } = await measureSharedLoad(4, load);
    process.stdout.write(`${line}\n`);
    expect(peak).toBeLessThanOrEqual(RATE);
    // Otherwise nothing was shown. How much is used is judged in `npm run test:hard -- --project rate`.
    expect(arrivals.length).toBeGreaterThan(4 * RATE);
  }
});

it('a pause stops all processes, and they go on after it', async () => {
  const { database, rates } = await openFleet();
  const measuring = measureSharedLoad(2, {
    url: database.url,
    limits: 2,
    ratePerSecond: RATE,
    seconds: 12,
    stallMs: 0,
  });
  // Somebody has sent.
  await expect.poll(() => database.query('select 1 from fleet.rate')).toHaveLength(1);
  await wait(3_000);
  await rates.pause('load', 3_000);
  const { arrivals, peak } = await measuring;
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
  const longest = Math.max(...gaps);
  // Requests that had their time in hand come in the first moments of the pause.
  expect(longest).toBeGreaterThan(2_500);
  const resumed = gaps.indexOf(longest) + 1;
  expect(resumed).toBeGreaterThan(RATE);
  expect(arrivals.length - resumed).toBeGreaterThan(RATE);
  expect(peak).toBeLessThanOrEqual(RATE);
});
