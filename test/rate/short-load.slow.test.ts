import { describe, expect, it } from 'vitest';
import { measureLoad } from './measure-load.js';

/** A few seconds of what `npm run test:rate` does for minutes. */
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
