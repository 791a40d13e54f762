import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allSettings } from '../../../docs/settings-list.js';
import { configJsonSchema } from '../../../src/cli/output/json-schema.js';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(configJsonSchema());

/** Errors as `path keyword`; none: valid. */
function refusals(data: unknown): string[] {
  validate(data);
  return (validate.errors ?? []).map(
    ({ instancePath, keyword, params }: ErrorObject) =>
      `${instancePath} ${keyword}${keyword === 'additionalProperties' ? ` ${String(params.additionalProperty)}` : ''}`,
  );
}

type Block = Record<string, unknown>;
const example = (): Block => parse(readFileSync('config/placement-sync.example.yaml', 'utf8')) as Block;

/** The example with one part of it changed; a path such as `platform.jobs`. */
function withPart(path: string, part: unknown): Block {
  const data = example();
  const names = path.split('.');
  const last = names.pop() ?? '';
  const block = names.reduce((at, name) => (at[name] ??= {}) as Block, data);
  block[last] = part;
  return data;
}

it.each([
  'config/placement-sync.example.yaml',
  'config/demo.yaml',
  'config/tenant.example.yaml',
  'deploy/compose/placement-sync.yaml',
  'deploy/kubernetes/base/config/placement-sync.yaml',
])('%s is valid', (file) => {
  expect(refusals(parse(readFileSync(file, 'utf8')))).toEqual([]);
});

it('is of draft 2020-12 and has no id', () => {
  expect(configJsonSchema()).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  expect(configJsonSchema()).not.toHaveProperty('$id');
});

describe('refuses', () => {
  it.each([
    ['a misspelt key of the root', 'shedule', {}, ' additionalProperties shedule'],
    ['a misspelt key of a block', 'retry', { maxAttemps: 3 }, '/retry additionalProperties maxAttemps'],
    ['a number that is too small', 'retry.maxAttempts', 0, '/retry/maxAttempts minimum'],
    ['a duration without unit', 'retry.baseDelay', '30', '/retry/baseDelay pattern'],
    ['a duration that is a number', 'retry.baseDelay', 30, '/retry/baseDelay type'],
    ['a word that is not in the list', 'logging.level', 'loud', '/logging/level enum'],
    ['text where true or false stands', 'platform.jobs.allowHttp', 'yes', '/platform/jobs/allowHttp type'],
    ['null where it means nothing', 'retry.maxAttempts', null, '/retry/maxAttempts type'],
    ['a missing area address', 'platform.jobs', {}, '/platform/jobs required'],
  ])('%s', (_, path, part, refusal) => {
    expect(refusals(withPart(path, part))).toContain(refusal);
  });
});

describe('takes', () => {
  it.each([
    ['a number from the environment', 'retry.maxAttempts', '${ATTEMPTS}'],
    ['a number or null from the environment', 'platform.jobs.ratePerSecond', '${RATE:-null}'],
    ['true or false from the environment', 'platform.jobs.allowHttp', '${ALLOW:-false}'],
    ['a duration from the environment', 'retry.baseDelay', '${DELAY:-30s}'],
    ['a part of a duration from the environment', 'retry.baseDelay', '${DELAY}s'],
    ['a word of a list from the environment', 'logging.level', '${LEVEL:-info}'],
    ['a blank in a default', 'platform.jobs.clientId', '${ID:-my id}'],
    ['a fraction of a unit', 'retry.baseDelay', '1.5 h'],
    ['null where it has a meaning', 'platform.jobs.ratePerSecond', null],
    ['a block of which every line is commented out', 'guards', null],
  ])('%s', (_, path, part) => {
    expect(refusals(withPart(path, part))).toEqual([]);
  });
});

it('tells every setting its description, and its default if it has one', () => {
  const schema = configJsonSchema() as Block;
  for (const { path, description, fallback } of allSettings()) {
    const found = path.reduce<Block | undefined>(
      (at, name) => (at?.properties as Record<string, Block> | undefined)?.[name],
      schema,
    );
    expect(found?.description, path.join('.')).toBe(description);
    if (fallback !== undefined) expect(found?.default, path.join('.')).toEqual(fallback);
  }
});
