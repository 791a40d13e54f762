import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationsTable } from '../../docs/coverage.js';
import { ROOT } from '../../docs/generate.js';
import { schemaAt, shapeOf } from '../../src/config/schema-walk.js';
import { settingsSchema } from '../../src/config/schema.js';
import { ERROR_ANSWERS } from '../../src/contract/error-answers.js';
import { REQUEST_HEADERS } from '../../src/contract/request-headers.js';
import { WEBHOOK_EVENTS } from '../../src/contract/webhook/events.js';
import { operation, OPERATION_NAMES } from '../../src/entities/index.js';
import { schemaFields } from '../contract/schema-fields.js';

describe('coverage', () => {
  const page = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8');

  test('coverage.md has a row for every operation', () => {
    const rows = operationsTable().split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(
      OPERATION_NAMES.map((name) => operation(name).title),
    );
  });

  test('it names every field of a body that is less certain than its body', () => {
    const others = OPERATION_NAMES.flatMap((name) => {
      const { title, body, certainty } = operation(name);
      if (body === null || certainty.body === null) return [];
      return schemaFields(body, certainty.body)
        .filter((field) => field.certainty !== certainty.body)
        .map(({ path }) => `\`${path.split('.')[0]}\` in ${title}`);
    });
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((name) => !page.includes(`| ${name} `))).toEqual([]);
  });

  test('it names every header whose form is not specified', () => {
    const open = REQUEST_HEADERS.filter(({ formCertainty, ofWebhook }) =>
      [formCertainty, ofWebhook?.formCertainty ?? 'specified'].some((each) => each !== 'specified'),
    );
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter(({ name }) => !page.includes(`| form of \`${name}\``))).toEqual([]);
  });

  test('it names every refusal, and which one is documented', () => {
    const statuses = (documented: boolean) => [
      ...new Set(
        ERROR_ANSWERS.filter(({ certainty }) => (certainty === 'documented') === documented).map(
          ({ status }) => String(status),
        ),
      ),
    ];
    expect(statuses(true)).toEqual(['401']);
    expect(page.replace(/\s+/g, ' ')).toContain(`(${statuses(false).join(', ')}) are assumed`);
  });

  test('it names every event', () => {
    expect(WEBHOOK_EVENTS.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('coverage settings', () => {
  /** The rows of the table that says which setting changes what; cells without blanks around them. */
  const rows = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8')
    .split('\n\n')
    .filter((part) => /^\|.*\| changed by +\|\n/.test(part))
    .flatMap((table) => table.split('\n').slice(2))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  /** The paths that a setting of the page stands for: `*` each part of its block, `{a,b}` both. */
  function pathsOf(setting: string): string[][] {
    return setting.split('.').reduce<string[][]>(
      (paths, step) =>
        paths.flatMap((path) => {
          const block = schemaAt(settingsSchema, path);
          const steps =
            step === '*'
              ? Object.keys((block && shapeOf(block)) ?? {})
              : (/^\{(.+)\}$/.exec(step)?.[1]?.split(',') ?? [step]);
          return steps.map((one) => [...path, one]);
        }),
      [[]],
    );
  }

  const isSetting = (path: readonly string[]) => schemaAt(settingsSchema, path) !== null;

  /** What stands before `; why`. */
  const settings = rows
    .map((row) => row.at(-1)?.split(';', 1)[0] ?? '')
    .filter((cell) => !cell.startsWith('no setting'));
  const named = [
    ...new Set(settings.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name))),
  ];

  test('what is not specified names a setting, or says that none changes it and why', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/^`[\w.*{},-]+`|^no setting: \w/.test(row.at(-1) ?? ''))).toEqual([]);
  });

  test.each(named)('%s is a setting', (name = '') => {
    const paths = pathsOf(name);
    expect(paths.length).toBeGreaterThan(0);
    // What stands in a star: not every entity has every setting.
    const found = paths.filter(isSetting);
    if (name.startsWith('entities.*')) expect(found.length).toBeGreaterThan(0);
    else expect(found).toEqual(paths);
  });

  test('a path that no setting has is none', () => {
    expect(isSetting(['platform', 'replies', 'acceptable'])).toBe(false);
    expect(pathsOf('platform.operations.*.pathe').filter(isSetting)).toEqual([]);
  });

  test.each([
    ...[
      'platform.replies.accepted',
      'platform.replies.reference',
      'platform.replies.judge',
      'platform.absent',
    ],
    ...['platform.signature.profile', 'platform.signature.template', 'platform.signature.timestamp'],
    ...['platform.signature.signedPrefix', 'platform.headers', 'platform.operations.*.method'],
    ...['platform.operations.*.path', 'platform.operations.*.accepted', 'entities.*.required'],
    ...[
      'entities.*.extraFields',
      'entities.*.lookups',
      'entities.*.absent',
      'entities.vacancies.closedStatus',
    ],
    ...['platform.timeZone', 'platform.{jobs,training}.ratePerSecond', 'webhook.signedPath'],
  ])('the page names %s', (name) => {
    expect(named).toContain(name);
  });
});
