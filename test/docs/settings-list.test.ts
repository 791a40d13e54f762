import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { allSettings, envExample, listSettings, settingsList } from '../../docs/settings-list.js';
import { mentions } from '../../src/core/config/interpolate.js';
import { loadConfig } from '../../src/core/config/load.js';
import { duration, text, wholeNumber } from '../../src/core/config/schema-walk.js';
import { ENTITIES } from '../../src/core/entities/index.js';

describe('describe', () => {
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
        '- `platform.{jobs,training}.ratePerSecond` (whole number, 1 or more, or null; requests per second): Maximum number of requests in any second. Null: no limit. A platform that answers 429 is asked less often. Default: `10`; for an address on this machine, such as that of a rehearsal, no limit; set it if that is a tunnel to the platform.',
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
});

describe('example', () => {
  const FILE = 'config/placement-sync.example.yaml';
  const ENVIRONMENT = {
    SOURCE_DATABASE_URL: 'postgres://reader:pw@127.0.0.1:5432/hr',
    PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
    JOSS_CLIENT_ID: 'jobs-client',
    JOSS_CLIENT_SECRET: 'jobs-secret',
    TOSS_CLIENT_ID: 'training-client',
    TOSS_CLIENT_SECRET: 'training-secret',
  };

  it('the example configuration has nothing wrong in it', () => {
    const { settings, entities, warnings } = loadConfig({ file: FILE, env: ENVIRONMENT });
    expect(warnings).toEqual([]);
    // Application statuses have only a comment there: the sample has no applications.
    expect([...entities.keys()]).toEqual(
      ENTITIES.filter(({ application }) => !application).map(({ name }) => name),
    );
    expect(settings.platform.jobs?.baseUrl).toBe('https://sandbox.joss.kemnaker.go.id');
    expect(settings.platform.training?.baseUrl).toBe('https://sandbox.toss.kemnaker.go.id');
    expect(settings.state.url).toBe(ENVIRONMENT.SOURCE_DATABASE_URL);
  });

  it('reads the very variables that the schema names for .env.example, at their settings', () => {
    const read: [string, string][] = [];
    visit(parse(readFileSync(FILE, 'utf8')), []);
    const described = allSettings().flatMap(({ env, path }) => (env === null ? [] : [[path.join('.'), env]]));
    expect(read.sort()).toEqual(described.sort());

    function visit(value: unknown, path: readonly string[]): void {
      if (typeof value === 'string') mentions(value).forEach(({ name }) => read.push([path.join('.'), name]));
      else if (value !== null && typeof value === 'object')
        Object.entries(value).forEach(([key, part]) => visit(part, [...path, key]));
    }
  });
});
