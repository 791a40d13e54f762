import { describe, expect, it } from 'vitest';
import { companyRead } from '../../src/contract/company.js';
import { readData } from '../../src/contract/fields.js';
import { institutionRead } from '../../src/contract/institution.js';
import { vacancyRead } from '../../src/contract/vacancy.js';
import { linksOf } from './fixtures.js';

const ID = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
const REFERENCE = '5f2f6c1e-8a57-4c38-9d0b-3b2f0b7d9a11';
const OTHER = '9b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9';
const meta = { client_ip: '10.0.0.7', hostname: 'api-1', version: 'v1' };

describe('what a Find gives', () => {
  it('has the links of a company at its employer', () => {
    const data = { id: OTHER, industry: null, employer: { id: ID, reference: REFERENCE, name: 'PT Contoh' } };
    const { value } = readData({ data, meta }, companyRead);
    expect(value && linksOf('companies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of a vacancy at its job', () => {
    const data = { id: OTHER, vacancy: { id: OTHER, job: { id: ID, reference: REFERENCE, title: 'Kasir' } } };
    const { value } = readData({ data, meta }, vacancyRead);
    expect(value && linksOf('vacancies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of an institution in itself', () => {
    const { value } = readData({ data: { id: ID, reference: REFERENCE }, meta }, institutionRead);
    expect(value && linksOf('institutions', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('is malformed without the employer', () => {
    expect(readData({ data: { id: ID }, meta }, companyRead).malformed).toMatch(/^data\.employer: /);
  });
});
