import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, openDatabase, type Tried } from './draft-world.js';

let database: TestDatabase;
let draft: Tried;
let trainings: string;

beforeAll(async () => {
  database = await openDatabase('catalogue');
  draft = await draftFrom(database.url);
  trainings = draft.file('queries/trainings.sql');
});
afterAll(() => database.drop());

it('drafts the training area alone', () => {
  expect(draft.tables).toEqual({ institutions: 'catalog.provider', trainings: 'catalog.course' });
  expect(draft.file('placement-sync.yaml')).toContain('  training: #');
  expect(draft.file('placement-sync.yaml')).not.toContain('  jobs: #');
});

it('takes texts by language with Indonesian first, and asks', () => {
  expect(filledBy(trainings, 'title')).toBe(
    "coalesce(nullif(btrim(t.title ->> 'id'), ''), t.title ->> 'en')",
  );
  expect(draft.said('course.title: jsonb by language (en 60, id 60)')).toHaveLength(1);
});

it('sums prices, and takes the first and the last session, by groups', async () => {
  const rows = await database.query<Record<string, unknown>>(
    `select key, cast(price as text) as price, cast(start_date as text) as start_date, cast(finish_date as text) as finish_date
     from (${trainings}) q order by key limit 1`,
  );
  expect(rows).toEqual([{ key: 1, price: '100000.5', start_date: '2030-04-02', finish_date: '2030-06-03' }]);
});

it('says that ids may be renewed each year, and which code would do as a key', () => {
  expect(draft.said('rows have an academic_year')[0]).toContain('use course_code as the key');
});

it('says that a time without zone needs source.timeZone, and presets none', () => {
  expect(trainings).toContain('decide: a time without zone; set source.timeZone');
  expect(draft.file('placement-sync.yaml')).toContain('  # timeZone: Asia/Jakarta');
});

it('lists the values that the database allows', () => {
  expect(draft.file('reference/media.csv').split('\n').slice(1, 4)).toEqual([
    'MIX,,,20,',
    'OFF,,,20,',
    'ON,,,20,',
  ]);
});
