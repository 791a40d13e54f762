import { expect, test, vi } from 'vitest';
import { CHECKS } from '../../../src/onboarding/doctor/checks.js';
import { createDoctorWorld } from './doctor-world.js';

vi.setConfig({ testTimeout: 60_000 });

test('a role that may only read is enough: before migrate nothing fails, and only the missing state is a warning', async () => {
  const world = await createDoctorWorld();
  const { checks, exitCode, stderr, at } = await world.doctor();
  expect(at('fail'), JSON.stringify(checks, null, 1)).toEqual([]);
  expect(at('warn'), JSON.stringify(checks, null, 1)).toEqual(['state']);
  expect(exitCode, stderr).toBe(0);
  expect(checks.find(({ id }) => id === 'state')?.message).toMatch(
    /no tables yet, and the role .* may not make them/,
  );
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(['id', 'level', 'entity', 'message', 'hint', 'count', 'sample']);
  }
});

test('every check has its line, and each is known to the documentation', async () => {
  const world = await createDoctorWorld();
  const { checks } = await world.doctor();
  const ids = new Set(checks.map(({ id }) => id));
  const known = CHECKS.map(({ id }) => id);
  expect([...ids].filter((id) => !known.includes(id))).toEqual([]);
  // The world has no application statuses.
  expect(known.filter((id) => !ids.has(id))).toEqual(['applications']);
  const passing = new Set(checks.filter(({ level }) => level === 'pass').map(({ id }) => id));
  expect(known.filter((id) => !passing.has(id)).sort()).toEqual(['applications', 'state']);
});

test('--entity reports on that entity alone, and reads its parents for it', async () => {
  const world = await createDoctorWorld();
  await world.sql(
    'delete from hr.employer where id = 20 and not exists (select 1 from hr.opening where employer_id = 20)',
  );
  const { checks, of } = await world.doctor('--entity', 'vacancies');
  expect([...new Set(checks.map(({ entity }) => entity))].sort()).toEqual([null, 'vacancies'].sort());
  expect(of('parents')[0]).toMatchObject({ level: 'pass', entity: 'vacancies' });
});

test('nothing is written anywhere: no request but a Find, no table', async () => {
  const world = await createDoctorWorld();
  await world.doctor();
  expect(world.sandbox.requests().map(({ method, status }) => `${method} ${status}`)).toEqual([
    'GET 404',
    'GET 404',
  ]);
  expect(await world.sql(`select nspname from pg_namespace where nspname like 'placement%'`)).toEqual([]);
});

test('of an entity that is not configured no Find is sent', async () => {
  const world = await createDoctorWorld();
  world.change('placement-sync.yaml', '  vacancies: { query: openings.sql }\n', '');
  const { of } = await world.doctor();
  expect(world.sandbox.requests().map(({ method, status }) => `${method} ${status}`)).toEqual(['GET 404']);
  expect(of('credentials').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^jobs, .*compan.*: signature accepted/i),
  ]);
});
