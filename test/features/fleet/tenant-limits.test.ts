import { expect, test } from 'vitest';
import { createProcessRates, tenantLimits } from '../../../src/cli/compose/fleet/run-slice.js';
import { credentialOf } from '../../../src/features/fleet/platform-credential.js';
import type { LoadedConfig } from '../../../src/core/config/load.js';
import { createSharedClock } from '../../../src/features/fleet/shared-rate-limit.js';
import type { SharedRates } from '../../../src/features/fleet/state/shared-rates.js';
import { openFleet, tenant } from './state/open-fleet.js';

interface Sender {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly transport?: object;
}

const limitsOf = (shared: SharedRates, baseUrl: string, sender: Sender = {}) => {
  const { clientId = 'vendor', clientSecret = 'hunter2-of-vendor', transport } = sender;
  const area = { baseUrl, clientId, clientSecret, concurrency: 2, ratePerSecond: 10 };
  const settings = { platform: { jobs: area }, verify: { sharePercent: 10 } };
  return tenantLimits({ settings, transport: { jobs: transport } } as unknown as LoadedConfig, {
    ...{ shared, rateOf: createProcessRates(shared, createSharedClock()) },
    ...{ rates: { vendor: 50 }, claims: [], log: () => undefined },
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
  expect(await limitsOf(rates, 'https://staging.example', { clientId: 'another' }).pauseLeft()).toBe(0);
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
  const names = rows.map(({ credential }) => credential);
  expect(names.map((name) => name.replace(/#[0-9a-f]{16}/, '#'))).toEqual([
    'https://one.example # vendor',
    'https://two.example # vendor',
  ]);
  expect(names.join()).not.toContain('hunter2');
  expect(names.map(credentialOf)).toContainEqual({ origin: 'https://one.example', clientId: 'vendor' });
  expect(credentialOf('https://one.example of an earlier version')).toEqual({
    origin: 'https://one.example',
    clientId: 'of an earlier version',
  });
});

test('who only names the client id of another holds it up in nothing', async () => {
  const { rates } = await openFleet();
  const url = 'https://platform.example';
  const proxy = { address: 'http://proxy.example:3128', authorization: null, namedBy: 'platform.proxy' };
  const others = [
    limitsOf(rates, url, { clientSecret: 'a guess' }),
    limitsOf(rates, url, { transport: { proxy } }),
    limitsOf(rates, url, { transport: { certificates: ['of its own authority'] } }),
  ];
  for (const other of others) {
    other.emit(stopped as never);
    await other.end();
    expect(await other.pauseLeft()).toBeGreaterThan(0);
  }
  expect(await limitsOf(rates, url).pauseLeft()).toBe(0);
});

test('tenants with one credential have the least rate of them, and a second one with its namespace is named', async () => {
  const { rates, tenants } = await openFleet();
  for (const name of ['zeta', 'acme', 'beta'])
    await tenants.apply([tenant(name)], { removeOthers: false, place: () => 'fleet' });
  const claim = (name: string, perSecond: number | null, namespace = name, credential = 'c') =>
    rates.claim(name, [{ credential, perSecond, namespace }]);
  const answer = (perSecond: number | null, twin: string | null = null) => [
    { credential: 'c', perSecond, twin },
  ];
  expect(await claim('zeta', null)).toEqual(answer(null));
  expect(await claim('acme', 100_000)).toEqual(answer(100_000));
  expect(await claim('beta', 20)).toEqual(answer(20));
  expect(await claim('acme', 100_000)).toEqual(answer(20));
  expect(await claim('beta', 20, 'beta', 'another')).toMatchObject([
    { credential: 'another', perSecond: 20 },
  ]);
  expect(await claim('acme', 100_000)).toEqual(answer(100_000));
  // The first one goes on, whatever its name.
  expect(await claim('acme', 100_000, 'zeta')).toEqual(answer(100_000, 'zeta'));
  expect(await claim('zeta', null)).toEqual(answer(100_000));
  await tenants.remove('zeta');
  expect(await claim('acme', 100_000, 'zeta')).toEqual(answer(100_000));
});
