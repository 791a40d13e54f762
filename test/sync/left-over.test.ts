import { expect, test } from 'vitest';
import { addCompanies, createWorld, unbalanced } from './world.js';

test('what an earlier run deferred is pending in the next summary, which still balances', async () => {
  const world = await createWorld();
  Object.assign(world.settings.retry, { breakerAfter: 10, baseDelayMs: 60_000, maxDelayMs: 60_000 });
  await addCompanies(world, 3);
  // One of them is answered, so that the platform is not away.
  world.intercept = ({ body }) =>
    (body as { name: string }).name === 'Company 1'
      ? undefined
      : { status: 500, body: { message: 'broken' } };
  const first = await world.run();
  expect(first.entities.companies).toMatchObject({ sent: 3, accepted: 1, deferred: 2, pending: 0 });

  const second = await world.run();
  expect(second).toMatchObject({ outcome: 'partial' });
  expect(second.entities.companies).toMatchObject({ sent: 0, deferred: 0, pending: 2 });
  expect([...unbalanced(first), ...unbalanced(second)]).toEqual([]);
});
