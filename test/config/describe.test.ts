import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allSettings, envExample, listSettings, settingsList } from '../../src/config/describe.js';
import { duration, text, wholeNumber } from '../../src/config/schema-walk.js';

describe('listSettings', () => {
  it('looks through defaults, null and transforms', () => {
    const schema = z
      .strictObject({
        inner: z
          .strictObject({ wait: duration().nullable().default(null).meta({ description: 'Wait.' }) })
          .transform(({ wait }) => ({ waitMs: wait }))
          .prefault({}),
        size: wholeNumber({ min: 1 }).default(3).meta({ description: 'Size.', unit: 'rows', env: 'SIZE' }),
        name: text().meta({ description: 'Name.' }),
      })
      .prefault({ name: 'x' });
    expect(listSettings(schema)).toMatchObject([
      {
        path: ['inner', 'wait'],
        type: 'a duration such as 500ms, 30s, 10m, 6h or 7d, or null',
        fallback: null,
      },
      { path: ['size'], type: 'a whole number, 1 or more', fallback: 3, unit: 'rows', env: 'SIZE' },
      { path: ['name'], type: 'text', fallback: undefined, required: true, description: 'Name.' },
    ]);
  });
});

it('every setting has a description', () => {
  const silent = allSettings().filter(({ description }) => !/[.)]$/.test(description));
  expect(silent.map(({ path }) => path.join('.'))).toEqual([]);
});

it('no setting is listed twice', () => {
  const paths = allSettings().map(({ path }) => path.join('.'));
  expect(new Set(paths).size).toBe(paths.length);
});

describe('settingsList', () => {
  it('tells a setting that blocks share once', () => {
    const rows = settingsList().split('\n');
    expect(rows.filter((row) => row.includes('.ratePerSecond'))).toEqual([
      '- `platform.{jobs,training}.ratePerSecond` (whole number, 1 or more, or null; requests per second; `10`): Maximum number of requests in any second. Null: no limit.',
    ]);
    expect(rows.filter((row) => row.includes('entities.*.query'))).toHaveLength(1);
  });
});

it('.env.example names the variables and no secret value', () => {
  const example = envExample();
  expect(example).toMatch(/^SOURCE_DATABASE_URL=postgres:/m);
  expect(example).toMatch(/^JOSS_CLIENT_SECRET=$/m);
  expect(example).toMatch(/^PLACEMENT_SYNC_NAMESPACE=$/m);
  expect(example).toContain('PLACEMENT_SYNC_CONFIG');
});
