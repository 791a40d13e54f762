import { expect, it } from 'vitest';
import { createSharedPlatforms } from '../../../src/cli/compose/fleet/run-slice.js';
import { loadTenant } from '../../../src/features/fleet/config/load-tenant.js';
import { ENVIRONMENT, readAcme, TENANT } from './config/tenant-folder.js';

const configOf = (env = ENVIRONMENT) =>
  loadTenant(readAcme(TENANT), { fleetUrl: 'postgres://fleet@db.example/fleet', env });

it('tenants with the same platform settings share their clients until the last has ended', async () => {
  const open = createSharedPlatforms(3);
  const one = open(configOf());
  const other = open(configOf());
  const client = one.platform('jobs');
  expect(other.platform('jobs')).toBe(client);
  await one.close();
  expect(open(configOf()).platform('jobs')).toBe(client);
});

it('after the last has ended, and with another secret, there are new clients', async () => {
  const open = createSharedPlatforms(3);
  const one = open(configOf());
  const client = one.platform('jobs');
  const foreign = open(configOf({ ...ENVIRONMENT, ACME_SECRET: 'another-key' }));
  expect(foreign.platform('jobs')).not.toBe(client);
  await one.close();
  expect(open(configOf()).platform('jobs')).not.toBe(client);
});
