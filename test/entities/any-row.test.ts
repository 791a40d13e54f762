import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyProblems } from '../../src/contract/schema-fields.js';
import type { MapContext } from '../../src/entities/entity.js';
import { ENTITIES } from '../../src/entities/index.js';
import { payloadSchema } from '../../src/entities/map-row.js';
import { readLookup } from '../../src/entities/lookup.js';
import type { RowValue } from '../../src/domain/row.js';

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
