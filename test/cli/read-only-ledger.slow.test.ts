import { expect, test } from 'vitest';
import { addCompanies, configureWorker, createCliWorld } from './cli-world.js';

test('while the ledger is read-only, readyz is 503, status and doctor fail, and all say why; then they are well again', async () => {
  const world = await createCliWorld();
  configureWorker(world);
  await addCompanies(world, 3);
  const [{ name } = { name: '' }] = await world.sql<{ name: string }>('select current_database() as name');
  const worker = world.start('start');
  await world.requested(3);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(
    worker
      .stderr()
      .split('\n')
      .find((line) => line.includes('"what":"admin"')) ?? worker.stderr(),
  )?.[0];
  const readyz = async () => {
    const answer = await fetch(`${address}/readyz`);
    return `${answer.status} ${(await answer.text()).trim()}`;
  };
  expect(await readyz()).toBe('200 ok');
  expect((await world.cli('status')).exitCode).toBe(0);

  // Sessions that are open already keep their setting.
  await world.sql(`alter database "${name}" set default_transaction_read_only = on`);
  const why = 'The state database is read-only: default_transaction_read_only is on.';
  expect(await readyz()).toBe(`503 ${why}`);
  for (const command of [['status'], ['status', '--json'], ['status', '--exit-code']]) {
    const { exitCode, stdout, stderr } = await world.cli(...command);
    expect(exitCode, command.join(' ')).toBe(1);
    expect(stdout).toContain('companies');
    expect(stderr).toContain(why);
  }
  const doctor = await world.cli('doctor', '--entity', 'companies');
  expect(doctor.exitCode).toBe(2);
  expect(doctor.stdout).toContain('The state database is read-only');

  // An address that says otherwise counts for every session.
  const url = world.env.SOURCE_DATABASE_URL ?? '';
  world.env.SOURCE_DATABASE_URL = `${url}${url.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Doff`;
  expect((await world.cli('status')).exitCode).toBe(0);

  await world.sql(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`);
  world.env.SOURCE_DATABASE_URL = url;
  await expect.poll(readyz, { timeout: 60_000 }).toBe('200 ok');
  expect((await world.cli('status')).exitCode).toBe(0);
});

test('the setting of a role alone counts too', async () => {
  const world = await createCliWorld();
  const [{ role, name } = { role: '', name: '' }] = await world.sql<{ role: string; name: string }>(
    'select current_user as role, current_database() as name',
  );
  await world.sql(`alter role "${role}" in database "${name}" set default_transaction_read_only = on`);
  expect((await world.cli('status')).exitCode).toBe(1);
  await world.sql(
    `begin read write; alter role "${role}" in database "${name}" reset default_transaction_read_only; commit`,
  );
  expect((await world.cli('status')).exitCode).toBe(0);
});
