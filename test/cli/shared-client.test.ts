import { expect, test } from 'vitest';
import { openPlatforms } from '../../src/cli/compose/open-platforms.js';
import type { Area } from '../../src/core/domain/names.js';
import { load, SMALL } from '../core/config/config-folder.js';

const RATE = 10;

/** Starts of attempts in the first 900 ms, of two areas that have twice as much to send as they may. */
async function startsOf(training: {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly rate?: number;
}) {
  const config = load(
    SMALL.replace(
      'entities:',
      `    ratePerSecond: ${RATE}
  training:
    baseUrl: ${training.baseUrl}
    clientId: ${training.clientId}
    clientSecret: secret-key
    ratePerSecond: ${training.rate ?? RATE}
entities:`,
    ),
  );
  const platforms = openPlatforms(config);
  const began = performance.now();
  let starts = 0;
  for (const area of ['jobs', 'training'] satisfies Area[]) {
    const limit = platforms.rateLimit(area, began);
    for (let count = 0; count < 2 * RATE; count += 1)
      void limit.schedule(() => {
        if (performance.now() - began < 900) starts += 1;
        return Promise.resolve();
      });
  }
  await new Promise((resolve) => setTimeout(resolve, 950));
  await platforms.close();
  return starts;
}

test('two areas with one client at one host share one rate, the lower of theirs', async () => {
  expect(await startsOf({ baseUrl: 'https://jobs.example/training', clientId: 'partner' })).toBe(RATE);
  expect(await startsOf({ baseUrl: 'https://jobs.example', clientId: 'partner', rate: 4 })).toBe(4);
});

test('two clients, or two hosts, have a rate each', async () => {
  expect(await startsOf({ baseUrl: 'https://jobs.example', clientId: 'other' })).toBe(2 * RATE);
  expect(await startsOf({ baseUrl: 'https://other.example', clientId: 'partner' })).toBe(2 * RATE);
});
