import { afterAll, describe, expect, it } from 'vitest';
import { measureLoad, type Measured } from './measure-load.js';

/** As many requests as the rate allows in this time. */
const SECONDS = 60;
/** Of the rate, used over a line of 30 ms without jitter. */
const WANTED_SHARE = 0.98;

const RATES = [500, 10, 50];
const LATENCIES_MS = [30, 5, 300];
const CALM = { name: 'calm', faults: false, jitterShare: 0, stallMs: 0 };
/** Jitter on each way, 429 with Retry-After, 503, lost connections, and a client whose event loop stalls. */
const ROUGH = { name: 'rough', faults: true, jitterShare: 0.2, stallMs: 150 };

const cases = [CALM, ROUGH]
  .flatMap((weather) =>
    LATENCIES_MS.flatMap((latencyMs) =>
      RATES.map((rate) => ({ ...weather, latencyMs, rate, areas: ['jobs'] })),
    ),
  )
  .concat(RATES.map((rate) => ({ ...ROUGH, latencyMs: 30, rate, areas: ['jobs', 'training'] })));

const lines: string[] = [];
afterAll(() => {
  process.stdout.write(
    ['rate  latency  line   area      arrived  peak  sustained', ...lines.sort()].join('\n') + '\n',
  );
});

describe('a server under full load', () => {
  it.concurrent.each(cases)(
    'sees never more than $rate/s in $areas over a $name line of $latencyMs ms',
    async ({ name, faults, jitterShare, stallMs, latencyMs, rate, areas }) => {
      const jitterMs = jitterShare * Math.max(50, latencyMs);
      const measured = await measureLoad(
        { latencyMs, jitterMs, faults },
        {
          areas,
          ratePerSecond: rate,
          // Requests under way at once = rate × round trip; twice that, because they come in bursts.
          concurrency: Math.max(8, Math.ceil((2 * rate * (latencyMs + 2 * jitterMs)) / 1_000)),
          requests: rate * SECONDS,
          stallMs,
        },
      );
      measured.forEach((each) => lines.push(row(each)));
      for (const { arrived, peak, sustained } of measured) {
        expect(arrived).toBeGreaterThanOrEqual(rate * SECONDS);
        expect(peak).toBeLessThanOrEqual(rate);
        if (name === 'calm' && latencyMs === 30)
          expect(sustained / rate).toBeGreaterThanOrEqual(WANTED_SHARE);
      }

      function row({ area, arrived, peak, sustained }: Measured): string {
        const share = `${((100 * sustained) / rate).toFixed(1)} %`;
        const columns = [`${rate}/s`.padStart(5), `${latencyMs} ms`.padStart(7), name.padEnd(5)];
        return [
          ...columns,
          area.padEnd(8),
          String(arrived).padStart(7),
          String(peak).padStart(4),
          share,
        ].join('  ');
      }
    },
  );
});
