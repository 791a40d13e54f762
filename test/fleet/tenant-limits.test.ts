import { expect, test } from 'vitest';
import { createProcessRates, tenantLimits } from '../../src/cli/compose/fleet/run-slice.js';
import type { LoadedConfig } from '../../src/config/load.js';
import { createSharedClock } from '../../src/fleet/shared-rate-limit.js';
import type { SharedRates } from '../../src/ports/tenants.js';
import { openFleet } from '../state/fleet/open-fleet.js';

const limitsOf = (shared: SharedRates, baseUrl: string, clientId = 'vendor') => {
  const area = { baseUrl, clientId, concurrency: 2, ratePerSecond: 10 };
  const settings = { platform: { jobs: area }, verify: { sharePercent: 10 } };
  return tenantLimits({ settings } as unknown as LoadedConfig, {
    ...{ shared, rateOf: createProcessRates(shared, createSharedClock()) },
    ...{ rates: { vendor: 50 }, log: () => undefined },
  });
};

const DAY_MS = 86_400_000;
const stopped = {
  type: 'area-stopped',
  area: 'jobs',
  code: 'long-pause',
  message: 'the platform asked to wait',
  delayMs: DAY_MS,
} as const;

test('a pause concerns the client id at that platform, and no other platform with the same client id', async () => {
  const { rates } = await openFleet();
  const staging = limitsOf(rates, 'https://staging.example/api');
  staging.emit(stopped as never);
  await staging.end();
  expect(await limitsOf(rates, 'https://staging.example/other').pauseLeft()).toBeGreaterThan(0);
  expect(await limitsOf(rates, 'https://platform.example').pauseLeft()).toBe(0);
  expect(await limitsOf(rates, 'https://staging.example', 'another').pauseLeft()).toBe(0);
});

test('the others wait five minutes for a platform that asked one of them for a day, and then one asks again', async () => {
  const { rates } = await openFleet();
  const asked = limitsOf(rates, 'https://platform.example');
  asked.emit(stopped as never);
  await asked.end();
  const left = await asked.pauseLeft();
  expect(left).toBeGreaterThan(60_000);
  expect(left).toBeLessThanOrEqual(300_000);
});

test('each platform has slots of its own, at the rate of the client id', async () => {
  const { rates, database } = await openFleet();
  for (const url of ['https://one.example', 'https://two.example'])
    await limitsOf(rates, url)
      .rateLimit('jobs')
      .schedule(() => Promise.resolve());
  const rows = await database.query<{ credential: string }>('select credential from fleet.rate order by 1');
  expect(rows.map(({ credential }) => credential)).toEqual([
    'https://one.example vendor',
    'https://two.example vendor',
  ]);
});
