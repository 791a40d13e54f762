import { expect, test, vi } from 'vitest';
import { createDoctorWorld } from './doctor-world.js';

vi.setConfig({ testTimeout: 60_000 });

const BLANK = `case when e.id = 5 then ' 5' else e.id::text end as key`;
const TWIN = `\nunion all select U&'3\\200B', label, town from hr.employer where id = 3`;

test('doctor names keys that look the same, and parents whose key differs only in its form', async () => {
  const world = await createDoctorWorld();
  world.write(
    'employers.sql',
    `select ${BLANK}, e.label as name, e.town as region_id from hr.employer e where e.is_active${TWIN}`,
  );
  const { of } = await world.doctor();
  expect(of('keys')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(
        /^1 key looks the same .*"3\u200B" and "3" by invisible characters, such as U\+200B$/,
      ) as string,
    },
    { level: 'pass' },
  ]);
  expect(of('parents')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringContaining(
        'a key there differs only in its form: "5" and " 5" by blanks',
      ) as string,
      hint: expect.stringContaining('Write key and company_key alike') as string,
    },
  ]);
});
