import { expect, it } from 'vitest';
import { purgedText } from '../../../src/cli/output/print-fleet.js';

const SCHEMA = { schema: 'tenant_acme', other: null };

it('says that the ledger is deleted only when it is', () => {
  expect(purgedText('acme', { ...SCHEMA, ledger: 'deleted' })).toBe(
    'acme is removed, and its ledger is deleted.',
  );
  expect(purgedText('acme', { ...SCHEMA, ledger: 'none' })).toBe(
    'acme is removed. No ledger was deleted: the schema "tenant_acme" of the fleet’s database has none.',
  );
});

it('says where a ledger stays, why, and what to do', () => {
  expect(purgedText('acme', { ...SCHEMA, ledger: 'elsewhere' })).toBe(
    'acme is removed. Its ledger stays, the schema "tenant_acme" in the database of its state.url: only a ledger of a file without state.url is deleted. If nobody needs it, drop the schema there.',
  );
  expect(purgedText('acme', { ...SCHEMA, ledger: 'elsewhere', other: 'beta' })).toContain(
    'Before you drop the schema there, check that it is not the ledger of the tenant "beta"',
  );
  expect(purgedText('acme', { ...SCHEMA, ledger: 'of-another', other: 'beta' })).toBe(
    'acme is removed. Its ledger stays, the schema "tenant_acme" of the fleet’s database: the tenant "beta" has this schema too. If the ledger of beta is in another database, drop the schema yourself.',
  );
});
