import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyFields, operationsTable } from '../../docs/coverage.js';
import { EVENT_USES, REPLY_USES } from '../../docs/coverage-uses.js';
import { ROOT } from '../../docs/generate.js';
import { ENTITIES, operation, OPERATION_NAMES, OPERATIONS } from '../../src/entities/index.js';
import { schemaFields } from '../../src/contract/schema-fields.js';
import { WEBHOOK_EVENTS } from '../../src/contract/webhook/events.js';
import { readApplication } from '../../src/contract/webhook/read-application.js';

const page = readFileSync(join(ROOT, 'docs/coverage.md'), 'utf8');

describe('the uses that coverage.md tells', () => {
  it.each(OPERATION_NAMES)('are of fields that the reply of %s has', (name) => {
    const fields = schemaFields(operation(name).reply, 'specified').map(({ path }) => path);
    expect(Object.keys(REPLY_USES[name] ?? {}).filter((path) => !fields.includes(path))).toEqual([]);
  });

  it.each(OPERATION_NAMES.filter((name) => operation(name).method === 'GET'))(
    'compare what %s reads with fields that are sent',
    (name) => {
      const put = Object.values(OPERATIONS).find(
        ({ entity, method }) => entity === operation(name).entity && method === 'PUT',
      );
      const sent = put?.body ? schemaFields(put.body, 'specified').map(({ path }) => path) : [];
      const compared = Object.values(REPLY_USES[name] ?? {}).flatMap(
        (use) => /^read-back of `(.+)`$/.exec(use)?.[1] ?? [],
      );
      expect(compared.length).toBeGreaterThan(0);
      expect(compared.filter((path) => !sent.includes(path))).toEqual([]);
    },
  );

  it.each(['applied-at', 'flat'] as const)(
    'turn fields of the layout %s into fields of the record',
    (name) => {
      const layout = WEBHOOK_EVENTS.flatMap(({ layouts }) => layouts).find((each) => each.name === name);
      const fields = layout ? schemaFields(layout.schema, 'specified').map(({ path }) => path) : [];
      expect(Object.keys(EVENT_USES[name]).filter((path) => !fields.includes(path))).toEqual([]);
      const record = Object.keys(readApplication(null));
      expect(Object.values(EVENT_USES[name]).filter((field) => !record.includes(field))).toEqual([]);
    },
  );
});

describe('coverage.md', () => {
  it('has a row for every operation', () => {
    const rows = operationsTable().split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(
      OPERATION_NAMES.map((name) => operation(name).title),
    );
  });

  it('has every event', () => {
    expect(WEBHOOK_EVENTS.filter(({ name }) => !page.includes(`### ${name}`))).toEqual([]);
  });

  it('knows what fills every field of the bodies that are sent', () => {
    const rows = bodyFields().split('\n').slice(2);
    const titles = ENTITIES.map(({ put }) => operation(put).title);
    expect(titles.filter((title) => !rows.some((row) => row.startsWith(`| ${title} |`)))).toEqual([]);
    expect(rows.filter((row) => row.includes('| not sent |'))).toEqual([]);
  });
});
