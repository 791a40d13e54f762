import { expect, test } from 'vitest';
import { encodingFault } from '../../src/core/ledger/database/encoding.js';
import { migrate } from '../../src/core/ledger/database/migrate.js';
import { createStateDatabase } from '../../src/core/ledger/database/state-database.js';
import { FLEET_SCHEMA } from '../../src/features/fleet/state/tenants.js';
import { createTestDatabase } from '../postgres/test-database.js';
import { createDoctorWorld } from '../features/doctor/doctor-world.js';

const NAMES = ['placement_sync'];

test.each(['LATIN1', 'SQL_ASCII'])(
  'a ledger is not made in a database of the encoding %s, and doctor fails it',
  async (encoding) => {
    const ledger = await createTestDatabase(encoding);
    const world = await createDoctorWorld();
    world.env.STATE_URL = ledger.url;
    world.change('placement-sync.yaml', '\nids:', "\nstate: { url: '${STATE_URL}' }\nids:");

    for (const command of [['migrate'], ['run', '--migrate']]) {
      const { exitCode, stderr } = await world.cli(...command);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`has the encoding ${encoding}. A ledger needs UTF8`);
    }
    const { of, exitCode } = await world.doctor();
    expect(of('state')).toMatchObject([{ level: 'fail' }]);
    expect(of('state')[0]?.message).toContain(encoding);
    expect(exitCode).toBe(2);
    expect(await ledger.query('select nspname from pg_namespace where nspname = any($1)', [NAMES])).toEqual(
      [],
    );

    // The hint, followed.
    const made = /create database NAME[^.]*/.exec(of('state')[0]?.hint ?? '')?.[0] ?? '';
    const name = `${ledger.name}_utf8`;
    await ledger.query(made.replace('NAME', name));
    const url = new URL(ledger.url);
    url.pathname = `/${name}`;
    world.env.STATE_URL = url.href;
    expect(await world.cli('migrate')).toMatchObject({ exitCode: 0 });
    await world.sql(`update hr.employer set label = 'PT ☕' where id = 3`);
    expect(await world.cli('run')).toMatchObject({ exitCode: 0 });
    await ledger.query(`drop database ${name} with (force)`);
  },
);

test('neither is the schema of a fleet', async () => {
  const { url, query } = await createTestDatabase('LATIN1');
  const database = createStateDatabase({ url, poolMax: 1, schema: 'fleet' });
  await expect(migrate(database, { kind: FLEET_SCHEMA })).rejects.toMatchObject({
    code: 'config-invalid',
    scope: 'usage',
  });
  await database.close();
  expect(await query(`select from pg_namespace where nspname = 'fleet'`)).toEqual([]);
});

test('a ledger that is already there goes on with a warning, and a text that does not fit names the cause', async () => {
  const ledger = await createTestDatabase();
  const world = await createDoctorWorld();
  world.env.STATE_URL = ledger.url;
  world.change('placement-sync.yaml', '\nids:', "\nstate: { url: '${STATE_URL}' }\nids:");
  expect(await world.cli('migrate')).toMatchObject({ exitCode: 0 });
  // As an earlier version made it.
  await ledger.query(`update pg_database set encoding = pg_char_to_encoding('LATIN1') where datname = $1`, [
    ledger.name,
  ]);

  expect(await world.cli('migrate')).toMatchObject({ exitCode: 0 });
  expect((await world.doctor()).of('state')).toMatchObject([{ level: 'fail' }]);
  await world.sql(`update hr.employer set label = 'PT ☕' where id = 3`);
  const { exitCode, stdout, stderr } = await world.cli('run');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('has the encoding LATIN1. A ledger needs UTF8');
  expect(stdout + stderr).toMatch(/no equivalent in encoding/);
  expect(stdout + stderr).toContain('The encoding of the database is not UTF8. Make one with');
});

test('a database in UTF8 has no fault', async () => {
  const { url } = await createTestDatabase();
  const database = createStateDatabase({ url, poolMax: 1, schema: 'x' });
  expect(await encodingFault(database)).toBeNull();
  await database.close();
});

test('doctor warns of a source whose database does not check its texts', async () => {
  const source = await createTestDatabase('SQL_ASCII');
  const world = await createDoctorWorld();
  world.env.SOURCE_DATABASE_URL = source.url;
  const { of } = await world.doctor();
  expect(of('connection')).toMatchObject([{ level: 'warn' }]);
  expect(of('connection')[0]?.message).toContain('SQL_ASCII');
});
