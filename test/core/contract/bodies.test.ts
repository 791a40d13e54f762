import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { bodyProblems } from '../../../src/core/contract/schema-fields.js';
import { applicationStatusBody } from '../../../src/core/contract/application-status.js';
import { companyBody } from '../../../src/core/contract/company.js';
import { institutionBody } from '../../../src/core/contract/institution.js';
import { trainingBody } from '../../../src/core/contract/training.js';
import { vacancyBody } from '../../../src/core/contract/vacancy.js';
import { payloadSchema } from '../../../src/core/entities/map-row.js';
import { trainings } from '../../../src/core/entities/trainings.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';
import { readFixture } from './fixtures.js';

type Body = Record<string, unknown>;

const fixture = (name: string): Body => readFixture(`bodies/${name}.json`) as Body;

/** `field code` of each problem of the fixture with `changes` put over it. */
function problems(schema: z.ZodType, name: string, changes: Body): string[] {
  return bodyProblems(schema, { ...fixture(name), ...changes }).map(({ field, code }) => `${field} ${code}`);
}

describe('request bodies written by hand from the interface', () => {
  it.each([
    ['company-full', companyBody],
    ['company-minimal', companyBody],
    ['vacancy-full', vacancyBody],
    ['vacancy-nulls', vacancyBody],
    ['institution', institutionBody],
    ['training', trainingBody],
    ['application-status', applicationStatusBody],
  ])('accepts %s', (name, schema) => {
    expect(bodyProblems(schema, fixture(name))).toEqual([]);
  });

  it('accepts a vacancy without its employer as the stored payload, and not as the body', () => {
    const withoutEmployer = Object.fromEntries(
      Object.entries(fixture('vacancy-full')).filter(([field]) => field !== 'employer'),
    );
    expect(bodyProblems(payloadSchema(vacancies), withoutEmployer)).toEqual([]);
    expect(bodyProblems(vacancyBody, withoutEmployer)).toEqual([
      { field: 'employer', code: 'required', message: 'is required' },
    ]);
  });
});

describe('a company', () => {
  it.each<[Body, string]>([
    [{ name: undefined }, 'name required'],
    [{ name: ' ' }, 'name format'],
    [{ name: null }, 'name type'],
    [{ postal_code: 12950 }, 'postal_code type'],
    [{ email: null }, 'email type'],
    [{ industry: 'logistics' }, 'industry format'],
    [{ website: 'contoh.co.id' }, 'website format'],
    [{ logo_uri: 'ftp://contoh.co.id/logo.png' }, 'logo_uri format'],
    [{ latitude: -6.2297 }, 'latitude type'],
    [{ latitude: '-6,2297' }, 'latitude format'],
    [{ longitude: '1.068295e+02' }, 'longitude format'],
    [{ region: 'Jakarta' }, 'region type'],
    [{ region: { type: 'city' } }, 'region.id required'],
    [{ region: { type: 'city', id: '3171' } }, 'region.id format'],
    [{ region: { id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30' } }, 'region.type required'],
    [{ nickname: 'Contoh' }, 'nickname unknown'],
  ])('with %o is refused: %s', (changes, problem) => {
    expect(problems(companyBody, 'company-full', changes)).toEqual([problem]);
  });
});

describe('a vacancy', () => {
  const employer = fixture('vacancy-full').employer as Body;

  it.each<[Body, string]>([
    [{ title: undefined }, 'title required'],
    [{ quota: '4' }, 'quota type'],
    [{ quota: 1.5 }, 'quota type'],
    [{ quota: 2 ** 60 }, 'quota range'],
    [{ gender: 1 }, 'gender type'],
    [{ job_type: 'full_time' }, 'job_type format'],
    [{ min_salary: 4500000 }, 'min_salary type'],
    [{ min_salary: { currency: 'IDR' } }, 'min_salary.amount required'],
    [{ max_salary: { currency: 'IDR', amount: '6000000' } }, 'max_salary.amount type'],
    [{ max_salary: { currency: 'IDR', amount: null } }, 'max_salary.amount type'],
    [{ min_age: null }, 'min_age type'],
    [{ disability_allowed: 'true' }, 'disability_allowed type'],
    [{ skills: 'forklift_operation' }, 'skills type'],
    [{ skills: ['forklift_operation', 7] }, 'skills.1 type'],
    [{ client_url: '/lowongan/1024' }, 'client_url format'],
    [{ expire_at: '2026-12-31 00:00:00' }, 'expire_at format'],
    [{ expire_at: '2026-02-29' }, 'expire_at format'],
    [{ status: 1 }, 'status type'],
    [{ employer: { ...employer, id: undefined } }, 'employer.id required'],
    [{ employer: { ...employer, id: '17' } }, 'employer.id format'],
    [{ employer: { ...employer, name: undefined } }, 'employer.name required'],
    [{ employer: { ...employer, region: { type: 'city', id: 1 } } }, 'employer.region.id type'],
    [{ employer: { ...employer, size: 12 } }, 'employer.size unknown'],
    [{ salary: 1 }, 'salary unknown'],
  ])('with %o is refused: %s', (changes, problem) => {
    expect(problems(vacancyBody, 'vacancy-full', changes)).toEqual([problem]);
  });

  it('names every field that is wrong, not the first only', () => {
    expect(problems(vacancyBody, 'vacancy-full', { quota: '4', expire_at: 'soon', x: 1, y: 2 })).toEqual([
      'quota type',
      'expire_at format',
      'x unknown',
      'y unknown',
    ]);
  });
});

describe('an institution', () => {
  it.each<[Body, string]>([
    [{ name: undefined }, 'name required'],
    [{ address: null }, 'address type'],
    [{ logo_uri: 'logo.svg' }, 'logo_uri format'],
    [{ cover_uri: 'https://lpk-ciptakarya.id/cover.jpg' }, 'cover_uri unknown'],
  ])('with %o is refused: %s', (changes, problem) => {
    expect(problems(institutionBody, 'institution', changes)).toEqual([problem]);
  });

  it.each([[null], [[]], ['text'], [7]])('is not %o', (body) => {
    expect(bodyProblems(institutionBody, body)).toEqual([
      { field: '', code: 'type', message: 'must be an object' },
    ]);
  });
});

describe('a training', () => {
  const institution = fixture('training').institution as Body;

  it.each<[Body, string]>([
    [{ title: undefined }, 'title required'],
    [{ price: '250000' }, 'price type'],
    [{ price: 250000.5 }, 'price type'],
    [{ certified: 1 }, 'certified type'],
    [{ start_date: '2026-02-30' }, 'start_date format'],
    [{ region: { type: 'city' } }, 'region.id required'],
    [
      { region: { type: 'city', id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30', country_code: null } },
      'region.country_code unknown',
    ],
    [{ institution: { ...institution, id: undefined } }, 'institution.id required'],
    [{ institution: { ...institution, email: 7 } }, 'institution.email type'],
    [{ curriculum: 'x' }, 'curriculum unknown'],
  ])('with %o is refused: %s', (changes, problem) => {
    expect(problems(trainingBody, 'training', changes)).toEqual([problem]);
  });

  it('may be sent without its institution, which stands in no stored payload', () => {
    expect(problems(trainingBody, 'training', { institution: undefined })).toEqual([]);
    expect(problems(payloadSchema(trainings), 'training', {})).toEqual(['institution unknown']);
  });
});

describe('an application status', () => {
  it.each<[Body, string]>([
    [{ status: undefined }, 'status required'],
    [{ status: ' ' }, 'status format'],
    [{ timestamp: '2026-02-16T08:51:00Z' }, 'timestamp format'],
    [{ timestamp: '2026-02-30 08:51:00' }, 'timestamp format'],
    [{ timestamp: '2026-02-16 24:00:00' }, 'timestamp format'],
    [{ timestamp: 1771206660 }, 'timestamp type'],
    [{ salary: { currency: 'IDR' } }, 'salary.amount required'],
    [{ salary: { currency: 'IDR', amount: '5250000' } }, 'salary.amount type'],
    [{ employment_type: null }, 'employment_type type'],
    [{ id: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0' }, 'id unknown'],
  ])('with %o is refused: %s', (changes, problem) => {
    expect(problems(applicationStatusBody, 'application-status', changes)).toEqual([problem]);
  });

  it('needs no more than its status', () => {
    expect(bodyProblems(applicationStatusBody, { status: 'hired' })).toEqual([]);
  });
});
