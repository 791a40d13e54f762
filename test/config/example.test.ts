import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { allSettings } from '../../src/config/describe.js';
import { mentions } from '../../src/config/interpolate.js';
import { loadConfig } from '../../src/config/load.js';
import { ENTITIES } from '../../src/entities/index.js';

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
