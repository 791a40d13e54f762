import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operationsTable } from '../../docs/coverage.js';
import { ROOT } from '../../docs/generate.js';
import { ERROR_ANSWERS } from '../../src/contract/error-answers.js';
import { REQUEST_HEADERS } from '../../src/contract/request-headers.js';
import { WEBHOOK_EVENTS } from '../../src/contract/webhook/events.js';
import { operation, OPERATION_NAMES } from '../../src/entities/index.js';
import { schemaFields } from '../contract/schema-fields.js';

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
      ERROR_ANSWERS.filter(({ certainty }) => (certainty === 'documented') === documented).map(({ status }) =>
        String(status),
      ),
    ),
  ];
  expect(statuses(true)).toEqual(['401']);
  expect(page.replace(/\s+/g, ' ')).toContain(`(${statuses(false).join(', ')}) are assumed`);
});

test('it names every event', () => {
  expect(WEBHOOK_EVENTS.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});
