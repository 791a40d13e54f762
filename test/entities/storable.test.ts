import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/domain/row.js';
import { ENTITIES } from '../../src/entities/index.js';
import { readLookup } from '../../src/entities/lookup.js';

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

describe('what a map hands over', () => {
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
