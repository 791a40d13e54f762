import { expect, test } from 'vitest';
import { entity } from '../../../src/core/entities/index.js';
import type { DoctorEntity } from '../../../src/features/doctor/finding.js';
import { inspectEntity } from '../../../src/features/doctor/read/inspect-entity.js';
import { readSource } from '../../../src/features/doctor/read/read-source.js';
import { createTestDatabase } from '../../postgres/test-database.js';
import { queryOf } from '../../core/source/source-fixture.js';

/** A database, and doctor's inspection of one query there. */
async function openInspection(sql: string, tables = '') {
  const database = await createTestDatabase();
  if (tables !== '') await database.query(tables);
  const options = { url: database.url, statementTimeoutMs: 10_000 };
  const companies: DoctorEntity = {
    ...entity('companies'),
    query: queryOf(sql),
    mapContext: {
      lookups: {},
      plainText: [],
      required: [],
      namespace: '6f1a3c1e-9d6c-4b58-8f5e-2a4f4d1b7c11',
    },
    requireInbox: false,
    onVanished: 'report',
  };
  const settings = {
    source: {
      ...options,
      timeZone: null,
      sessionTimeZone: null,
    },
    references: new Map(),
    platformTimeZone: 'Asia/Jakarta',
    maxInvalidPercent: 20,
    today: '2030-01-01',
  };
  const inspect = async (attemptForMs = 60_000) => {
    const catalog = await readSource(options);
    return inspectEntity(companies, { ...options, attemptForMs, catalog, settings });
  };
  return { database, inspect };
}

test('when the time for a query is over, no further statement about it begins, and each fact says why it is missing', async () => {
  const { inspect } = await openInspection(
    'select a.id as key from a, b where a.id = b.a_id',
    'create table a (id int primary key, status text); create table b (a_id int)',
  );
  expect(await inspect(-1)).toMatchObject({
    losses: { cause: 'it took too long' },
  });
  expect(await inspect()).toMatchObject({
    losses: { value: [] },
  });
});
