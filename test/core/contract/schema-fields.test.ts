import { describe, expect, it, test } from 'vitest';
import type { z } from 'zod';
import { applicationStatusBody } from '../../../src/core/contract/application-status.js';
import { companyBody } from '../../../src/core/contract/company.js';
import { institutionBody } from '../../../src/core/contract/institution.js';
import { allowNulls, bodyProblems } from '../../../src/core/contract/schema-fields.js';
import {
  instantInZone,
  platformTimestamp,
  readRequestTimestamp,
  requestTimestamp,
} from '../../../src/core/contract/time.js';
import { trainingBody } from '../../../src/core/contract/training.js';
import { vacancyBody } from '../../../src/core/contract/vacancy.js';
import { appliedAtApplication, flatApplication } from '../../../src/features/webhook/contract/events.js';
import { operation } from '../../../src/core/entities/index.js';
import { readFixture } from './fixtures.js';
import { schemaFields } from './schema-fields.js';

describe('the fields of a schema', () => {
  /** Dotted paths of the values of a fixture that was written by hand from the interface. */
  function pathsOf(value: unknown, path = ''): string[] {
    if (Array.isArray(value)) {
      const objects = value.filter((element) => typeof element === 'object');
      return objects.length === 0 ? [path] : objects.flatMap((element) => pathsOf(element, `${path}[]`));
    }
    if (typeof value !== 'object' || value === null) return [path];
    return Object.entries(value).flatMap(([name, part]) =>
      pathsOf(part, path === '' ? name : `${path}.${name}`),
    );
  }

  const data = (name: string) => (readFixture(`replies/${name}.json`) as { data: unknown }).data;
  const paths = (schema: z.ZodType) => schemaFields(schema, 'specified').map(({ path }) => path);

  it.each<[string, z.ZodType, unknown]>([
    ['Put Company', companyBody, readFixture('bodies/company-full.json')],
    ['Put Job Vacancy', vacancyBody, readFixture('bodies/vacancy-full.json')],
    ['Put Institution', institutionBody, readFixture('bodies/institution.json')],
    ['Put Training', trainingBody, readFixture('bodies/training.json')],
    ['Update Job Application Status', applicationStatusBody, readFixture('bodies/application-status.json')],
    ['the result of Put Company', operation('putCompany').reply, data('put-company')],
    ['the result of Put Job Vacancy', operation('putVacancy').reply, data('put-vacancy')],
    ['the result of Put Institution', operation('putInstitution').reply, data('put-institution')],
    ['the result of Put Training', operation('putTraining').reply, data('put-training')],
    [
      'the result of Update Job Application Status',
      operation('updateApplicationStatus').reply,
      data('update-application-status'),
    ],
    ['Find Company', operation('findCompany').reply, data('find-company')],
    ['Find Job Vacancy', operation('findVacancy').reply, data('find-vacancy')],
    ['layout A', appliedAtApplication, readFixture('webhooks/applied-at.json')],
    ['layout B', flatApplication, readFixture('webhooks/flat.json')],
  ])('are those of the interface: %s', (_name, schema, fixture) => {
    expect(paths(schema).sort()).toEqual(pathsOf(fixture).sort());
  });

  it.each([
    ['Find Institution', operation('findInstitution').reply, data('find-institution')],
    ['Find Training', operation('findTraining').reply, data('find-training')],
  ])('have what the assumed reply has: %s', (_name, schema, fixture) => {
    expect(pathsOf(fixture).filter((path) => !paths(schema).includes(path))).toEqual([]);
  });

  it('have the certainty of what they stand in, where they have none of their own', () => {
    const certainties = new Map(
      schemaFields(trainingBody, 'documented').map(({ path, certainty }) => [path, certainty]),
    );
    expect(certainties.get('title')).toBe('documented');
    expect(certainties.get('institution.region.id')).toBe('assumed');
  });

  it('are none for a reply that may be anything', () => {
    expect(schemaFields(operation('deleteCompany').reply, 'assumed')).toEqual([]);
  });
});

describe('allow nulls', () => {
  const ID = '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30';

  const problems = (schema: Parameters<typeof bodyProblems>[0], body: unknown) =>
    bodyProblems(schema, body).map(({ field, code, message }) => `${field} ${code}: ${message}`);

  test('every optional field takes null, also inside of the employer; required ones do not', () => {
    const employer = { id: ID, name: 'PT Satu', website: null, region: null, industry: null };
    const body = { title: 'Koki', employer, region: null, quota: null, min_salary: null, skills: null };
    expect(problems(allowNulls(vacancyBody), body)).toEqual([]);
    expect(problems(vacancyBody, body)).toHaveLength(7);
    const wrong = {
      title: null,
      employer: { ...employer, name: null },
      min_salary: { currency: 'IDR', amount: null },
    };
    expect(problems(allowNulls(vacancyBody), wrong)).toEqual([
      'title type: must be text',
      'min_salary.amount type: must be a whole number',
      'employer.name type: must be text',
    ]);
  });

  test('what else the interface says still counts', () => {
    const body = { name: ' ', website: 'nowhere', industry: 'x', surprise: null };
    expect(problems(allowNulls(companyBody), body)).toEqual(problems(companyBody, body));
    expect(problems(allowNulls(companyBody), null)).toEqual([' type: must be an object']);
  });
});

describe('instant in zone', () => {
  test.each([
    ['2026-01-15 23:00:00+00', 'Asia/Jakarta', '2026-01-16 06:00:00+07'],
    ['2026-01-15 23:00:00.123456+00', 'Asia/Jakarta', '2026-01-16 06:00:00.123456+07'],
    ['2026-01-16 06:00:00+07', 'Asia/Jakarta', '2026-01-16 06:00:00+07'],
    ['2026-07-01 00:00:00-03:30', 'Asia/Kolkata', '2026-07-01 09:00:00+05:30'],
    ['0999-12-31 20:00:00+00', 'Asia/Jakarta', '1000-01-01 03:07:12+07:07:12'],
    // A day that stands for never.
    ['9999-12-30 17:00:00+00', 'Asia/Jakarta', '9999-12-31 00:00:00+07'],
    ['9999-12-31 17:00:00+00', 'America/New_York', '9999-12-31 12:00:00-05'],
    ['0001-01-01 00:00:00+00', 'Asia/Jakarta', '0001-01-01 07:07:12+07:07:12'],
    ['0001-06-01 00:00:00+00', 'UTC', '0001-06-01 00:00:00+00'],
  ])('%s is in %s %s', (text, zone, there) => {
    expect(instantInZone(text, zone)).toBe(there);
  });

  test.each([
    'infinity',
    '2026-01-15',
    '2026-01-15 23:00:00',
    '2026-01-15T23:00:00Z',
    '2026-13-15 23:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '9999-12-31 23:59:59+00',
    '0001-01-01 00:00:00+08',
    '12026-01-15 23:00:00+00',
    'tomorrow',
    '',
  ])('leaves %j as it is', (text) => {
    expect(instantInZone(text, 'Asia/Jakarta')).toBe(text);
  });
});

describe('the request timestamp', () => {
  it('is UTC in whole seconds, cut and not rounded', () => {
    expect(requestTimestamp(1663811460000)).toBe('2022-09-22T01:51:00Z');
    expect(requestTimestamp(1663811460999)).toBe('2022-09-22T01:51:00Z');
  });

  it('is read back', () => {
    expect(readRequestTimestamp('2022-09-22T01:51:00Z')).toBe(1663811460000);
  });

  it.each([
    '',
    '2022-09-22 01:51:00',
    '2022-09-22T01:51:00+07:00',
    '2022-09-22T01:51:00.000Z',
    '2022-13-22T01:51:00Z',
  ])('is not %o', (text) => {
    expect(readRequestTimestamp(text)).toBeNull();
  });
});

describe('the platform timestamp', () => {
  it.each([
    [1663811460999, 'Asia/Jakarta', '2022-09-22 08:51:00'],
    [1663811460999, 'UTC', '2022-09-22 01:51:00'],
    [1769878800000, 'Asia/Jakarta', '2026-02-01 00:00:00'],
    [1769878800000, 'America/New_York', '2026-01-31 12:00:00'],
  ])('of %d in %s is %s', (ms, timeZone, text) => {
    expect(platformTimestamp(ms, timeZone)).toBe(text);
  });
});
