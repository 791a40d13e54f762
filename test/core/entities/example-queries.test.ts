import { beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.js';
import { ENTITIES, entity } from '../../../src/core/entities/index.js';
import { queryColumns } from '../../../src/core/entities/columns.js';
import { createPostgresSource } from '../../../src/core/source/postgres-source.js';
import { createSampleDatabase, type TestDatabase } from '../../postgres/test-database.js';

/** Statuses of applications come from the webhook; the sample has none. */
const SAMPLED = ENTITIES.filter(({ application }) => !application).map(({ name }) => name);

const { entities, settings } = loadConfig({
  file: 'config/placement-sync.example.yaml',
  env: {
    ...{ SOURCE_DATABASE_URL: 'postgres://reader@127.0.0.1/unused', JOSS_CLIENT_ID: 'jobs' },
    ...{
      PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      JOSS_CLIENT_SECRET: 'jobs-secret',
    },
    ...{ TOSS_CLIENT_ID: 'training', TOSS_CLIENT_SECRET: 'training-secret' },
  },
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createSampleDatabase();
});

/** Rows that the source reads with the query, which it refuses when it returns a column that is not listed. */
async function payloadsOf(name: string, sql: string): Promise<readonly unknown[]> {
  const configured = entities.get(name);
  if (!configured)
    throw new Error(
      `config/placement-sync.example.yaml has no block for ${name}: add one with its example query`,
    );
  const { lookups, plainText, required, queryFile } = configured;
  const source = createPostgresSource({
    ...{ url: database.url, poolMax: 1, statementTimeoutMs: 60_000, rowSecurity: 'refuse' },
    ...{ timeZone: 'Asia/Jakarta', sessionTimeZone: null, platformTimeZone: settings.platform.timeZone },
  });
  try {
    const columns = queryColumns(entity(name), required);
    return await source.read({ entity: name, sql, file: queryFile, columns }, async (reader) => {
      const payloads: unknown[] = [];
      const context = { lookups, plainText, required, namespace: settings.ids.namespace };
      for await (const page of reader.allRows())
        for (const { row } of page) payloads.push(entity(name).map(row, context).payload);
      return payloads;
    });
  } finally {
    await source.close();
  }
}

test.each(SAMPLED)(
  'the example query of %s reads the sample, returns listed columns alone, and makes payloads',
  async (name) => {
    const payloads = await payloadsOf(name, entities.get(name)?.sql ?? '');
    expect(payloads.filter((payload) => payload !== null).length, 'rows with a payload').toBeGreaterThan(0);
  },
);

test('a query that returns a column that is not listed is refused, with the name of it', async () => {
  await expect(
    payloadsOf('companies', `select 1 as key, 'PT Satu' as name, null as region_id, 'x' as e_mail`),
  ).rejects.toThrow(/e_mail/);
});
