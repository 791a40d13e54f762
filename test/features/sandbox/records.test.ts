import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linksOf, readFixture } from '../../core/contract/fixtures.js';
import { companyRead } from '../../../src/core/contract/company.js';
import { readData } from '../../core/contract/read-data.js';
import { institutionRead } from '../../../src/core/contract/institution.js';
import { trainingRead } from '../../../src/core/contract/training.js';
import { vacancyRead } from '../../../src/core/contract/vacancy.js';
import { type RunningSandbox, startSandbox } from '../../../src/features/sandbox/start-sandbox.js';
import { companyBody, companyPath, institutionPath, send, vacancyPath } from './signed-request.js';

const COMPANY = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const VACANCY = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d1';
const INSTITUTION = '3edd9893-f1a3-45dd-89d4-bc4dc9a071d2';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

const bodyOf = (name: string): Record<string, unknown> =>
  readFixture(`bodies/${name}.json`) as Record<string, unknown>;

describe('what the sandbox holds', () => {
  let sandbox: RunningSandbox;
  let reference: string;

  const put = (path: string, body: unknown) => send(sandbox.url, { method: 'PUT', path, body });
  const find = (path: string) => send(sandbox.url, { method: 'GET', path });
  const vacancyOf = (employerId: string, changes: object = {}) => {
    const body = bodyOf('vacancy-full');
    return { ...body, employer: { ...(body.employer as object), id: employerId }, ...changes };
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    const reply = await put(companyPath(COMPANY), bodyOf('company-full'));
    reference = reply.json.data.reference as string;
  });
  afterAll(() => sandbox.close());

  it('answers a Put with the envelope, and a reference that is not the id in the path', async () => {
    const { status, json } = await put(companyPath(COMPANY), bodyOf('company-full'));
    expect(status).toBe(200);
    expect(json.meta).toMatchObject({ client_ip: '127.0.0.1', version: 'v1' });
    expect(json.data).toEqual({
      id: expect.stringMatching(UUID) as string,
      reference: expect.stringMatching(UUID) as string,
      name: 'PT Contoh Sejahtera',
      created_at: expect.stringMatching(LOCAL_TIME) as string,
    });
    expect(new Set([json.data.id, json.data.reference, COMPANY]).size).toBe(3);
  });

  it('keeps id and reference when a record is updated, and counts the Puts', async () => {
    const id = '7edd9893-f1a3-45dd-89d4-bc4dc9a071d7';
    const first = await put(companyPath(id), companyBody('Before'));
    const second = await put(companyPath(id.toUpperCase()), companyBody('After'));
    expect(second.json.data).toEqual({ ...first.json.data, name: 'After' });
    const record = sandbox.records('jobs', 'companies').find((held) => held.id === id);
    expect(record).toMatchObject({ body: { name: 'After' }, puts: 2, reference: first.json.data.reference });
  });

  it('shows a company in the read shape, with pictures at another address', async () => {
    const { json } = await find(companyPath(COMPANY));
    const { value } = readData(json, companyRead);
    const sent = bodyOf('company-full');
    expect(value).toMatchObject({
      license_number: '8120001234567',
      latitude: '-6.2297',
      created_at: expect.stringMatching(LOCAL_TIME) as string,
      updated_at: expect.stringMatching(LOCAL_TIME) as string,
      industry: { id: sent.industry },
      employer: { name: 'PT Contoh Sejahtera', postal_code: '12950', email: sent.email },
    });
    expect(value?.employer.region).toMatchObject({
      regionable_type: 'city',
      regionable_id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30',
    });
    expect(linksOf('companies', value).reference).toBe(reference);
    expect(value?.logo_uri).toMatch(/^https:/);
    expect(value?.logo_uri).not.toBe(sent.logo_uri);
  });

  it('shows a vacancy in the read shape, with the links of its Put', async () => {
    const putReply = await put(vacancyPath(VACANCY), vacancyOf(reference));
    expect(putReply.json.data.title).toBe('Staf Gudang');
    const { value } = readData((await find(vacancyPath(VACANCY))).json, vacancyRead);
    expect(value).toMatchObject({
      min_experience: 2,
      job_type: { id: '0c1d9a52-6d5d-4b0c-8b2e-7a1f4e6c9d20' },
      vacancy: {
        gender: 'male',
        quota: 4,
        disability_allowed: true,
        min_education: { id: 'd9e8f7a6-b5c4-4d3e-8f2a-1b0c9d8e7f6a', level: 1 },
        job: {
          title: 'Staf Gudang',
          min_salary_currency: 'IDR',
          min_salary_amount: 4500000,
          expire_at: '2026-12-31',
          status: 'open',
          employer: { reference, name: 'PT Contoh Sejahtera' },
          region: { regionable: { province: { country: { code: 'ID' } } } },
        },
      },
    });
    expect(linksOf('vacancies', value)).toEqual({
      id: putReply.json.data.id,
      reference: putReply.json.data.reference,
    });
  });

  it('takes a vacancy with nulls', async () => {
    const body = { ...bodyOf('vacancy-nulls'), employer: { id: reference, name: 'CV Maju Bersama' } };
    const path = vacancyPath('4edd9893-f1a3-45dd-89d4-bc4dc9a071d3');
    expect((await put(path, body)).status).toBe(200);
    const { value } = readData((await find(path)).json, vacancyRead);
    expect(value).toMatchObject({
      min_experience: null,
      vacancy: { gender: null, job: { status: 'closed' } },
    });
  });

  it('holds institutions in the training area', async () => {
    const putReply = await put(institutionPath(INSTITUTION), bodyOf('institution'));
    const { value } = readData((await find(institutionPath(INSTITUTION))).json, institutionRead);
    expect(value).toMatchObject({
      id: putReply.json.data.id,
      reference: putReply.json.data.reference,
      name: 'LPK Cipta Karya',
      email: null,
    });
    expect(sandbox.records('training', 'institutions')).toHaveLength(1);
  });

  it('holds trainings, whose institution must be known, and keeps the institution until they are gone', async () => {
    const institution = '6edd9893-f1a3-45dd-89d4-bc4dc9a071d6';
    const path = '/api/v1/trainings/7edd9893-f1a3-45dd-89d4-bc4dc9a071d7';
    const refused = await put(path, bodyOf('training'));
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['institution.id']]);

    const id = (await put(institutionPath(institution), { name: 'LPK Satu' })).json.data.reference;
    const putReply = await put(path, { ...bodyOf('training'), institution: { id, name: 'LPK Satu' } });
    const { value } = readData((await find(path)).json, trainingRead);
    expect(value).toMatchObject({
      reference: putReply.json.data.reference,
      title: 'Pelatihan Barista',
      price: 250000,
      region: { regionable_type: 'city', regionable_id: '73c670c2-3f0a-4f4e-9f0a-5b8d6a1c2e30' },
      institution: { reference: id, name: 'LPK Satu' },
    });
    expect(sandbox.records('training', 'trainings')).toHaveLength(1);

    const remove = (target: string) => send(sandbox.url, { method: 'DELETE', path: target });
    expect((await remove(institutionPath(institution))).status).toBe(422);
    expect((await remove(path)).status).toBe(200);
    expect((await remove(path)).status).toBe(404);
    expect((await remove(institutionPath(institution))).status).toBe(200);
  });

  it.each([
    ['the path id of its company', COMPANY],
    ['a company that is not known', '9edd9893-f1a3-45dd-89d4-bc4dc9a071d9'],
  ])('refuses a vacancy whose employer.id is %s', async (_name, employerId) => {
    const { status, json } = await put(vacancyPath(VACANCY), vacancyOf(employerId));
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['employer.id']);
  });

  it('refuses invalid fields with one list of sentences each, and keeps what it held', async () => {
    const bad = vacancyOf(reference, { quota: '4', min_salary: { currency: 'IDR' }, colour: 'red' });
    const { status, json } = await put(vacancyPath(VACANCY), bad);
    expect(status).toBe(422);
    expect(json.errors).toEqual({
      quota: ['The quota field must be a whole number.'],
      'min_salary.amount': ['The min_salary.amount field is required.'],
      colour: ['The colour field is not a field of the interface.'],
    });
    const held = sandbox.records('jobs', 'vacancies').find(({ id }) => id === VACANCY);
    expect(held?.body).toMatchObject({ quota: 4 });
  });

  it('takes fields that the interface does not list when it is lenient', async () => {
    const tolerant = await startSandbox({ strict: false });
    const request = {
      method: 'PUT',
      path: companyPath(COMPANY),
      body: { ...companyBody('PT Contoh'), colour: 'red' },
    };
    expect((await send(tolerant.url, request)).status).toBe(200);
    await tolerant.close();
  });

  it.each([companyPath, vacancyPath, institutionPath])(
    'answers 404 to a Find of what it does not hold',
    async (path) => {
      expect((await find(path('00000000-0000-0000-0000-000000000000'))).status).toBe(404);
    },
  );

  it('forgets a record when it is told to', async () => {
    const path = institutionPath('5edd9893-f1a3-45dd-89d4-bc4dc9a071d5');
    await put(path, { name: 'LPK' });
    expect(sandbox.forget('institutions', '5edd9893-f1a3-45dd-89d4-bc4dc9a071d5')).toBe(true);
    expect((await find(path)).status).toBe(404);
  });
});
