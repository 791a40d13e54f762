import { describe, expect, test } from 'vitest';
import { hashPayload } from '../../../src/core/domain/payload.js';
import type { Row } from '../../../src/core/domain/row.js';
import { absentableColumns, absentColumns, type AbsentSetting } from '../../../src/core/entities/absent.js';
import type { Entity, MapContext } from '../../../src/core/entities/entity.js';
import { entity } from '../../../src/core/entities/index.js';
import { readLookup } from '../../../src/core/entities/lookup.js';

const CITY = '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30';

/** Rows with nothing but what every record must have. */
const BARE: Readonly<Record<string, Row>> = {
  companies: { key: '1', name: 'PT Satu', region_id: CITY },
  vacancies: { key: '2', company_key: '1', title: 'Koki' },
  institutions: { key: '3', name: 'LPK Tiga', region_id: CITY },
  trainings: { key: '4', title: 'Las' },
  'application-statuses': { key: '70b0f8f3-1b56-4ae5-9b62-4d9d2b0a8b11', status: 'hired' },
};

function contextOf(of: Entity, setting: AbsentSetting | undefined, change: Partial<MapContext> = {}) {
  const absent = absentColumns(of, change.extraFields, 'omit', setting);
  return { lookups: {}, plainText: [], required: null, namespace: CITY, ...change, absent };
}

function payloadOf(name: string, setting: AbsentSetting | undefined, row: Row = {}, change = {}) {
  const of = entity(name);
  const { payload, issues } = of.map({ ...BARE[name], ...row }, contextOf(of, setting, change));
  expect(issues).toEqual([]);
  return payload ?? {};
}

describe('a row with nothing but what every record must have', () => {
  test.each([
    [
      'companies',
      'postal_code address phone email license_number industry about website latitude longitude logo_uri cover_uri',
    ],
    [
      'vacancies',
      'description quota qualification industry job_type job_function region gender min_education min_salary max_salary marital min_age max_age min_experience disability_allowed confidential skills client_url expire_at',
    ],
    ['institutions', 'address phone email logo_uri'],
    [
      'trainings',
      'description address region media difficulty_level price certified bnsp_certified quota expired_date start_date finish_date cover_uri',
    ],
    ['application-statuses', 'salary employment_type'],
  ])('of %s sends null for every other field under null', (name, fields) => {
    const nulls = Object.entries(payloadOf(name, null)).filter(([, value]) => value === null);
    expect(nulls.map(([field]) => field).sort()).toEqual(fields.split(' ').sort());
  });

  test.each(Object.keys(BARE))('of %s is as without the setting under omit', (name) => {
    expect(payloadOf(name, 'omit')).toEqual(payloadOf(name, undefined));
    expect(hashPayload(payloadOf(name, null))).not.toBe(hashPayload(payloadOf(name, 'omit')));
  });
});

test('a value is sent as it is, whatever the setting says, also the word omit and an empty list', () => {
  const row = { about: 'omit', website: ' ', phone: '0' };
  expect(payloadOf('companies', { about: 'omit', website: null }, row)).toEqual({
    region: { type: 'city', id: CITY, country_code: null },
    name: 'PT Satu',
    about: 'omit',
    website: null,
    phone: '0',
  });
  expect(payloadOf('vacancies', null, { skills: [] })).toMatchObject({ skills: [] });
});

test('single columns may differ from the entity, also where the interface documents null', () => {
  const named = payloadOf('vacancies', { website: null, gender: 'omit', region_id: null });
  expect(named).toEqual({ title: 'Koki', status: 'open', region: null, marital: null, min_experience: null });
  const region = payloadOf('companies', { region_country_code: 'omit' });
  expect(region.region).toEqual({ type: 'city', id: CITY });
});

test('a column that is not named follows the entity, and that the platform', () => {
  const companies = entity('companies');
  const of = (common: 'omit' | null, own?: AbsentSetting) =>
    absentColumns(companies, undefined, common, own).website;
  expect([of('omit'), of(null), of(null, 'omit'), of('omit', null)]).toEqual([
    undefined,
    null,
    undefined,
    null,
  ]);
  expect([of(null, { phone: 'omit' }), of('omit', { phone: null })]).toEqual([null, undefined]);
});

test('what a lookup leaves out is absent, and takes the object around it with it', () => {
  const lookup = (column: string) => ({ lookups: { [column]: readLookup('code,id\nx,-\n', 'x.csv') } });
  expect(payloadOf('companies', null, { industry: 'x' }, lookup('industry'))).toMatchObject({
    industry: null,
  });
  const salary = { min_salary_currency: 'x', min_salary_amount: '5' };
  expect(payloadOf('vacancies', null, salary, lookup('min_salary_currency'))).toMatchObject({
    min_salary: null,
  });
  const abroad = { region_id: null, region_country_code: 'MY' };
  expect(payloadOf('companies', null, abroad)).toMatchObject({ region: null });
  expect(payloadOf('companies', { region_id: 'omit' }, abroad)).not.toHaveProperty('region');
});

test('what is required is never null: without it the record is invalid', () => {
  const { map, ...companies } = entity('companies');
  const context = contextOf({ map, ...companies }, null, { required: ['region_id', 'phone'] });
  const { payload, issues } = map({ key: '1', name: null }, context);
  expect(payload).toBeNull();
  expect(issues.map(({ field }) => field).sort()).toEqual(['name', 'phone', 'region.id']);
});

test('the time that a sweep gives an application status is not replaced by null', () => {
  const statuses = entity('application-statuses');
  const payload = payloadOf('application-statuses', null);
  expect(statuses.complete?.(payload, null, '2026-01-31 08:00:00').payload).toEqual({
    status: 'hired',
    timestamp: '2026-01-31 08:00:00',
    salary: null,
    employment_type: null,
  });
});

test('extra fields follow the setting too, also under a column of their own', () => {
  const extra = { extraFields: { 'contact.name': 'contact', size: 'headcount' } };
  expect(payloadOf('companies', { contact: null }, { contact: ' ' }, extra)).toMatchObject({
    contact: { name: null },
  });
  expect(payloadOf('companies', { contact: null }, {}, extra)).not.toHaveProperty('size');
  expect(payloadOf('companies', null, {}, extra)).toMatchObject({ contact: { name: null }, size: null });
});

test('the columns that may be absent are those that fill an optional field', () => {
  expect(absentableColumns(entity('application-statuses'))).toEqual([
    'salary_currency',
    'salary_amount',
    'employment_type',
  ]);
  expect(absentableColumns(entity('trainings'))).not.toContain('institution_key');
});
