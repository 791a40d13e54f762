import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../../core/contract/fixtures.js';
import { bodyProblems } from '../../../src/core/contract/schema-fields.js';
import { ENTITIES, entity, operation } from '../../../src/core/entities/index.js';
import type { AdapterState } from '../../../src/core/contract/adapter.js';
import type { JsonObject, JsonValue } from '../../../src/core/domain/row.js';
import { compareLinks, compareReadBack } from '../../../src/features/verify/compare-read-back.js';
import { shownState } from '../../../src/features/verify/platform-state.js';
import type { ReadBackRule } from '../../../src/core/entities/read-back.js';
import { schemaFields } from '../../core/contract/schema-fields.js';

const readable = ENTITIES.filter(({ readBack }) => readBack !== null);

const TODAY = '2026-06-15';

const OPTIONS = { today: TODAY, lastDay: null, timeZone: 'Asia/Jakarta' };

const containers = [''];

/** The same, different, or not comparable. */
function verdictOn(rule: ReadBackRule, sent: JsonValue | undefined, held: JsonValue | undefined) {
  const body: JsonObject = sent === undefined ? {} : { a: sent };
  const data: JsonObject = held === undefined ? {} : { b: { c: held } };
  const fields = [{ sent: 'a', read: 'b.c', rule }];
  const { drift, compared } = compareReadBack({ fields, containers }, body, data, OPTIONS);
  if (compared.length === 0) return 'unknown';
  return drift.length === 0 ? 'same' : 'different';
}

test.each<
  [
    sent: string | undefined,
    held: string | null,
    told: AdapterState | undefined,
    named: string | null,
    unnamed: string | null,
  ]
>([
  ['open', 'open', undefined, null, null],
  // Another spelling of live is no difference; that a closed one is live is one.
  ['open', 'published', 'live', 'live', 'other differs'],
  ['closed', 'published', 'live', 'live differs', 'other differs'],
  ['closed', 'open', undefined, 'differs', 'differs'],
  ['closed', 'closed', undefined, null, null],
  ['open', ' In Review ', 'pending', 'pending', 'other differs'],
  ['open', 'rejected', 'refused', 'refused', 'other differs'],
  ['open', 'removed', 'removed', 'removed', 'other differs'],
  [undefined, 'removed', 'removed', 'removed', null],
  // The platform ends a record by itself after its last day.
  ['open', 'expired', undefined, null, null],
  ['open', null, undefined, 'differs', 'differs'],
])(
  'of a vacancy sent as %s and shown as %j, which the adapter calls %s, the state is %s, and without it %s',
  (status, held, told, named, unnamed) => {
    const vacancies = entity('vacancies');
    const body = { title: 'Kasir', expire_at: '2026-06-01', ...(status === undefined ? {} : { status }) };
    const data = { vacancy: { job: { title: 'Kasir', expire_at: '2026-06-01', status: held } } };
    const stateOf = (state: AdapterState | undefined) => {
      const options = { ...OPTIONS, lastDay: vacancies.lastDay };
      const compared = compareReadBack(vacancies.readBack!, body, data, options);
      const of = { statusField: vacancies.statusField, closedStatus: 'closed' };
      const { shown, comparison } = shownState(of, body, compared, state);
      const differs = comparison.drift.some(({ field }) => field === 'status') ? ['differs'] : [];
      return [...(shown === null ? [] : [shown.state]), ...differs].join(' ') || null;
    };
    expect(stateOf(told)).toBe(named);
    expect(stateOf(undefined)).toBe(unnamed);
  },
);

test('reference and clients are compared where both sides name them, a client only by UUID', () => {
  const [ours, other] = ['0d9f5c1e-5f0b-4f0e-8c2f-5a1b2c3d4e5f', '11111111-2222-4333-8444-555555555555'];
  const readBack = entity('vacancies').readBack!;
  const fieldsOf = (
    clientId: string,
    reference: string | null,
    shown: string | number | null,
    job: JsonObject,
  ) => {
    const data = { vacancy: { job } };
    const { drift, compared } = compareLinks(readBack, { reference, clientId }, { reference: shown, data });
    return [compared, drift.map(({ field }) => field)];
  };
  const job = { client_id: ours.toUpperCase(), employer: { client_id: other } };
  expect(fieldsOf(ours, 'r1', 'r2', job)).toEqual([
    ['reference', 'client_id', 'employer.client_id'],
    ['reference', 'employer.client_id'],
  ]);
  expect(fieldsOf('sandbox-client', '7', 7, job)).toEqual([['reference'], []]);
  expect(fieldsOf(ours, null, 'r2', { client_id: 'us' })).toEqual([[], []]);
});

test('a country is not compared where it is a name or a number, and a home that nobody sent is none', () => {
  expect(verdictOn('country', 'MY', 'Malaysia')).toBe('unknown');
  expect(verdictOn('country', null, 360)).toBe('unknown');
  expect(verdictOn('country', null, 'MY')).toBe('different');
  expect(verdictOn('country', 'MY', 'ID')).toBe('different');
});

describe('a value that was sent and the one that is held', () => {
  test.each<[ReadBackRule, JsonValue, JsonValue]>([
    ['text', ' Jl. Mawar 5\r\nJakarta\n', 'Jl. Mawar 5\nJakarta'],
    ['word', 'male', 'male'],
    ['country', null, 'ID'],
    ['country', 'MY', 'my'],
    ['number', 4500000, '4500000.00'],
    ['number', 4500000, 4500000.0],
    ['degrees', '-6.2297', '-6.22970000'],
    ['degrees', '-6.2297', -6.2297],
    ['degrees', '106.82951234', '106.8295123'],
    ['flag', true, 1],
    ['flag', false, '0'],
    ['date', '2026-12-31', '2026-12-31 00:00:00'],
    ['date', '2026-12-31', '2026-12-31T00:00:00+07:00'],
    ['uuid', '898B0B80-6A8B-4F43-9A0A-0F5F1D2C3B4A', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a'],
    ['picture', 'https://a.id/logo.png', 'https://cdn.go.id/xyz'],
    ['number', 0, 0],
    ['any', 2, '2.0'],
    ['any', 'junior', 'junior'],
    ['any', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['number', 'two years', 'two years'],
    ['text', '08123', 8123],
    ['text', '12950', 12950],
    ['word', 'true', true],
    ['flag', true, 'TRUE'],
    ['date', '2026-12-31', '2026-12-30T17:00:00.000000Z'],
    ['uuid', '4711', 4711],
    ['list', ['cash_handling', 'cooking'], ['Cooking', 'cash-handling']],
  ])('are the same under the rule %s: %j and %j', (rule, sent, held) => {
    expect(verdictOn(rule, sent, held)).toBe('same');
  });

  test('of a date are compared by its beginning, whatever follows', () => {
    // With the square of its length this would not end within a day.
    expect(verdictOn('date', '2026-12-31', `2026-12-31${'T'.repeat(3_000_000)}`)).toBe('same');
  });

  test.each<[ReadBackRule, JsonValue, JsonValue]>([
    ['text', 'Jl. Mawar 5', 'Jl. Mawar 6'],
    ['text', 'PT Satu', 'pt satu'],
    ['text', 'a  b', 'a b'],
    ['word', 'male', 'Male'],
    ['status', 'open', 'expired'],
    ['number', 4500000, '4500000.50'],
    ['number', 4, null],
    ['degrees', '-6.2297', '-6.2298'],
    ['flag', true, false],
    ['flag', true, null],
    ['date', '2026-12-31', '2027-01-01'],
    ['uuid', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4b'],
    ['picture', 'https://a.id/logo.png', null],
    ['text', 'Jl. Mawar 5', null],
    ['text', null, 'male'],
    ['number', null, 3],
    ['any', 'junior', 'senior'],
    ['any', 2, '3'],
    ['any', { a: 1 }, { a: 2 }],
    ['picture', null, 'https://cdn.go.id/old.png'],
    ['date', '2026-12-31', ''],
    ['uuid', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a', ''],
    ['list', ['cooking'], ['cooking', 'baking']],
    ['list', ['cooking'], null],
  ])('differ under the rule %s: %j and %j', (rule, sent, held) => {
    expect(verdictOn(rule, sent, held)).toBe('different');
  });

  test.each<[ReadBackRule, JsonValue | undefined, JsonValue | undefined]>([
    ['text', undefined, ''],
    ['flag', undefined, false],
    ['number', undefined, 0],
    ['status', undefined, 'open'],
    ['text', undefined, null],
    ['list', undefined, []],
    ['picture', null, null],
  ])('are both nothing under the rule %s: %j and %j', (rule, sent, held) => {
    expect(verdictOn(rule, sent, held)).toBe('same');
  });

  test.each<[ReadBackRule, JsonValue | undefined, JsonValue | undefined]>([
    ['text', 'Jl. Mawar 5', undefined],
    ['text', null, undefined],
    ['number', 4, 'four'],
    ['date', '2026-12-31', '31/12/2026'],
    ['flag', true, 'perhaps'],
    ['uuid', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a', 'Mining'],
    ['uuid', '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a', { name: 'Mining' }],
    ['list', ['cooking'], [{ id: 4 }]],
    ['picture', undefined, 'https://cdn.go.id/default.png'],
  ])('are not compared under the rule %s: %j and %j', (rule, sent, held) => {
    expect(verdictOn(rule, sent, held)).toBe('unknown');
  });

  test.each([
    ['2026-06-14', true],
    ['2026-06-15', true],
    ['2026-06-16', false],
  ])('a vacancy with the last day %s may have been ended by the service: %s', (expireAt, same) => {
    const fields = [{ sent: 'status', read: 'status', rule: 'status' as const }];
    const sent = { status: 'open', expire_at: expireAt };
    const options = { ...OPTIONS, lastDay: 'expire_at' };
    const { drift } = compareReadBack({ fields, containers }, sent, { status: 'expired' }, options);
    expect(drift.length === 0).toBe(same);
  });

  test('a difference names the field of the body, and both values', () => {
    const fields = [{ sent: 'region.id', read: 'employer.region.regionable_id', rule: 'uuid' as const }];
    const body = { region: { id: 'A' } };
    const found = compareReadBack({ fields, containers }, body, { employer: { region: null } }, OPTIONS);
    expect(found.drift).toEqual([{ field: 'region.id', sent: 'A', held: null }]);
  });
});

describe('the fields that are read back', () => {
  test.each(readable.map(({ name }) => name))('of the %s are fields of the Put and of the Find', (name) => {
    const { put, readBack } = entity(name);
    const paths = (schema: Parameters<typeof schemaFields>[0]) =>
      schemaFields(schema, 'specified').map(({ path }) => path);
    const body = operation(put).body;
    if (body === null || readBack === null) throw new Error(`${name} has no body`);
    const { reply } = operation(readBack.find);
    expect(readBack.fields.map(({ sent }) => sent).filter((path) => !paths(body).includes(path))).toEqual([]);
    const shown = readBack.fields.flatMap(({ read }) => (read === null ? [] : [read]));
    expect(shown.filter((path) => !paths(reply).includes(path))).toEqual([]);
  });

  // Bodies and replies written by hand from the interface.
  test.each([
    ['companies', 'company-full', 'find-company', ['about']],
    ['vacancies', 'vacancy-full', 'find-vacancy', ['employer.id', 'gender', 'marital', 'min_experience']],
    ['institutions', 'institution', 'find-institution', []],
    ['trainings', 'training', 'find-training', []],
  ] as const)(
    'of the %s differ between the literal body and the literal reply where the two were written so',
    (name, sent, found, differing) => {
      const { put, readBack, lastDay } = entity(name);
      const body = fixture(`bodies/${sent}`) as JsonObject;
      const { data } = fixture(`replies/${found}`) as { data: JsonObject };
      expect(bodyProblems(operation(put).body ?? operation(put).reply, body)).toEqual([]);
      if (readBack === null) throw new Error(`${name} is not read back`);
      const { drift, notCompared } = compareReadBack(readBack, body, data, { ...OPTIONS, lastDay });
      expect(notCompared).toEqual(name === 'vacancies' ? ['skills'] : []);
      expect(drift.map(({ field }) => field)).toEqual(differing);
      expect(linksOf(name, data)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        reference: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
    },
  );
});

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'));
}
