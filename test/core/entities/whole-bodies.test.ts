import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platformId } from '../../../src/core/domain/key.js';
import type { Row } from '../../../src/core/domain/row.js';
import { companies } from '../../../src/core/entities/companies.js';
import { institutions } from '../../../src/core/entities/institutions.js';
import { trainings } from '../../../src/core/entities/trainings.js';
import { vacancies } from '../../../src/core/entities/vacancies.js';

type Body = Readonly<Record<string, unknown>>;

const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const CONTEXT = { lookups: {}, plainText: [], required: null, namespace: NAMESPACE };
const CITY = '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30';

/** A request body written by hand from the interface. */
function body(name: string): Body {
  const file = new URL(`../../fixtures/bodies/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Body;
}

test('a full company row becomes the literal body of the interface', () => {
  const row: Row = {
    key: '17',
    row_version: '2026-01-01',
    name: 'PT Contoh Sejahtera',
    region_type: 'city',
    region_id: CITY,
    region_country_code: null,
    postal_code: '12950',
    address: 'Jl. Jend. Gatot Subroto No. 51, Jakarta Selatan',
    phone: '0215255733',
    email: 'hrd@contoh-sejahtera.co.id',
    license_number: '8120001234567',
    industry: '898B0B80-6A8B-4F43-9A0A-0F5F1D2C3B4A',
    about: 'Perusahaan jasa logistik.\nBerdiri sejak 1998 – 12 cabang.',
    website: 'https://www.contoh-sejahtera.co.id',
    latitude: '-6.2297',
    longitude: '106.8295',
    logo_uri: 'https://cdn.contoh-sejahtera.co.id/logo.png',
    cover_uri: 'https://cdn.contoh-sejahtera.co.id/cover.jpg?v=3',
  };
  expect(Object.keys(row).sort()).toEqual(companies.columns.map(({ name }) => name).sort());
  expect(companies.map(row, CONTEXT)).toEqual({
    payload: body('company-full'),
    parentPlatformId: null,
    issues: [],
    warnings: [],
  });
});

test('a full vacancy row becomes the literal body of the interface without its employer', () => {
  const row: Row = {
    key: '1024',
    row_version: null,
    company_key: '17',
    title: 'Staf Gudang',
    description: 'Menerima, menyimpan dan mengirim barang.',
    quota: '4',
    qualification: 'Teliti, sehat, bersedia bekerja dalam sif.',
    industry: '898b0b80-6a8b-4f43-9a0a-0f5f1d2c3b4a',
    job_type: '0c1d9a52-6d5d-4b0c-8b2e-7a1f4e6c9d20',
    job_function: 'b6a3f0d4-1e2c-47a9-a5f8-9c0d1e2f3a4b',
    region_type: null,
    region_id: CITY,
    region_country_code: '',
    gender: 'male',
    min_education: 'd9e8f7a6-b5c4-4d3e-8f2a-1b0c9d8e7f6a',
    min_salary_currency: 'IDR',
    min_salary_amount: '4500000.00',
    max_salary_currency: null,
    max_salary_amount: '6e6',
    marital: 'single',
    min_age: '18',
    max_age: 35,
    min_experience: 2,
    disability_allowed: 't',
    confidential: 'false',
    skills: ['inventory_management', ' forklift_operation', 'inventory_management'],
    client_url: 'https://karir.contoh-sejahtera.co.id/lowongan/1024',
    expire_at: '2026-12-31 23:59:59+07',
    status: 'open',
  };
  expect(Object.keys(row).sort()).toEqual(vacancies.columns.map(({ name }) => name).sort());
  const { employer, ...payload } = body('vacancy-full');
  expect(employer).toBeDefined();
  expect(vacancies.map(row, CONTEXT)).toEqual({
    payload,
    parentPlatformId: platformId('companies', '17', NAMESPACE),
    issues: [],
    warnings: [],
  });
});

test('a full institution row becomes the literal body of the interface', () => {
  const row: Row = {
    key: 'LPK-0001',
    row_version: '1',
    name: 'LPK Cipta Karya',
    region_type: 'city',
    region_id: CITY,
    region_country_code: null,
    address: 'Jl. Raya Bekasi KM 18, Jakarta Timur',
    phone: '0214604273',
    email: ' ',
    logo_uri: 'https://lpk-ciptakarya.id/logo.svg',
  };
  expect(Object.keys(row).sort()).toEqual(institutions.columns.map(({ name }) => name).sort());
  expect(institutions.map(row, CONTEXT)).toMatchObject({ payload: body('institution'), issues: [] });
});

test('a full training row becomes the literal body of the interface without its institution', () => {
  const row: Row = {
    key: '501',
    row_version: null,
    institution_key: 'LPK-0001',
    title: 'Pelatihan Barista',
    description: 'Dasar-dasar meracik kopi untuk pemula.',
    address: '',
    region_type: 'city',
    region_id: CITY,
    media: 'online',
    difficulty_level: 'beginner',
    price: '250000.00',
    certified: 't',
    bnsp_certified: 'false',
    quota: '20',
    expired_date: '2026-08-31 23:59:59+07',
    start_date: '2026-09-07',
    finish_date: '2026-09-18',
    cover_uri: 'https://lpk-ciptakarya.id/barista.jpg',
  };
  expect(Object.keys(row).sort()).toEqual(trainings.columns.map(({ name }) => name).sort());
  const { institution, ...payload } = body('training');
  expect(institution).toBeDefined();
  expect(trainings.map(row, CONTEXT)).toEqual({
    payload,
    parentPlatformId: platformId('institutions', 'LPK-0001', NAMESPACE),
    issues: [],
    warnings: [],
  });
});

test('everything that is wrong with a row is told at once, each with its value', () => {
  const { payload, issues } = vacancies.map(
    { key: '1', title: ' ', quota: 'banyak', expire_at: 'infinity', client_url: 'x', region_id: '31.74' },
    CONTEXT,
  );
  expect(payload).toBeNull();
  expect(issues.map(({ field, code, value }) => [field, code, value]).sort()).toEqual([
    ['client_url', 'format', 'x'],
    ['employer', 'required', undefined],
    ['expire_at', 'format', 'infinity'],
    ['quota', 'type', 'banyak'],
    ['region.id', 'format', '31.74'],
    ['title', 'required', ' '],
  ]);
});
