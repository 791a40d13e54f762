import { expect, onTestFinished, test } from 'vitest';
import { inspectEntity } from '../../../src/onboarding/doctor/read/inspect-entity.js';
import { readSource } from '../../../src/onboarding/doctor/read/read-source.js';
import { prepareQuery } from '../../../src/source/query.js';
import type { DoctorEntity } from '../../../src/onboarding/doctor/finding.js';
import { entity } from '../../../src/entities/index.js';
import { createTestDatabase } from '../../postgres/test-database.js';

test('when the time for a query is over, no further statement about it begins, and each fact says why it is missing', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await database.query('create table a (id int primary key, status text); create table b (a_id int)');
  const options = { url: database.url, statementTimeoutMs: 10_000 };
  const catalog = await readSource(options, () => Date.now());
  const sql = 'select a.id as key from a, b where a.id = b.a_id';
  const companies: DoctorEntity = {
    ...entity('companies'),
    query: { entity: 'companies', sql, file: 'a.sql', columns: [] },
    mapContext: {
      lookups: {},
      plainText: [],
      required: [],
      namespace: '6f1a3c1e-9d6c-4b58-8f5e-2a4f4d1b7c11',
    },
    requireInbox: false,
  };
  const settings = {
    source: { ...options, timeZone: null, sessionTimeZone: null, rowSecurity: 'refuse' as const },
    platformTimeZone: 'Asia/Jakarta',
    maxInvalidPercent: 20,
    today: '2030-01-01',
  };
  const inspect = (attemptForMs: number) =>
    inspectEntity(companies, {
      ...{ ...options, attemptForMs, catalog, prepareQuery },
      settings: { ...settings, source: { ...settings.source, statementTimeoutMs: 10_000 } },
    });
  const late = { cause: 'it took too long' };
  expect(await inspect(-1)).toMatchObject({
    ...{ plan: late, flags: late, stable: late },
    losses: { value: { losses: [], unseen: ['the joins of a (it took too long)'] } },
  });
  expect(await inspect(60_000)).toMatchObject({
    losses: { value: { losses: [], unseen: [] } },
    stable: { value: true },
  });
});
