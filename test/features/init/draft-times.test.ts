import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { draftFrom, filledBy, type Tried } from './draft-world.js';

describe('draft times', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  /** The draft of classes, or of vacancies, with these columns and, in each row, these values. */
  async function withColumns(table: 'class' | 'vacancy', columns: string, values: string): Promise<Tried> {
    await database.query(`drop table if exists class, vacancy;
    create table ${table} (id int primary key, title text not null, ${columns});
    insert into ${table} select g, 'Las ' || g, ${values} from generate_series(1, 40) g`);
    return await draftFrom(database.url);
  }

  const NOON = Date.UTC(2027, 2, 1, 5) / 1000;

  it.each([
    ['', '', 'seconds'],
    ['000', ' / 1000.0', 'milliseconds'],
  ])('makes times of numbers since 1970 (%s): 0 is none', async (zeros, divisor, unit) => {
    const draft = await withColumns(
      'class',
      'regopendate bigint, regclosedate bigint, begin_at bigint, timefinish numeric, seats int',
      `${String(NOON)}${zeros}, case g % 2 when 0 then 0 else ${String(NOON)}${zeros} end, ${String(NOON)}${zeros}, ${String(NOON)}${zeros}, 20`,
    );
    const query = draft.file('queries/trainings.sql');
    expect(filledBy(query, 'expired_date')).toBe(`to_timestamp(nullif(t.regclosedate, 0)${divisor})`);
    expect(filledBy(query, 'start_date')).toBe(`to_timestamp(nullif(t.begin_at, 0)${divisor})`);
    expect(filledBy(query, 'finish_date')).toBe(`to_timestamp(nullif(t.timefinish, 0)${divisor})`);
    expect(filledBy(query, 'quota')).toBe('t.seats');
    expect(query).toContain(`-- decide: a number of ${unit} since 1970 by its values`);
    expect(draft.said(`a number of ${unit} since 1970`)).toHaveLength(1);
    const rows = await database.query<{ expired_date: Date | null; start_date: Date }>(
      `select * from (${query}) q order by key limit 2`,
    );
    expect(rows.map(({ expired_date }) => expired_date)).toEqual([new Date(NOON * 1000), null]);
    expect(rows[0]?.start_date).toEqual(new Date(NOON * 1000));
  });

  it('makes no time of other numbers', async () => {
    const draft = await withColumns('vacancy', 'expires int, salary_start bigint', '20270301, 1000000000');
    const query = draft.file('queries/vacancies.sql');
    expect(query).not.toContain('to_timestamp');
    expect(filledBy(query, 'min_salary_amount')).toBe('v.salary_start');
  });
});
