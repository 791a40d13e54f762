import { expect, test } from 'vitest';
import { allowNulls, bodyProblems } from '../../src/contract/schema-fields.js';
import { companyBody } from '../../src/contract/company.js';
import { vacancyBody } from '../../src/contract/vacancy.js';

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
