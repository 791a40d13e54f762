import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyProblems } from '../../../src/core/contract/schema-fields.js';
import type { JsonValue, RowValue } from '../../../src/core/domain/row.js';
import type { MapContext } from '../../../src/core/entities/entity.js';
import { ENTITIES } from '../../../src/core/entities/index.js';
import { readLookup } from '../../../src/core/entities/lookup.js';
import { payloadSchema } from '../../../src/core/entities/map-row.js';

describe('any row', () => {
  const UUID = '898b0b80-4ce3-4b6f-3413-f6b518e9c557';

  /** Values of which each is right for some column, among any JSON. */
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<RowValue>,
    fc.constantFrom(
      UUID,
      '1e999999999',
      '-1e-999999999',
      '2.5',
      '0',
      '-6.2',
      'true',
      '2026-02-29',
      '2026-03-01',
    ),
    fc.constantFrom('https://a.id', 'a,b', '<p>x', '&#0;', '\ud800', 'L'),
  );

  test.each(ENTITIES)('any row of $name becomes a valid body or issues, never an exception', (entity) => {
    const names = entity.columns.map(({ name }) => name);
    const row = fc.dictionary(fc.constantFrom(...names, '__proto__', 'other'), value, {
      maxKeys: names.length,
    });
    const context: fc.Arbitrary<MapContext> = fc.record({
      lookups: fc.constantFrom<MapContext['lookups'][]>(
        {},
        { gender: readLookup('code,id\nL,male\n*,-\n', 'g.csv') },
      ),
      plainText: fc.subarray(names),
      required: fc.option(fc.subarray([...names, 'constructor'])),
      namespace: fc.constant(UUID),
    });
    const whole = { key: '1', company_key: '1', name: 'x', title: 'x', region_id: UUID };
    fc.assert(
      fc.property(row, fc.boolean(), context, (found, complete, settings) => {
        const mapped = entity.map({ ...(complete ? whole : {}), ...found }, settings);
        if (mapped.payload === null) expect(mapped.issues.length).toBeGreaterThan(0);
        else expect([bodyProblems(payloadSchema(entity), mapped.payload), mapped.issues]).toEqual([[], []]);
        for (const issue of mapped.issues) expect((issue.value ?? '').length).toBeLessThanOrEqual(80);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what a map hands over', () => {
  const lookup = readLookup('code,id\nL,male\n', 'l.csv');
  const CONTEXT = {
    lookups: { gender: lookup, industry: lookup, skills: lookup },
    plainText: ['about', 'description'],
    required: null,
    namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  };

  /** What a json column can hold and jsonb, in which the ledger keeps payloads and issues, cannot. */
  const text = fc.string({
    unit: fc.constantFrom('a', 'L', ',', ' ', '\0', '\ud83d', '\ude00', '\u{1f600}', '&#0;', '&#xD800;'),
    minLength: 1,
    maxLength: 100,
  });

  function textsOf(value: unknown): string[] {
    if (typeof value === 'string') return [value];
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
  }

  test.each(ENTITIES)('of $name can be stored, whatever a json column holds', (entity) => {
    const names = entity.columns.map(({ name }) => name).filter((name) => name !== 'row_version');
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(fc.constant('a'), text));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), (row) => {
        const good = { key: '1', name: 'x', title: 'x', company_key: '1', region_id: CONTEXT.namespace };
        const texts = textsOf(entity.map({ ...good, ...row }, CONTEXT));
        expect(texts.filter((each) => !each.isWellFormed() || each.includes('\0'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test.each(ENTITIES)('of $name is told of a column that is nested without end', (entity) => {
    const good = { key: '1', name: 'x', title: 'x', company_key: '1', region_id: CONTEXT.namespace };
    const deep = JSON.parse(`${'['.repeat(12_000)}${']'.repeat(12_000)}`) as JsonValue;
    const names = entity.columns.map(({ name }) => name).filter((name) => name !== 'row_version');
    for (const name of [...names, 'deep']) {
      const mapped = entity.map({ ...good, [name]: deep }, { ...CONTEXT, extraFields: { 'x.deep': 'deep' } });
      expect(mapped.payload, name).toBeNull();
      expect(mapped.issues, name).not.toEqual([]);
    }
  });

  test('is invalid because of it, and says in which field', () => {
    const [companies] = ENTITIES;
    const mapped = companies?.map({ key: '1', name: 'PT\0A', region_id: CONTEXT.namespace }, CONTEXT);
    expect(mapped).toMatchObject({
      payload: null,
      issues: [{ field: 'name', code: 'format', value: 'PT\ufffdA' }],
    });
  });
});
