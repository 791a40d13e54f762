import { expect, it } from 'vitest';
import { diffKeys } from '../../../src/domain/diff/diff-keys.js';
import type { SyncError } from '../../../src/domain/errors.js';
import { withQueryNamed } from '../../../src/sync/sweep/name-query.js';

async function errorOf(source: readonly string[], ledger: readonly string[] = []): Promise<unknown> {
  const pages = async function* (keys: readonly string[]) {
    yield await Promise.resolve(keys.map((key) => ({ key, rowVersion: null, vanished: false })));
  };
  try {
    for await (const page of diffKeys(pages(source), pages(ledger))) void page;
  } catch (error) {
    return withQueryNamed(error, { queryFile: '/etc/queries/companies.sql' });
  }
  return null;
}

it('names file and column of a key that the query returns twice', async () => {
  const error = (await errorOf(['a', 'a'])) as SyncError;
  expect(error.message).toBe(
    '/etc/queries/companies.sql: the query returns the key "a" more than once (column key).',
  );
  expect(error).toMatchObject({
    code: 'duplicate-key',
    scope: 'entity',
    details: { key: 'a', file: '/etc/queries/companies.sql' },
    hint: expect.stringContaining('join') as string,
  });
});

it('blames no query for the order of the ledger', async () => {
  expect(((await errorOf([], ['b', 'a'])) as SyncError).message).not.toContain('companies.sql');
});
