import { expect, test } from 'vitest';
import { accepted, deferred, handedBack, openTestState, refused, wants } from '../open-test-state.js';

test('outcomes are counted per entity and hour, together with the records themselves', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'), wants('d', '1'));
  const [a, b, c, d] = await state.claim();
  await state.record(accepted(a!), refused(b!), deferred(c!), handedBack(d!));
  await state.record(accepted((await state.claim())[0]!));
  const { now, hours } = await state.pushHours.recent(48);
  expect(hours).toEqual([
    {
      entity: 'companies',
      hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000),
      sent: 4,
      accepted: 2,
      rejected: 1,
      deferred: 1,
    },
  ]);
});

test('the last of its attempts counts as rejected, and entities are counted apart', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.publish('institutions', wants('i', '1'));
  const [company] = await state.claim('companies');
  const [institution] = await state.claim('institutions');
  await state.record(accepted(institution!), deferred(company!, { exhausted: true }));
  const { hours } = await state.pushHours.recent(48);
  expect(hours.map(({ entity, accepted, rejected }) => [entity, accepted, rejected])).toEqual([
    ['companies', 0, 1],
    ['institutions', 1, 0],
  ]);
});

test('what is older than asked for is left out, and what is older than the retention is pruned with the runs', async () => {
  const state = await openTestState();
  await state.sql(
    `insert into placement_sync.push_hour select 'companies', now() - n * interval '30 hours', 1, 1, 0, 0
     from generate_series(0, 2) n`,
  );
  expect((await state.pushHours.recent(48)).hours).toHaveLength(2);
  await state.runs.prune(36 * 3_600_000);
  expect((await state.pushHours.recent(1_000)).hours).toHaveLength(2);
});

test('an outcome that cannot be written counts as nothing', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const [claim] = await state.claim();
  await state.sql('alter table placement_sync.push_hour add constraint no check (false)');
  await expect(state.record(accepted(claim!))).rejects.toMatchObject({ code: 'state-failed' });
  expect(await state.row('a')).toMatchObject({
    acknowledged_hash: null,
    claim_token: String(state.push.token),
  });
});
