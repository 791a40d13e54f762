import { expect, it } from 'vitest';
import { diffKeys } from '../../../src/domain/diff.js';
import type { EntityName } from '../../../src/domain/names.js';
import type { SyncError } from '../../../src/domain/errors.js';
import { withQueryNamed } from '../../../src/sync/sweep/examine-row.js';

async function errorOf(
  source: readonly string[],
  ledger: readonly string[] = [],
  name: EntityName = 'companies',
): Promise<unknown> {
  const pages = async function* (keys: readonly string[]) {
    yield await Promise.resolve(keys.map((key) => ({ key, rowVersion: null, vanished: false })));
  };
  try {
    for await (const page of diffKeys(pages(source), pages(ledger))) void page;
  } catch (error) {
    return withQueryNamed(error, { file: `/etc/queries/${name}.sql`, entity: name });
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

it('leaves out what stands for an applicant’s address, whichever side is at fault', async () => {
  const digests = ['0', '1'].map((digit) => digit.repeat(32));
  const [first = '', second = ''] = digests.map((digest) => `v1:${digest}`);
  for (const error of [
    await errorOf([second, second], [], 'application-statuses'),
    await errorOf([second, first], [], 'application-statuses'),
    await errorOf([], [second, first], 'application-statuses'),
  ]) {
    const { message, details } = error as SyncError;
    expect(message).toContain('"v1:…"');
    expect(message + JSON.stringify(details)).not.toMatch(/[01]{32}/);
  }
  // Of other entities a key is a key.
  expect(await errorOf([first, first])).toMatchObject({ details: { key: first } });
});
