import { expect, test } from 'vitest';
import { describeDifference, type SourceDifference } from '../../src/domain/explain-status.js';

const CHANGED: SourceDifference = {
  kind: 'changed',
  fields: [],
  sweptAt: '2026-01-31T08:00:00Z',
  held: false,
  mappingChanged: false,
  passedOver: null,
};
const HELD = { held: true };

test.each<[Partial<SourceDifference>, string]>([
  [
    { kind: 'new', sweptAt: null },
    'No run has read vacancies yet, so the ledger does not have this record. The next run reads it.',
  ],
  [
    { kind: 'new' },
    'The query has this record only since the last sweep (2026-01-31T08:00:00Z); the next sweep will read it.',
  ],
  [
    { kind: 'new', sweptAt: null, ...HELD },
    'The query has this record, the ledger does not have it yet. The hold keeps that from being applied.',
  ],
  [{ kind: 'gone' }, 'It is no longer in the query’s result; the next sweep will see that.'],
  [
    { fields: ['title', 'min_salary.amount'], ...HELD },
    'The row has changed in title, min_salary.amount: the ledger has another payload. The hold keeps that from being applied.',
  ],
  [
    {
      fields: ['title'],
      passedOver: { until: '2026-02-01T08:00:00Z', command: 'placement-sync resync --key v1' },
    },
    'The row has changed in title: the ledger has another payload. The query’s row_version did not change, so the sweeps did not read the row. It is read in full at 2026-02-01T08:00:00Z (sweep.fullEvery), or at once by: placement-sync resync --key v1',
  ],
  [
    { mappingChanged: true },
    'The row has changed: the ledger has another payload. Query, lookups or settings changed since the last sweep (2026-01-31T08:00:00Z); the next sweep reads every row.',
  ],
  [
    { kind: 'broken' },
    'The row has errors since the last sweep (2026-01-31T08:00:00Z); the next sweep will read it.',
  ],
])('%o', (difference, text) => {
  expect(describeDifference('vacancies', { ...CHANGED, ...difference })).toBe(text);
});

test('the fields that changed since the last sweep are named', () => {
  expect(describeDifference('vacancies', { ...CHANGED, fields: ['title', 'quota'] })).toBe(
    'The row has changed since the last sweep (2026-01-31T08:00:00Z) in title, quota; the next sweep will read it.',
  );
});

test('of many fields the first are named', () => {
  const fields = Array.from({ length: 10 }, (_, index) => `f${index}`);
  expect(describeDifference('vacancies', { ...CHANGED, fields })).toContain('f6, f7 and 2 more;');
});
