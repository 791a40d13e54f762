import { describe, expect, test, vi } from 'vitest';
import { createDoctorWorld, type DoctorWorld } from './doctor-world.js';

describe('codes', () => {
  vi.setConfig({ testTimeout: 60_000 });

  const BOTH =
    '{ query: openings.sql, onVanished: close, lookups: { region_id: towns.csv, job_type: kinds.csv } }';

  /** Vacancies have towns of the same file, and a kind. Towns: 2 employers and 9 openings in SBY, 1 employer in MLG. */
  async function createCodedWorld(): Promise<DoctorWorld> {
    const world = await createDoctorWorld();
    world.write(
      'towns.csv',
      'code,id,name\nBDG,8a4c0d52-3a52-4f0e-9f0c-6d8f6f8f1c11,Bandung\nSBY,,Surabaya\nMLG,,\n',
    );
    world.write('kinds.csv', 'code,id,name\n1,,Permanent\n2,,Contract\n');
    world.change('placement-sync.yaml', '{ query: openings.sql, onVanished: close }', BOTH);
    world.change(
      'openings.sql',
      'o.sex as gender',
      'o.sex as gender, o.place as region_id, o.kind as job_type',
    );
    await world.sql(`insert into hr.town values ('MLG', 'Malang');
    update hr.employer set town = 'SBY' where id in (2, 3); update hr.employer set town = 'MLG' where id = 4;
    alter table hr.opening add place text default 'BDG', add kind int default null;
    update hr.opening set place = 'SBY' where id between 11 and 19;
    update hr.opening set kind = case when id < 22 then 1 when id = 22 then 2 when id < 26 then 3 end where id > 20;`);
    return world;
  }

  test('codes of an entity stand in one block for each file, with their names, the largest effect first', async () => {
    const world = await createCodedWorld();
    const { checks, of } = await world.doctor();
    expect(of('codes')).toMatchObject([
      {
        level: 'fail',
        entity: 'companies',
        message:
          'region_id: 2 codes have no id in towns.csv: 3 companies are invalid, 6 vacancies wait for them:' +
          ' "SBY" (Surabaya): 2 companies are invalid, 4 vacancies wait for them;' +
          ' "MLG": 1 company is invalid, 2 vacancies wait for it',
        hint: expect.stringMatching(/^Fill in the ids in towns\.csv/) as string,
        count: 3,
        sample: ['2', '3', '4'],
      },
      {
        level: 'fail',
        entity: 'vacancies',
        message: 'region_id: code "SBY" (Surabaya) has no id: 9 vacancies are invalid',
      },
      {
        level: 'fail',
        entity: 'vacancies',
        message:
          'job_type: 3 codes have no id in kinds.csv: 5 vacancies are invalid: "3": 3 vacancies are invalid;' +
          ' "1" (Permanent): 1 vacancy is invalid; "2" (Contract): 1 vacancy is invalid',
        hint: expect.stringMatching(
          /Fill in the ids in kinds\.csv, or put - to leave the field out\./,
        ) as string,
      },
    ]);
    expect(checks.filter(({ id, level }) => id === 'codes' && level === 'pass')).toEqual([]);
  });

  test('people read each code on a line of its own', async () => {
    const world = await createCodedWorld();
    const { stdout } = await world.cli('doctor', '--entity', 'vacancies');
    expect(stdout).toContain(
      [
        'fail  vacancies, codes: job_type: 3 codes have no id in kinds.csv: 5 vacancies are invalid',
        '        "3": 3 vacancies are invalid',
        '        "1" (Permanent): 1 vacancy is invalid',
      ].join('\n'),
    );
  });

  test('of many codes the first are named, and the others are counted', async () => {
    const world = await createCodedWorld();
    await world.sql('update hr.opening set kind = id');
    const [found] = (await world.doctor('--entity', 'vacancies'))
      .of('codes')
      .filter(({ message }) => message.startsWith('job'));
    expect(found?.message).toMatch(
      /^job_type: 60 codes have no id in kinds\.csv: 60 vacancies are invalid: .*; 48 more, about 48 records; placement-sync plan --json lists all$/,
    );
    expect(found?.count).toBe(60);
  });
});

describe('names of people', () => {
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
    expect(found.of('kept', 'vacancies')).toMatchObject([
      {
        level: 'warn',
        message: expect.stringMatching(/^hr\.opening\.moderation: kept are done 52, open 8;/) as string,
      },
    ]);
    expect(found.stdout + found.stderr).not.toContain('Rahasia');
  });
});
