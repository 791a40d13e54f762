import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addCompanies, createWorld, type World } from './world.js';

describe('small outage', () => {
  /** Four records that the platform holds, and a change of each. */
  async function changedWorld(): Promise<World> {
    const world = await createWorld();
    Object.assign(world.settings.retry, { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 });
    await addCompanies(world, 4);
    expect(await world.run()).toMatchObject({ exitCode: 0, outcome: 'complete' });
    await world.sql(`update company set about = 'changed'`);
    return world;
  }

  const lastSuccess = async (world: World) => (await world.status()).entities.companies?.lastSuccessAt;

  test('deferred records keep the last success back, also while the area answers others', async () => {
    const world = await changedWorld();
    Object.assign(world.settings.retry, { maxAttempts: 10, baseDelayMs: 60_000, maxDelayMs: 60_000 });
    const before = await lastSuccess(world);
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 2'
        ? { status: 500, body: { message: 'cannot save' } }
        : undefined;
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'partial',
      entities: { companies: { deferred: 1 } },
    });
    // Nothing is due, but not everything is there.
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'partial',
      entities: { companies: { sent: 0 } },
    });
    expect(world.events.filter(({ type }) => type === 'warning')).toMatchObject([
      {
        message: expect.stringMatching(
          /^Records of companies could not be sent by an earlier run and are put off\. The last error: HTTP 500.*cannot save/,
        ) as string,
      },
    ]);
    expect(await lastSuccess(world)).toBe(before);
    const { since, ...deferral } = (await world.state.records.deferral('companies')) ?? {};
    expect(deferral).toEqual({ statusCode: 500, error: expect.stringMatching(/cannot save/) as string });
    expect(since).toBeInstanceOf(Date);
    expect((await world.status()).entities.companies).toMatchObject({
      deferred: 1,
      oldestPendingAt: since?.toISOString(),
    });
  });

  test('a record that fails alone, again and again, uses up an attempt only when the area has answered others in between', async () => {
    const world = await changedWorld();
    Object.assign(world.settings.retry, { maxAttempts: 3, baseDelayMs: 600_000, maxDelayMs: 600_000 });
    await world.run();
    world.intercept = ({ body }) =>
      (body as { name: string }).name === 'Company 2'
        ? { status: 500, body: { message: 'cannot save' } }
        : undefined;
    await world.sql(`update company set about = 'again' where id = 'c02'`);
    const attempts = async () => {
      await world.sql(
        `update placement_sync.sync_state set next_attempt_at = now() where key = 'c02' and next_attempt_at > now()`,
      );
      const { exitCode } = await world.run();
      const { attempts: used, status } = await world.explain('companies', 'c02');
      return { exitCode, used, status };
    };
    /** Another record is tried first, and the one that was blameless so far follows it at once. */
    const answered = async (about: string, counts: object) => {
      await world.sql(`update company set about = $1 where id = 'c03'`, [about]);
      expect((await world.run()).entities.companies).toMatchObject(counts);
    };
    expect(await attempts()).toEqual({ exitCode: 5, used: 0, status: 'deferred' });
    expect(await attempts()).toEqual({ exitCode: 5, used: 0, status: 'deferred' });
    await answered('one', { sent: 2, accepted: 1, deferred: 1 });
    expect(await attempts()).toEqual({ exitCode: 5, used: 2, status: 'deferred' });
    expect(await attempts()).toEqual({ exitCode: 5, used: 2, status: 'deferred' });
    await answered('two', { sent: 1, accepted: 1 });
    expect(await attempts()).toMatchObject({ used: 3, status: 'rejected' });
  });
});

describe('a run that finishes its work', () => {
  const DOWN = { status: 503, body: { message: 'down' } };

  /** Records that the platform holds, and a change of each; a run waits for what it has deferred. */
  async function patientWorld(companies: number, runForMs = 5_000): Promise<World> {
    const world = await createWorld();
    Object.assign(world.settings.retry, { baseDelayMs: 100, maxDelayMs: 200 });
    await addCompanies(world, companies);
    await world.run();
    await world.sql(`update company set about = 'changed'`);
    world.requests();
    world.settings.retry.runForMs = runForMs;
    return world;
  }

  /** The first requests get this verdict, the others none of ours. */
  const first = (world: World, times: number, verdict: object): void => {
    let left = times;
    world.intercept = () => (left-- > 0 ? verdict : undefined);
  };

  test.each([
    ['a connection that is reset', 1, { drop: 'before' }],
    ['a platform that answers 503 twice', 2, DOWN],
  ])('%s delays the only changed record, and the run that found it sends it', async (_, times, verdict) => {
    const world = await patientWorld(1);
    first(world, times, verdict);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { companies: { sent: 1, accepted: 1, rejected: 0, deferred: 0, pending: 0, error: null } },
    });
    expect(world.requests()).toHaveLength(times + 1);
    expect(await world.explain('companies', 'c01')).toMatchObject({ status: 'synced', attempts: 0 });
    expect(world.events.filter(({ type }) => type === 'area-stopped')).toEqual([]);
    expect((await world.state.areaStates.read('jobs'))?.stop).toBeNull();
  });

  test('an outage that stops the area ends within the run: one request tries it, and the rest follows', async () => {
    const world = await patientWorld(6);
    Object.assign(world.settings.retry, { breakerAfter: 3, maxAttempts: 2 });
    world.settings.jobs.concurrency = 1;
    first(world, 4, DOWN);
    expect(await world.run()).toMatchObject({
      exitCode: 0,
      outcome: 'complete',
      entities: { companies: { sent: 6, accepted: 6, rejected: 0, deferred: 0, error: null } },
    });
    // Three until it stopped, one that tried it, then all.
    expect(world.requests()).toHaveLength(10);
    expect((await world.state.areaStates.read('jobs'))?.stop).toBeNull();
  });

  test.each([
    ['stopped the area', 2],
    ['stopped it only at the end', 10],
  ])(
    'a platform that stays away ends the run once runFor is over (failures that %s)',
    async (_, breakerAfter) => {
      const world = await patientWorld(2, 1_000);
      Object.assign(world.settings.retry, { breakerAfter, maxAttempts: 2 });
      world.intercept = () => DOWN;
      const began = performance.now();
      expect(await world.run()).toMatchObject({
        exitCode: 5,
        outcome: 'aborted',
        entities: {
          companies: {
            ...{ sent: 2, accepted: 0, rejected: 0, deferred: 2, pending: 0 },
            error: { code: 'breaker-open' },
          },
        },
      });
      expect(performance.now() - began).toBeGreaterThan(1_000);
      expect(world.requests().length).toBeGreaterThan(2);
      expect(
        await world.sql(
          'select max(attempts) as most, count(refused_hash) as refused from placement_sync.sync_state',
        ),
      ).toEqual([{ most: 0, refused: '0' }]);
    },
  );

  // On a busy machine the answers of the others are noted after its first failure; then that counts twice, rightly.
  test(
    'a record that fails after others is tried again, and counts once while nothing else is answered',
    { retry: 3 },
    async () => {
      const world = await patientWorld(3, 2_000);
      Object.assign(world.settings.retry, { maxAttempts: 2, breakerAfter: 3 });
      world.settings.jobs.concurrency = 1;
      const fails = { times: Infinity };
      // Not with 503: beside others that pass it asks to slow down.
      world.intercept = ({ body }) =>
        (body as { name: string }).name === 'Company 3' && fails.times-- > 0
          ? { ...DOWN, status: 500 }
          : undefined;
      expect(await world.run()).toMatchObject({
        exitCode: 0,
        outcome: 'partial',
        entities: { companies: { sent: 3, accepted: 2, rejected: 0, deferred: 1, pending: 0 } },
      });
      expect(world.requests().length).toBeGreaterThan(5);
      expect(await world.explain('companies', 'c03')).toMatchObject({ attempts: 1 });
      // Two of them, then it is taken.
      Object.assign(world.settings.retry, { maxAttempts: 10 });
      await world.sql(`update company set about = 'again'`);
      fails.times = 2;
      expect(await world.run()).toMatchObject({
        exitCode: 0,
        outcome: 'complete',
        entities: { companies: { sent: 3, accepted: 3, deferred: 0 } },
      });
    },
  );

  test.each([
    ['ends a run that does not try again', 0],
    ['ends with the time for trying again', 1_000],
  ])('a record that is due again at once and always fails %s', async (_, runForMs) => {
    const world = await patientWorld(3, runForMs);
    Object.assign(world.settings.retry, { baseDelayMs: 1, maxDelayMs: 1, breakerAfter: 5, maxAttempts: 100 });
    world.intercept = ({ body }) => ((body as { name: string }).name === 'Company 3' ? DOWN : undefined);
    const report = await world.run();
    expect(report.entities.companies).toMatchObject({ accepted: 2, rejected: 0, deferred: 1, pending: 0 });
    expect([0, 5]).toContain(report.exitCode);
  });

  test('nothing prolongs a run in which nothing is deferred, which is over for another reason, or has a time of its own', async () => {
    const world = await patientWorld(1, 60_000);
    const took = async (options: Parameters<World['run']>[0], report: object) => {
      const began = performance.now();
      expect(await world.run(options)).toMatchObject(report);
      expect(performance.now() - began).toBeLessThan(20_000);
    };
    world.settings.retry.baseDelayMs = 30_000;
    world.settings.retry.maxDelayMs = 30_000;
    await took({}, { exitCode: 0, outcome: 'complete' });
    await world.sql(`update company set about = 'more'`);
    world.intercept = () => ({ status: 401, body: { message: 'who?' } });
    await took({}, { exitCode: 5, entities: { companies: { error: { code: 'authentication-refused' } } } });
    world.intercept = () => DOWN;
    await took({ pushUntil: new AbortController().signal }, { exitCode: 5 });
    // A signal ends the wait.
    const stopping = new AbortController();
    const onEvent = ({ type }: { type: string }) => type === 'area-retry' && stopping.abort();
    await took({ signal: stopping.signal, onEvent }, { exitCode: 1, outcome: 'aborted' });
    // What listens there is no web server, and stays none.
    const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    world.settings.jobs.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await world.adopt('keep');
    await world.sql(`update company set about = 'once more'`);
    await took({}, { exitCode: 5, entities: { companies: { error: { code: 'breaker-open' } } } });
  });
});
