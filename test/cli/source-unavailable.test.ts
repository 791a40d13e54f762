import { expect, test } from 'vitest';
import { login, message, serverThatSays } from '../postgres/open-wire.js';
import { addCompanies, createCliWorld } from './cli-world.js';
import { configureWorker } from './configure-worker.js';

test('a source that is down fails the run, and what was pending is sent all the same', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  world.intercept = () => ({ status: 401, body: { message: 'not now' } });
  expect(await world.run()).toMatchObject({ code: 5, entities: { companies: { pending: 3, sent: 0 } } });

  world.intercept = null;
  const state = world.env.SOURCE_DATABASE_URL ?? '';
  world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 8s, url: '${state}' }`);
  world.env.SOURCE_DATABASE_URL = 'postgres://nobody:hidden-word@127.0.0.1:9/hr';
  const down = await world.run();
  expect(down).toMatchObject({
    code: 1,
    outcome: 'failed',
    entities: {
      companies: { read: 0, vanished: 0, sent: 3, accepted: 3, error: { code: 'source-unavailable' } },
      vacancies: { error: { code: 'source-unavailable' } },
    },
  });
  expect(down.stderr).not.toContain('hidden-word');
});

test.each([
  ['asks for a log-in that the driver does not know', login(7), 'asks to log in by GSSAPI', 'pg_hba.conf'],
  ['never ends an error message', message('E', ''), 'error message without an end', 'PostgreSQL server'],
])('a source that %s is an ordinary error of every command', async (_what, answer, text, hint) => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  const state = world.env.SOURCE_DATABASE_URL ?? '';
  world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 3s, url: '${state}' }`);
  configureWorker(world);
  world.env.SOURCE_DATABASE_URL = await serverThatSays(answer);
  const place = new URL(world.env.SOURCE_DATABASE_URL).host;

  for (const command of ['plan', 'run']) {
    const { exitCode, stdout, stderr } = await world.start(command).done;
    expect(exitCode, `${command}: ${stderr}`).toBe(1);
    expect(stdout + stderr).toContain(`The source database ${place}/hr cannot be reached`);
    expect(stdout + stderr).toContain(text);
    expect(stdout + stderr).toContain(hint);
  }
  const { checks } = JSON.parse((await world.start('doctor', '--json').done).stdout) as {
    checks: { id: string; level: string; message: string }[];
  };
  expect(checks.filter(({ id, level }) => id === 'connection' && level === 'fail')).toMatchObject([
    { message: expect.stringContaining(text) as string },
  ]);

  const worker = world.start('start');
  await expect.poll(() => worker.stderr(), { timeout: 60_000 }).toContain(text);
  worker.child.kill('SIGTERM');
  expect((await worker.done).exitCode).toBe(0);
});
