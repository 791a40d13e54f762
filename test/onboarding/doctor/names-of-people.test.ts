import { expect, test, vi } from 'vitest';
import { createDoctorWorld } from './doctor-world.js';

vi.setConfig({ testTimeout: 60_000 });

test('names of people are neither read nor printed, whatever the column says of publication', async () => {
  const world = await createDoctorWorld();
  await world.sql(`
    alter table hr.opening add approver text default 'Siti Rahasia', add publisher_name text default 'Siti Rahasia',
      add confirmed_person text default 'Siti Rahasia', add nama_verifikator text default 'Siti Rahasia',
      add moderator text default 'Siti Rahasia', add moderation text default 'done';
    update hr.opening set approver = 'Budi Rahasia', publisher_name = 'Budi Rahasia', confirmed_person = 'Budi Rahasia',
      nama_verifikator = 'Budi Rahasia', moderator = 'Budi Rahasia', moderation = 'open' where id < 9`);
  const found = await world.doctor();
  expect(found.of('publication', 'vacancies')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringMatching(/^hr\.opening\.moderation \(text: done 52, open 8\)/) as string,
    },
  ]);
  expect(found.stdout + found.stderr).not.toContain('Rahasia');
});
