import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { addCompanies, createWorld, type World } from './world.js';

interface Company {
  readonly name: string;
}

const nameAtPlatform = (world: World): string | undefined =>
  Object.values(world.held<Company>('companies'))[0]?.name;
const nameOf = (body: unknown): string => (body as Company).name;

test('a reply that was lost leaves unknown what the platform holds, so the way back is sent and confirmed', async () => {
  const world = await createWorld();
  world.settings.jobs.timeoutMs = 500;
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  await addCompanies(world, 1);
  await world.run();

  await world.sql(`update company set name = 'B'`);
  world.intercept = ({ body }) => (nameOf(body) === 'B' ? { drop: 'after' } : undefined);
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    outcome: 'aborted',
    entities: { companies: { sent: 1, deferred: 1 } },
  });
  expect(nameAtPlatform(world)).toBe('B');
  expect(await world.explain('companies', 'c01')).toMatchObject({
    status: 'deferred',
    acknowledgedHash: null,
    attempts: 0,
  });

  await world.sql(`update company set name = 'Company 1'`);
  expect(await world.run()).toMatchObject({
    exitCode: 0,
    entities: { companies: { changed: 1, accepted: 1 } },
  });
  expect(nameAtPlatform(world)).toBe('Company 1');

  await wait(1_000);
  world.requests();
  expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'complete' });
  await world.run();
  // Confirmed at most once: by the way back if it was claimed late enough, else by one more request.
  expect(world.requests().length).toBeLessThanOrEqual(1);
  expect(await world.explain('companies', 'c01')).toMatchObject({ status: 'synced' });
  expect(await world.sql('select confirm_at from placement_sync.sync_state')).toEqual([{ confirm_at: null }]);
});

test('a request that arrives after a newer one was accepted is repaired once its confirmation is due', async () => {
  const world = await createWorld();
  world.settings.jobs.timeoutMs = 500;
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  await addCompanies(world, 1);
  await world.run();

  await world.sql(`update company set name = 'Late'`);
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  world.intercept = ({ body }) => (nameOf(body) === 'Late' ? arrival : undefined);
  expect(await world.run()).toMatchObject({ entities: { companies: { deferred: 1 } } });
  expect(
    await world.sql(
      'select confirm_at - attempted_at = $$1 second$$ as right from placement_sync.sync_state',
    ),
  ).toEqual([{ right: true }]);
  // The state database's clock is moved instead of waited for: first the confirmation is far away, then it is due.
  await world.sql(`update placement_sync.sync_state set confirm_at = confirm_at + interval '1 hour'`);

  await world.sql(`update company set name = 'Newer'`);
  expect(await world.run()).toMatchObject({ entities: { companies: { accepted: 1 } } });
  expect(nameAtPlatform(world)).toBe('Newer');
  const explained = await world.explain('companies', 'c01');
  expect(explained.status).toBe('synced');
  expect(explained.reason).toMatch(/confirmed after/);

  arrive();
  await expect.poll(() => nameAtPlatform(world)).toBe('Late');
  await world.sql('update placement_sync.sync_state set confirm_at = now()');
  const repaired = await world.run();
  expect(repaired).toMatchObject({
    exitCode: 0,
    entities: { companies: { unchanged: 1, sent: 1, accepted: 1 } },
  });
  expect(nameAtPlatform(world)).toBe('Newer');
  world.requests();
  await world.run();
  expect(world.requests()).toEqual([]);
});

test('a claim that a dead run left is taken over, sent again and confirmed', async () => {
  const world = await createWorld();
  world.settings.jobs.timeoutMs = 500;
  await addCompanies(world, 3);
  await world.run();
  await world.sql(
    `update placement_sync.sync_state set claim_token = 0, attempted_at = now(), last_request_id = 'gone' where key = 'c02'`,
  );
  world.requests();

  const report = await world.run();
  expect(report).toMatchObject({
    exitCode: 0,
    entities: { companies: { unchanged: 3, sent: 1, accepted: 1 } },
  });
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'warning' }));
  await wait(1_100);
  await world.run();
  await world.run();
  const id = await world.idOf('companies', 'c02');
  const sent = world.sentIds();
  expect(new Set(sent)).toEqual(new Set([id]));
  expect(sent.length).toBeLessThanOrEqual(2);
});

test('a gateway that asks to wait may have passed the request on: the way back is sent', async () => {
  const world = await createWorld();
  await addCompanies(world, 1);
  await world.run();
  await world.sql(`update company set name = 'B'`);
  world.settings.retry.maxPauseMs = 0;
  world.intercept = ({ body }) =>
    nameOf(body) === 'B'
      ? { status: 503, apply: true, headers: { 'Retry-After': '60' }, body: '<html>Unavailable</html>' }
      : undefined;
  expect(await world.run()).toMatchObject({
    exitCode: 5,
    entities: { companies: { sent: 0, pending: 1, error: { code: 'long-pause' } } },
  });
  expect(nameAtPlatform(world)).toBe('B');
  expect(await world.explain('companies', 'c01')).toMatchObject({ acknowledgedHash: null, attempts: 0 });
  await world.sql(`update company set name = 'Company 1'`);
  // As `retry` does, because the pause lasts a minute.
  expect(await world.state.areaStates.endPauses(['jobs'])).toEqual(['jobs']);
  expect(await world.run()).toMatchObject({ entities: { companies: { accepted: 1 } } });
  expect(nameAtPlatform(world)).toBe('Company 1');
});

test('a confirmation that fails is put off; what the platform accepted is never rejected for it', async () => {
  const world = await createWorld();
  world.settings.retry.maxAttempts = 2;
  world.settings.retry.baseDelayMs = 60_000;
  world.settings.retry.maxDelayMs = 60_000;
  world.settings.retry.breakerAfter = 100;
  await addCompanies(world, 1);
  await world.run();
  world.intercept = () => ({ status: 500, body: { message: 'broken' } });
  for (let round = 0; round < 3; round += 1) {
    await world.sql('update placement_sync.sync_state set confirm_at = now()');
    expect(await world.run()).toMatchObject({
      exitCode: 5,
      entities: { companies: { sent: 1, deferred: 1 } },
    });
  }
  expect(await world.explain('companies', 'c01')).toMatchObject({ attempts: 0, status: 'synced' });
  world.intercept = null;
  await world.sql('update placement_sync.sync_state set confirm_at = now()');
  expect(await world.run()).toMatchObject({ outcome: 'complete', entities: { companies: { accepted: 1 } } });
  expect(await world.sql('select confirm_at from placement_sync.sync_state')).toEqual([{ confirm_at: null }]);
});

describe('a connection that the platform closed while it was idle', () => {
  /** Two records that the platform holds, and a change of both; the second one meets a closed connection. */
  async function closingWorld(drop: 'before' | 'after', times: number): Promise<World> {
    const world = await createWorld();
    world.settings.jobs.concurrency = 1;
    world.settings.retry.baseDelayMs = 60_000;
    world.settings.retry.maxDelayMs = 60_000;
    await addCompanies(world, 2);
    await world.run();
    await world.sql(`update company set about = 'changed'`);
    world.requests();
    let left = times;
    world.intercept = ({ body }) => {
      if (nameOf(body) !== 'Company 2' || left === 0) return undefined;
      left -= 1;
      return { drop };
    };
    return world;
  }

  test.each(['before', 'after'] as const)(
    'the record goes again at once over another one, and the first request is confirmed (%s it was processed)',
    async (drop) => {
      const world = await closingWorld(drop, 1);
      expect(await world.run()).toMatchObject({
        exitCode: 0,
        outcome: 'complete',
        entities: { companies: { sent: 2, accepted: 2, deferred: 0 } },
      });
      expect(world.requests()).toHaveLength(3);
      const { status, attempts, timeline } = await world.explain('companies', 'c02');
      expect({ status, attempts }).toEqual({ status: 'synced', attempts: 0 });
      // Two requests, each with an id and a line of its own.
      const [first, second] = timeline.slice(-2);
      expect([first?.outcome, second?.outcome]).toEqual(['deferred', 'accepted']);
      expect(first?.requestId).not.toBe(second?.requestId);
      expect(
        await world.sql(
          `select key from placement_sync.sync_state where confirm_at > attempted_at and key = 'c02'`,
        ),
      ).toHaveLength(1);
    },
  );

  test('it goes again once', async () => {
    const world = await closingWorld('before', 9);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'partial',
      entities: { companies: { sent: 2, accepted: 1, deferred: 1 } },
    });
    expect(world.requests()).toHaveLength(3);
    expect(await world.explain('companies', 'c02')).toMatchObject({ status: 'deferred', attempts: 1 });
  });

  test('the repeat has a place in the rate of its own, and none after a signal', async () => {
    const world = await closingWorld('before', 1);
    world.settings.jobs.ratePerSecond = 1;
    world.settings.jobs.timeoutMs = 3_000;
    const arrivals: number[] = [];
    const { intercept } = world;
    world.intercept = (request) => {
      arrivals.push(performance.now());
      return intercept?.(request);
    };
    await world.run();
    expect(arrivals).toHaveLength(3);
    for (const [index, at] of arrivals.slice(1).entries())
      expect(at - (arrivals[index] ?? 0)).toBeGreaterThan(999);

    await world.sql(`update company set about = 'again'`);
    const stopping = new AbortController();
    world.requests();
    world.intercept = ({ body }) => {
      if (nameOf(body) !== 'Company 2') return undefined;
      stopping.abort();
      return { drop: 'before' };
    };
    expect(await world.run({ signal: stopping.signal })).toMatchObject({
      exitCode: 1,
      entities: { companies: { sent: 2, accepted: 1, deferred: 1 } },
    });
    expect(world.requests()).toHaveLength(2);
  });
});
