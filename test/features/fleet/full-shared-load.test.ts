import { expect, it } from 'vitest';
import { openFleet } from './state/open-fleet.js';
import { measureSharedLoad } from './measure-shared-load.js';

/** All rates at once for so long: a request too many is rare, and what is used is judged over all of it. */
const SECONDS = Number(process.env.RATE_SECONDS ?? 1_200);
const RATES = [5, 10, 20, 50, 200];

const CALM = { name: 'calm', stalls: { stallMs: 0 }, share: 0.95 };
/** Each of the four event loops stands still about every five seconds. */
const STALLS = { stallMs: 100, longestStallMs: 500, stallEveryMs: 5_000 };
const ROUGH = { name: 'with event loops that stand still', stalls: STALLS, share: 0.85 };

it.each([CALM, ROUGH])(
  'four processes, $name, send never more than the rate in any second, and nearly as much',
  { timeout: (SECONDS + 120) * 1_000 },
  async ({ stalls, share }) => {
    const measured = await Promise.all(
      RATES.map(async (ratePerSecond) => {
        const { database } = await openFleet();
        const load = { url: database.url, limits: 3, ratePerSecond, seconds: SECONDS, ...stalls };
        return { ratePerSecond, ...(await measureSharedLoad(4, load)) };
      }),
    );
    process.stdout.write(measured.map(({ line }) => `${line}\n`).join(''));
    const lines = (all: typeof measured) => all.map(({ line }) => line);
    expect(lines(measured.filter(({ peak, ratePerSecond }) => peak > ratePerSecond))).toEqual([]);
    expect(lines(measured.filter(({ used }) => used < share))).toEqual([]);
  },
);
