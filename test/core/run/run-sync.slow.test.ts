import { describe, expect, test } from 'vitest';
import { emptyReport } from '../../../src/core/entities/index.js';
import { whenWritten } from '../../postgres/test-database.js';
import { addCompanies, addVacancies, createWorld, type World } from '../world.js';

describe('run sync', () => {
  test('a ledger that is given to another platform between the first look and the leases is not used', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.run();
    await world.sql(`update company set about = 'edited'`);
    world.requests();
    await whenWritten(
      world.sql,
      'placement_sync.lease',
      `update placement_sync.environment set base_url = 'https://elsewhere.example';`,
    );
    await expect(world.run()).rejects.toMatchObject({ code: 'environment-changed', scope: 'usage' });
    expect(world.requests()).toEqual([]);
  });

  test('a run whose lease is lost while nothing is under way has failed, however little was left to do', async () => {
    const world = await createWorld();
    world.settings.leaseTtlMs = 2_000;
    world.settings.retry.maxPauseMs = 60_000;
    await addCompanies(world, 1);
    world.intercept = () => ({ status: 429, headers: { 'retry-after': '30' } });
    const report = await world.run({
      // The push statements count on another lease, so none of them finds this one lost.
      onEvent: ({ type }) =>
        type === 'area-paused' &&
        world.sql(`update placement_sync.lease set token = token + 1, holder = 'thief',
        expires_at = now() + interval '1 hour' where name = 'sweep'`),
    });
    expect(report).toMatchObject({ outcome: 'failed', exitCode: 1 });
    expect(await world.state.runs.last()).toMatchObject({ outcome: 'failed', error: { code: 'lease-lost' } });
  });

  test('an error of the state database in the sweep of one entity ends the run: no other entity is read', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 1);
    await whenWritten(world.sql, 'placement_sync.staged_finding', `raise exception 'the disk is full';`);
    const report = await world.run();
    expect(report).toMatchObject({ outcome: 'failed', exitCode: 1 });
    const swept = world.events.flatMap((event) => (event.type === 'sweep-started' ? [event.entity] : []));
    expect(swept).toEqual(['companies']);
    expect(await world.state.runs.last()).toMatchObject({ error: { code: 'state-failed' } });
  });

  test('a push whose time is over finishes what is under way and leaves the rest pending; the run has not failed', async () => {
    const world = await createWorld();
    world.settings.jobs.concurrency = 1;
    await addCompanies(world, 8);
    const over = new AbortController();
    let answered = 0;
    const report = await world.run({
      pushUntil: over.signal,
      onEvent: ({ type }) => type === 'record-sent' && ++answered === 2 && over.abort(),
    });
    const { sent, accepted, pending } = report.entities.companies ?? emptyReport('companies');
    expect(report).toMatchObject({ outcome: 'partial', exitCode: 0, aside: { error: null } });
    expect(sent).toBe(accepted);
    expect(accepted).toBeGreaterThanOrEqual(2);
    expect(accepted).toBeLessThan(8);
    expect(pending).toBe(8 - accepted);
    expect(Object.keys(world.held('companies'))).toHaveLength(accepted);
    // Nothing is still claimed: the next run sends the rest, each record once.
    expect(await world.run({ pushOnly: true })).toMatchObject({
      outcome: 'complete',
      entities: { companies: { accepted: 8 - accepted, pending: 0 } },
    });
    expect(world.requests()).toHaveLength(8);
  });

  test('when the time of the push is over before it begins, the sweep is complete and nothing is sent', async () => {
    const world = await createWorld();
    await addCompanies(world, 3);
    const report = await world.run({ pushUntil: AbortSignal.abort() });
    expect(report).toMatchObject({
      outcome: 'partial',
      exitCode: 0,
      entities: { companies: { read: 3, new: 3, sent: 0, pending: 3 } },
    });
    expect(world.requests()).toEqual([]);
  });

  test('a run that is told to stop during its push is interrupted, also when the time of the push is not over', async () => {
    const world = await createWorld();
    world.settings.jobs.concurrency = 1;
    await addCompanies(world, 8);
    const stop = new AbortController();
    const report = await world.run({
      signal: stop.signal,
      pushUntil: new AbortController().signal,
      onEvent: ({ type }) => type === 'record-sent' && stop.abort(),
    });
    expect(report).toMatchObject({ outcome: 'aborted', exitCode: 1 });
  });
});

describe('last success', () => {
  const lastSuccess = async (world: World) =>
    (await world.state.entityStates.read('companies')).lastSuccessAt?.getTime() ?? null;

  /** Four companies that the platform refuses, of which it gets two: the others stay pending. */
  async function withPending(): Promise<World> {
    const world = await createWorld();
    world.settings.guards.maxRejectedInARow = 2;
    world.settings.jobs.concurrency = 1;
    world.intercept = () => ({ status: 422, body: { message: 'unknown field' } });
    await addCompanies(world, 4);
    return world;
  }

  test('a run after which something is pending is no success', async () => {
    const world = await withPending();
    expect(await world.run()).toMatchObject({ entities: { companies: { pending: 2 } } });
    expect(await lastSuccess(world)).toBeNull();
    world.intercept = null;
    await world.state.approve('companies');
    expect(await world.run()).toMatchObject({ entities: { companies: { pending: 0 } } });
    expect(await lastSuccess(world)).not.toBeNull();
  });

  test('children that wait for a parent that is still to be sent are no success; those of a rejected one do not count', async () => {
    const ofVacancies = async (of: World) => (await of.state.entityStates.read('vacancies')).lastSuccessAt;
    const world = await createWorld();
    await addCompanies(world, 2);
    await addVacancies(world, 1);
    world.intercept = () => ({ status: 503, body: {} });
    expect(await world.run()).toMatchObject({ entities: { vacancies: { waiting: 1, pending: 0 } } });
    expect(await ofVacancies(world)).toBeNull();
    // Another one passes, so it is about the company.
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 1'
        ? { status: 422, body: { message: 'no such company' } }
        : undefined;
    await world.sql(`update placement_sync.sync_state set next_attempt_at = now()`);
    expect(await world.run()).toMatchObject({ entities: { companies: { rejected: 1 } } });
    expect(await ofVacancies(world)).not.toBeNull();
  });

  test('a worker notes no success either while something is pending', async () => {
    const world = await withPending();
    const worker = world.work();
    await expect
      .poll(() => worker.events.map(({ type }) => type), { timeout: 60_000 })
      .toContain('entity-held');
    await worker.stop();
    expect((await world.state.records.counts('companies')).pending).toBe(2);
    expect(await lastSuccess(world)).toBeNull();
  });

  test('a run that fails is no success, although nothing of the entity is pending', async () => {
    const world = await createWorld();
    await addCompanies(world, 1);
    await world.run();
    const before = await lastSuccess(world);
    expect(before).not.toBeNull();
    await addVacancies(world, 1);
    await whenWritten(world.sql, 'placement_sync.staged_finding', `raise exception 'the disk is full';`);
    expect(await world.run()).toMatchObject({ outcome: 'failed', entities: { companies: { pending: 0 } } });
    expect(await lastSuccess(world)).toBe(before);
  });
});
