import { onTestFinished } from 'vitest';
import type { TenantDefinition, TenantRun } from '../../../../src/features/fleet/state/types.js';
import { migrate } from '../../../../src/core/ledger/database/migrate.js';
import {
  createStateDatabase,
  type StateDatabase,
} from '../../../../src/core/ledger/database/state-database.js';
import { createTenants, FLEET_SCHEMA } from '../../../../src/features/fleet/state/tenants.js';
import { createSharedRates } from '../../../../src/features/fleet/state/shared-rates.js';
import { createTestDatabase, type TestDatabase } from '../../../postgres/test-database.js';

/** A migrated schema `fleet` in a database of one test. */
export async function openFleet(poolMax = 4) {
  const database: TestDatabase = await createTestDatabase();
  const state: StateDatabase = createStateDatabase({ url: database.url, poolMax, schema: 'fleet' });
  onTestFinished(() => state.close());
  await migrate(state, { kind: FLEET_SCHEMA });
  return { database, state, tenants: createTenants(state), rates: createSharedRates(state) };
}

export function tenant(name: string, changed: Partial<TenantDefinition> = {}): TenantDefinition {
  return {
    name,
    configuration: `state: { schema: ledger_${name} }`,
    files: { 'queries/companies.sql': 'select 1', 'a file': '' },
    periodMs: 600_000,
    lane: 'auto',
    enabled: true,
    schema: `ledger_${name}`,
    ledgerHere: true,
    ...changed,
  };
}

export function run(changed: Partial<TenantRun> = {}): TenantRun {
  return {
    startedAt: new Date('2026-01-02T03:04:05.678Z'),
    finishedAt: new Date('2026-01-02T03:05:00.000Z'),
    outcome: 'complete',
    exitCode: 0,
    message: null,
    pending: 0,
    usedUpSlice: false,
    ...changed,
  };
}
