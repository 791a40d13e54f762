import { afterAll, describe, expect, it } from 'vitest';
import { type Measured, measureLoad } from './measure-load.js';

/** As many requests as the rate allows in this time. */
const SECONDS = 60;
/** Of the rate, used over a line of 30 ms without jitter. */
const WANTED_SHARE = 0.98;
const WANTED_LATENCY_MS = 30;
/**
 * Minutes given to reach it in the usual second. Where machines are virtual, others take the processor away for a second
 * and more: the median leaves that out, but not what is taken away all the time.
 */
const ATTEMPTS = 3;

/** A request too many is rare: so long. */
const STALLED_SECONDS = Number(process.env.RATE_SECONDS ?? 1_200);
const STALLED_SHARE = 0.85;

const RATES = [500, 10, 50];
const LATENCIES_MS = [30, 5, 300];
const CALM = { name: 'calm', faults: false, jitterShare: 0, stallMs: 0 };
/** Jitter on each way, 429 with Retry-After, 503, lost connections, and a client whose event loop stalls. */
const ROUGH = { name: 'rough', faults: true, jitterShare: 0.2, stallMs: 150 };

const casesOf = (weather: typeof CALM, latencyMs: number, areas = ['jobs']) =>
  RATES.map((rate) => ({ ...weather, latencyMs, rate, areas }));
/** How much is used is judged here, so that nothing else keeps the machine busy: one after the other. */
const JUDGED_ALONE = casesOf(CALM, WANTED_LATENCY_MS);
const TOGETHER = [
  ...LATENCIES_MS.filter((ms) => ms !== WANTED_LATENCY_MS).flatMap((ms) => casesOf(CALM, ms)),
  ...LATENCIES_MS.flatMap((ms) => casesOf(ROUGH, ms)),
  ...casesOf(ROUGH, 30, ['jobs', 'training']),
];

const lines: string[] = [];
afterAll(() => {
  process.stdout.write(
    ['rate  latency  line   area      arrived  peak  usual   sustained', ...lines.sort()].join('\n') + '\n',
  );
});

const TITLE = 'sees never more than $rate/s in $areas over a $name line of $latencyMs ms';

describe('a server under full load', () => {
  it.each(JUDGED_ALONE)(`${TITLE}, and nearly as many`, async (load) => {
    let used = 0;
    for (let attempt = 0; attempt < ATTEMPTS && used < WANTED_SHARE; attempt += 1) {
      const [measured] = await neverAbove(load);
      used = (measured?.usual ?? 0) / load.rate;
    }
    expect(used).toBeGreaterThanOrEqual(WANTED_SHARE);
  });
  it.concurrent.each(TOGETHER)(TITLE, async (load) => void (await neverAbove(load)));
});

describe('a server whose client stands still for 100 to 500 ms every five seconds', () => {
  it(
    'sees never more than the rate, and 85 % of it at least, at five rates at once for twenty minutes',
    { timeout: (STALLED_SECONDS / STALLED_SHARE + 300) * 1_000 },
    async () => {
      const all = await Promise.all(
        [5, 10, 20, 50, 200].map(async (rate) => {
          const [measured] = await measureLoad(
            { latencyMs: 5, jitterMs: 0, faults: false },
            {
              ...{ areas: ['jobs'], ratePerSecond: rate, concurrency: 8, requests: rate * STALLED_SECONDS },
              ...{ stallMs: 100, longestStallMs: 500, stallEveryMs: 5_000 },
            },
          );
          if (!measured) throw new Error('nothing was measured');
          return { rate, measured };
        }),
      );
      for (const { rate, measured } of all)
        lines.push(row({ ...ROUGH, name: 'stall', rate, latencyMs: 5, areas: ['jobs'] }, measured));
      expect(all.filter(({ rate, measured }) => measured.peak > rate)).toEqual([]);
      expect(all.filter(({ rate, measured }) => measured.sustained < rate * STALLED_SHARE)).toEqual([]);
    },
  );
});

describe('a server with an unannounced limit of 5/s', () => {
  it('is used by 85 % at least over ten minutes under a setting of 10/s, with one 429 in 50 at most', async () => {
    const minutes = 10;
    const requests = Math.ceil(0.85 * 5 * 60 * minutes);
    const began = performance.now();
    const [measured] = await measureLoad(
      { latencyMs: 30, jitterMs: 10, faults: false, limit: 5 },
      { areas: ['jobs'], ratePerSecond: 10, concurrency: 4, requests, stallMs: 0, learns: true },
    );
    if (!measured) throw new Error('nothing was measured');
    lines.push(row({ ...CALM, name: 'limit', rate: 10, latencyMs: 30, areas: ['jobs'] }, measured));
    const took = (performance.now() - began) / 60_000;
    expect(took, `${took} minutes, ${measured.arrived - requests} refused`).toBeLessThanOrEqual(minutes);
    expect(measured.arrived - requests).toBeLessThanOrEqual(requests / 50);
    expect(measured.peak).toBeLessThanOrEqual(10);
  });
});

async function neverAbove(load: (typeof TOGETHER)[number]): Promise<Measured[]> {
  const { faults, jitterShare, stallMs, latencyMs, rate, areas } = load;
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
  for (const each of measured) {
    lines.push(row(load, each));
    expect(each.arrived).toBeGreaterThanOrEqual(rate * SECONDS);
    expect(each.peak).toBeLessThanOrEqual(rate);
  }
  return measured;
}

function row(
  { rate, latencyMs, name }: (typeof TOGETHER)[number],
  { area, arrived, peak, usual, sustained }: Measured,
): string {
  const share = (perSecond: number) => `${((100 * perSecond) / rate).toFixed(1)} %`;
  return [
    `${rate}/s`.padStart(5),
    `${latencyMs} ms`.padStart(7),
    name.padEnd(5),
    area.padEnd(8),
    String(arrived).padStart(7),
    String(peak).padStart(4),
    share(usual),
    share(sustained),
  ].join('  ');
}
