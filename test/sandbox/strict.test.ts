import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start-sandbox.js';
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
])('refuses of %j and %j: %j', async (company, vacancy, fields) => {
  expect(await refused(true, company, vacancy)).toEqual(fields);
});

test('takes all that when it is not strict, and still refuses wrong types', async () => {
  const vacancy = { skills: ['forklift-operation'], gender: 'Laki-laki' };
  expect(await refused(false, { name: 'PT Contoh' }, vacancy)).toEqual([[], []]);
  expect(await refused(false, { name: 7 }, { skills: 'a' })).toEqual([['name'], ['skills']]);
});
