import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.js';
import { platformId } from '../../../src/core/domain/key.js';
import type { SourceRow } from '../../../src/core/ports/source.js';
import type { BrokenRecord } from '../../../src/features/demo/sample/seed-sample.js';
import type { Mapped } from '../../../src/core/entities/entity.js';
import { entity } from '../../../src/core/entities/index.js';
import { queryColumns } from '../../../src/core/entities/columns.js';
import { createPostgresSource } from '../../../src/core/source/postgres-source.js';
import { createSampleDatabase, SAMPLE_COUNTS, type TestDatabase } from '../../postgres/test-database.js';

const NAMES = ['companies', 'vacancies', 'institutions', 'trainings'] as const;
type Name = (typeof NAMES)[number];

interface MappedRow extends SourceRow {
  readonly mapped: Mapped;
}

const folder = path.resolve(import.meta.dirname, '../../../config');
const { entities, settings } = loadConfig({
  file: 'demo.yaml',
  cwd: folder,
  env: { DEMO_DATABASE_URL: 'postgres://reader@127.0.0.1/unused', DEMO_SANDBOX_URL: 'http://127.0.0.1:1' },
});
const namespace = settings.ids.namespace;

/** Rows as the worker reads them, mapped with the settings of the demo. */
async function readAndMap(url: string, name: Name): Promise<MappedRow[]> {
  const configured = entities.get(name);
  if (!configured) throw new Error(`the demo has no ${name}`);
  const { lookups, plainText, required } = configured;
  const context = { lookups, plainText, required, namespace };
  const source = createPostgresSource({
    url,
    poolMax: 1,
    statementTimeoutMs: 60_000,
    timeZone: settings.source.timeZone,
    sessionTimeZone: settings.source.sessionTimeZone,
    platformTimeZone: settings.platform.timeZone,
    rowSecurity: 'refuse',
  });
  try {
    const query = {
      entity: name,
      sql: configured.sql,
      file: configured.queryFile,
      columns: queryColumns(entity(name), required),
    };
    return await source.read(query, async (reader) => {
      const rows: MappedRow[] = [];
      for await (const page of reader.allRows()) {
        for (const each of page) rows.push({ ...each, mapped: entity(name).map(each.row, context) });
      }
      return rows;
    });
  } finally {
    await source.close();
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** `invalid 1234 quota`, as the sample and the maps can both be written. */
const lineOf = (kind: string, key: string, column: string) => `${kind} ${key} ${column}`;

describe('the sample through the example queries, the example lookups and the maps', () => {
  let database: TestDatabase;
  let broken: readonly BrokenRecord[];
  const rows = new Map<Name, MappedRow[]>();
  const rowsOf = (name: Name) => rows.get(name) ?? [];
  beforeAll(async () => {
    ({ broken, ...database } = await createSampleDatabase());
    for (const name of NAMES) rows.set(name, await readAndMap(database.url, name));
  });

  test.each(NAMES)('reads every one of the %s', (name) => {
    expect(rowsOf(name)).toHaveLength(SAMPLE_COUNTS[name]);
  });

  test.each(NAMES)(
    'of the %s, exactly those broken on purpose are invalid or warned of, each in its column',
    (name) => {
      const column = (field: string) =>
        entity(name).columns.find((each) => (each.field ?? each.name) === field)?.name;
      const found = rowsOf(name).flatMap(({ key, mapped }) => [
        ...mapped.issues.map(({ field }) => lineOf('invalid', key, column(field) ?? field)),
        ...mapped.warnings.map(({ field }) => lineOf('warning', key, column(field) ?? field)),
      ]);
      const expected = broken
        .filter((each) => each.entity === name && each.expect !== 'waiting')
        .map((each) => lineOf(each.expect, each.key, each.column));
      expect(expected.length).toBeGreaterThan(0);
      expect(found.sort()).toEqual(expected.sort());
    },
  );

  test.each(NAMES)('of the %s, a record has a payload unless it is invalid', (name) => {
    for (const { mapped } of rowsOf(name)) expect(mapped.payload === null).toBe(mapped.issues.length > 0);
  });

  test('exactly the vacancies said to wait belong to a company that is not sent', () => {
    const sent = new Set(
      rowsOf('companies')
        .filter(({ mapped }) => mapped.payload !== null)
        .map(({ key }) => platformId('companies', key, namespace)),
    );
    const waiting = rowsOf('vacancies')
      .filter(({ mapped }) => mapped.payload !== null && !sent.has(mapped.parentPlatformId ?? ''))
      .map(({ key }) => key);
    const expected = broken.filter(({ expect: outcome }) => outcome === 'waiting').map(({ key }) => key);
    expect(expected.length).toBeGreaterThan(0);
    expect(waiting.sort()).toEqual(expected.sort());
  });

  test('deadlines are sent as the day in the time zone of the platform', async () => {
    const days = await database.query<{ key: string; day: string }>(
      `select id::text as key, (batas_lamaran at time zone 'Asia/Jakarta')::date::text as day from lowongan`,
    );
    const dayOf = new Map(days.map(({ key, day }) => [key, day]));
    for (const { key, mapped } of rowsOf('vacancies')) {
      if (mapped.payload !== null) expect(mapped.payload.expire_at).toBe(dayOf.get(key));
    }
  });

  test('no payload holds HTML, an entity, or a code of the vendor', () => {
    for (const name of NAMES) {
      for (const { mapped } of rowsOf(name)) {
        const texts = ['about', 'description', 'qualification'].map((field) => mapped.payload?.[field]);
        expect(JSON.stringify(texts)).not.toMatch(/<[a-z/]|&amp;/);
      }
    }
    const daily = rowsOf('vacancies').filter(({ row }) => row.job_type === 'HARIAN');
    expect(daily.length).toBeGreaterThan(0);
    for (const { mapped } of daily) expect(mapped.payload ?? {}).not.toHaveProperty('job_type');
  });

  test('skills are sent as a list, empty for a vacancy without any', () => {
    const lists = rowsOf('vacancies').flatMap(({ mapped }) =>
      mapped.payload ? [mapped.payload.skills] : [],
    );
    expect(lists.every(Array.isArray)).toBe(true);
    expect(lists).toContainEqual([]);
  });

  test('a deadline just after midnight in Jakarta is not the day before, as it would be in UTC', () => {
    const early = rowsOf('vacancies').filter(({ row }) => text(row.expire_at).includes(' 00:30:00+07'));
    expect(early.length).toBeGreaterThan(0);
    for (const { row, mapped } of early) {
      if (mapped.payload !== null) expect(mapped.payload.expire_at).toBe(text(row.expire_at).slice(0, 10));
    }
  });
});
