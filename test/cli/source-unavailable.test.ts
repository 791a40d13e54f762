import { expect, test } from 'vitest';
import { addCompanies, createCliWorld } from './cli-world.js';

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
