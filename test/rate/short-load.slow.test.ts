import { describe, expect, it } from 'vitest';
import { peakPerSecond, sustainedPerSecond, usualPerSecond } from './arrivals.js';
import { measureLoad } from './measure-load.js';

describe('the count of arrivals in a sliding second', () => {
  it.each([
    ['nothing', [], 0],
    ['one', [5], 1],
    ['two that are a second apart', [0, 1_000], 1],
    ['two that are a little less apart', [0, 999.9], 2],
    ['a second that begins between two whole ones', [0, 700, 900, 1_100, 1_300, 1_800], 4],
    ['a burst behind a silence', [0, 5_000, 5_000, 5_000], 3],
  ])('is right for %s', (_, arrivals, peak) => {
    expect(peakPerSecond(arrivals)).toBe(peak);
  });
});

it('counts only what surely came within a second where a moment is not known better', () => {
  // The server stood still from 900 to 1,000, and read the last two in one moment.
  expect(peakPerSecond([0, 1_000, 1_000, 1_900], [0, 900, 900, 1_900])).toBe(2);
  expect(peakPerSecond([0, 1_000, 1_000, 1_800], [0, 900, 900, 1_800])).toBe(3);
});

describe('the sustained rate', () => {
  it('is the rate of arrivals that are spread evenly', () => {
    const arrivals = Array.from({ length: 100 }, (_, index) => index * 125);
    expect(sustainedPerSecond(arrivals, 10)).toBeCloseTo(8, 6);
  });

  it('is the rate of bursts, and counts neither the first two rounds nor half a burst', () => {
    const arrivals = Array.from({ length: 95 }, (_, index) => Math.floor(index / 10) * 1_250);
    expect(sustainedPerSecond(arrivals, 10)).toBeCloseTo(8, 6);
  });
});

describe('the usual rate', () => {
  it('is that of evenly spread arrivals, whatever one long pause among them takes away', () => {
    const arrivals = Array.from({ length: 200 }, (_, index) => index * 125 + (index < 100 ? 0 : 9_000));
    expect(usualPerSecond(arrivals, 10)).toBeCloseTo(8, 6);
    expect(sustainedPerSecond(arrivals, 10)).toBeLessThan(7);
  });

  it('is lower where more than half of the time is slower', () => {
    const arrivals = Array.from({ length: 200 }, (_, index) => index * (index < 80 ? 100 : 250));
    expect(usualPerSecond(arrivals, 10)).toBeLessThan(5);
  });
});

/** A few seconds of what `npm run test:hard -- --project rate` does for minutes. */
describe('a server under full load', () => {
  it('sees no more than the rate in any second in each of two areas, whatever line and client do', async () => {
    const rate = 50;
    const measured = await measureLoad(
      { latencyMs: 30, jitterMs: 10, faults: true },
      { areas: ['jobs', 'training'], ratePerSecond: rate, concurrency: 8, requests: 4 * rate, stallMs: 150 },
    );
    expect(measured.map(({ area, arrived, peak }) => [area, arrived >= 4 * rate, peak <= rate])).toEqual([
      ['jobs', true, true],
      ['training', true, true],
    ]);
  });
});
