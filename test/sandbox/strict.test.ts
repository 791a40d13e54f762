import fc from 'fast-check';
import { expect, test } from 'vitest';
import { vacancies } from '../../src/entities/vacancies.js';
import { startSandbox } from '../../src/sandbox/start-sandbox.js';
import { strictProblems } from '../../src/sandbox/serve-operation.js';
import { companyBody, companyPath, send, vacancyPath } from './signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

/** The fields that are refused of a company, and of a vacancy with these fields. */
async function refused(strict: boolean, company: object, vacancy: object): Promise<string[][]> {
  const sandbox = await startSandbox({ strict });
  const put = async (path: string, body: object) => {
    const { status, json } = await send(sandbox.url, { method: 'PUT', path, body });
    expect(status).toBe(json.errors === undefined ? 200 : 422);
    return { fields: Object.keys(json.errors ?? {}), reference: json.data?.reference };
  };
  const first = await put(companyPath(ID), company);
  const { reference: id } = await put(companyPath(ID), companyBody('PT Contoh'));
  const second = await put(vacancyPath(ID), {
    title: 'Staf',
    employer: { id, name: 'PT Contoh' },
    ...vacancy,
  });
  await sandbox.close();
  return [first.fields, second.fields];
}

test.each([
  [{ name: 'PT Contoh' }, {}, [['region'], []]],
  [{ name: 'PT Contoh', region: 'city' }, {}, [['region'], []]],
  [companyBody('PT Contoh'), { skills: ['forklift_operation', 'k3', 'sim_b1'], gender: 'female' }, [[], []]],
  [companyBody('PT Contoh'), { skills: ['forklift-operation'] }, [[], ['skills.0']]],
  [
    companyBody('PT Contoh'),
    { skills: ['ok', 'Forklift', 'two words', '_x', 'a__b', ''] },
    [[], ['skills.1', 'skills.2', 'skills.3', 'skills.4', 'skills.5']],
  ],
  [companyBody('PT Contoh'), { gender: null }, [[], []]],
  [companyBody('PT Contoh'), { gender: 'Laki-laki' }, [[], ['gender']]],
  [companyBody('PT Contoh'), { marital: 'kawin' }, [[], ['marital']]],
  [companyBody('PT Contoh'), { marital: 'married', status: 'filled' }, [[], []]],
  [companyBody('PT Contoh'), { min_salary: { currency: 'Rp', amount: 0 } }, [[], ['min_salary.currency']]],
  [
    companyBody('PT Contoh'),
    { min_salary: { currency: 'IDR', amount: 9 }, max_salary: { currency: 'IDR', amount: 8 } },
    [[], ['min_salary.amount']],
  ],
  [companyBody('PT Contoh'), { quota: -1, min_age: 45, max_age: 18 }, [[], ['quota', 'min_age']]],
  // What depends on today is a warning of the worker, and no more.
  [companyBody('PT Contoh'), { expire_at: '2001-01-01', status: 'open' }, [[], []]],
  [
    { ...companyBody('PT Contoh'), region: { type: 'city', id: ID, country_code: 'Singapore' } },
    {},
    [['region.country_code'], []],
  ],
])('refuses of %j and %j: %j', async (company, vacancy, fields) => {
  expect(await refused(true, company, vacancy)).toEqual(fields);
});

test('takes all that when it is not strict, and still refuses wrong types', async () => {
  const vacancy = {
    skills: ['forklift-operation'],
    gender: 'Laki-laki',
    marital: 'kawin',
    quota: -1,
    min_salary: { currency: 'Rp', amount: -1 },
  };
  expect(await refused(false, { name: 'PT Contoh' }, vacancy)).toEqual([[], []]);
  expect(await refused(false, { name: 7 }, { skills: 'a' })).toEqual([['name'], ['skills']]);
});

test('refuses a status update whose words the interface does not know', async () => {
  const problems = async (strict: boolean) => {
    const sandbox = await startSandbox({ strict });
    const body = { status: 'hired', employment_type: 'tetap', salary: { currency: 'Rp', amount: 5 } };
    const path = `/api/v1/job-applications/${ID}/status`;
    const { json } = await send(sandbox.url, { method: 'PATCH', path, body });
    await sandbox.close();
    return Object.keys(json.errors ?? {});
  };
  expect(await problems(true)).toEqual(['salary.currency', 'employment_type']);
  expect(await problems(false)).toEqual([]);
});

test('refuses nothing that the worker maps without a warning, and something of everything else', () => {
  const rows = fc.record({
    gender: fc.constantFrom(null, 'male', 'Male', 'x'),
    marital: fc.constantFrom(null, 'single', 'kawin'),
    skills: fc.constantFrom(null, 'a,b_c', 'A', 'a-b', ''),
    min_salary_amount: fc.constantFrom(null, '10000', '20000', '-1'),
    max_salary_amount: fc.constantFrom(null, '15000', '20000'),
    max_salary_currency: fc.constantFrom(null, 'USD', 'usd'),
    quota: fc.constantFrom(null, '3', '-3'),
    min_age: fc.constantFrom(null, '18', '60'),
    max_age: fc.constantFrom(null, '45', '450'),
    region_id: fc.constantFrom(null, ID),
    region_country_code: fc.constantFrom('SG', 'XX'),
  });
  const context = { lookups: {}, plainText: [], required: null, namespace: ID };
  let clean = 0;
  fc.assert(
    fc.property(rows, (row) => {
      const full = { key: '1', company_key: 'c', title: 'Sopir', ...row };
      const { payload, issues, warnings } = vacancies.map(full, context);
      expect(issues).toEqual([]);
      const words = warnings.filter(({ message }) => !message.startsWith('is not sent'));
      const refusals = strictProblems('putVacancy', vacancies, payload);
      expect(refusals.length).toBe(words.length);
      if (words.length === 0) clean += 1;
    }),
    { numRuns: 2_000, seed: 5 },
  );
  expect(clean).toBeGreaterThan(10);
});
