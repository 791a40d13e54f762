import { describe, expect, it } from 'vitest';
import { companyRead } from '../../src/contract/company.js';
import { readData, readPutResult } from '../../src/contract/envelope.js';
import { institutionRead } from '../../src/contract/institution.js';
import { vacancyRead } from '../../src/contract/vacancy.js';
import { entity } from '../../src/entities/index.js';

const ID = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
const REFERENCE = '5f2f6c1e-8a57-4c38-9d0b-3b2f0b7d9a11';
const OTHER = '9b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9';
const meta = { client_ip: '10.0.0.7', hostname: 'api-1', version: 'v1' };

describe('the reply to a Put', () => {
  it('gives id and reference', () => {
    const data = { id: ID, name: 'PT Contoh', reference: REFERENCE, created_at: '2026-01-31 08:00:00' };
    expect(readPutResult({ data, meta })).toEqual({
      value: { id: ID, reference: REFERENCE },
      malformed: null,
    });
  });

  it('may have more fields than documented, and none of those that are not needed', () => {
    const reply = { data: { id: ID, reference: REFERENCE, score: 3 }, meta: {}, links: [] };
    expect(readPutResult(reply).value).toEqual({ id: ID, reference: REFERENCE });
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', undefined, /^the body: /],
    ['a list', [], /^the body: /],
    ['no meta', { data: { id: ID, reference: REFERENCE } }, /^meta: /],
    ['meta as text', { data: { id: ID, reference: REFERENCE }, meta: 'v1' }, /^meta: /],
    ['data as a list', { data: [], meta }, /^data: /],
    ['no reference', { data: { id: ID }, meta }, /^data\.reference: /],
    ['a null reference', { data: { id: ID, reference: null }, meta }, /^data\.reference: /],
    ['an id that is no UUID', { data: { id: 12, reference: REFERENCE }, meta }, /^data\.id: /],
  ])('is malformed with %s', (_name, json, message) => {
    const read = readPutResult(json);
    expect(read.value).toBeNull();
    expect(read.malformed).toMatch(message);
  });
});

describe('what a Find gives', () => {
  const links = (name: string, data: unknown) => entity(name).readBack?.links(data);

  it('has the links of a company at its employer', () => {
    const data = { id: OTHER, industry: null, employer: { id: ID, reference: REFERENCE, name: 'PT Contoh' } };
    const { value } = readData({ data, meta }, companyRead);
    expect(value && links('companies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of a vacancy at its job', () => {
    const data = { id: OTHER, vacancy: { id: OTHER, job: { id: ID, reference: REFERENCE, title: 'Kasir' } } };
    const { value } = readData({ data, meta }, vacancyRead);
    expect(value && links('vacancies', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('has the links of an institution in itself', () => {
    const { value } = readData({ data: { id: ID, reference: REFERENCE }, meta }, institutionRead);
    expect(value && links('institutions', value)).toEqual({ id: ID, reference: REFERENCE });
  });

  it('is malformed without the employer', () => {
    expect(readData({ data: { id: ID }, meta }, companyRead).malformed).toMatch(/^data\.employer: /);
  });
});
