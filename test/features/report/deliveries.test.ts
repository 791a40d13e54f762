import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/core/domain/delivery.js';
import type { Claim, Outcome } from '../../../src/core/ledger/queue/types.js';
import {
  accepted,
  deferred,
  handedBack,
  idOf,
  only,
  openTestState,
  otherToken,
  refused,
  says,
  TAKING_OVER,
  TIMEOUT_MS,
  wants,
  type TestState,
} from '../../core/ledger/open-test-state.js';

const RUN = '0190a000-0000-7000-8000-000000000001';
const OTHER = '0190a000-0000-7000-8000-000000000002';

const timeline = (state: TestState, key: string, entity = 'companies'): Promise<readonly Delivery[]> =>
  state.deliveries.timeline(entity, idOf(key), 100);

const refusedWith = (claim: Claim, error: string) => ({ ...refused(claim), error }) as Outcome;

/** The journal's rows, the oldest first, as stored. */
const journal = (state: TestState) =>
  state.sql('select * from placement_sync.delivery order by answered_at, key');

test('each finished request is one row, written with its outcome', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
  const [a, b, c] = (await state.claim()) as [Claim, Claim, Claim];
  await state.queue.record({
    fence: state.push,
    outcomes: [accepted(a), refusedWith(b, 'HTTP 422: name is too short'), deferred(c)],
    tallies: [],
    timeoutMs: () => TIMEOUT_MS,
    runId: RUN,
  });
  const [row] = await journal(state);
  expect(row).toMatchObject({
    entity: 'companies',
    key: 'a',
    platform_id: idOf('a'),
    parent_platform_id: null,
    kind: 'new',
    operation: 'putCompany',
    request_id: a.requestId,
    payload_hash: a.hash,
    run_id: RUN,
    status_code: 200,
    outcome: 'accepted',
    reason: null,
  });
  expect(Number(row?.answered_at)).toBeGreaterThanOrEqual(Number(row?.claimed_at));
  expect(only(await timeline(state, 'b'))).toMatchObject({
    outcome: 'rejected',
    statusCode: 422,
    reason: 'HTTP 422: name is too short',
  });
  expect(only(await timeline(state, 'c'))).toMatchObject({ outcome: 'deferred', statusCode: 500 });
  await state.publish('companies', wants('a', '2', null, 'changed'));
  await state.acceptAll();
  expect((await timeline(state, 'a')).map(({ kind, runId }) => [kind, runId])).toEqual([
    ['new', RUN],
    ['update', null],
  ]);
});

test('outcomes that cannot be written leave no row: both are one transaction', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await expect(state.record(accepted(claim, 'a\0b'))).rejects.toMatchObject({ code: 'state-failed' });
  expect(await journal(state)).toEqual([]);
  await state.record(accepted(claim));
  expect(await journal(state)).toHaveLength(1);
});

test('a claim that was handed back unsent was no request; one that was answered was', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.record(handedBack(only(await state.claim())));
  expect(await journal(state)).toEqual([]);
  const claim = only(await state.claim());
  const { sent } = accepted(claim) as { sent: object };
  await state.record({
    ...handedBack(claim),
    ...{ sent },
    reply: { statusCode: 401, error: 'HTTP 401' },
  } as ReturnType<typeof handedBack>);
  expect(only(await timeline(state, 'a'))).toMatchObject({ outcome: 'handed-back', statusCode: 401 });
});

test('a payload that says closed is a closing, one that is absent a deletion', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  const child = wants('v', '1', 'p');
  await state.publish('vacancies', { ...child, desiredPayload: { status: 'closed' } });
  await state.acceptAll('vacancies');
  await state.publish('vacancies', {
    ...says('vanished', 'v'),
    desiredHash: 'v1:absent',
  });
  await state.acceptAll('vacancies');
  expect(
    (await timeline(state, 'v', 'vacancies')).map(({ kind, operation, parentPlatformId }) => ({
      kind,
      operation,
      parentPlatformId,
    })),
  ).toEqual([
    { kind: 'close', operation: 'putVacancy', parentPlatformId: idOf('p') },
    { kind: 'delete', operation: 'deleteVacancy', parentPlatformId: expect.anything() as unknown },
  ]);
});

test('a take-over notes the requests of a dead process as unknown, with their own Request-Ids', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  expect(await state.queue.takeOver(state.push, null, TAKING_OVER)).toBe(1);
  expect(only(await timeline(state, 'a'))).toMatchObject({
    requestId: claim.requestId,
    payloadHash: claim.hash,
    outcome: 'unknown',
    statusCode: null,
    kind: 'new',
    operation: 'putCompany',
    claimedAt: new Date(claim.claimedAt),
  });
});

test('what a dead process was closing, changing or deleting is noted as that', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', '1'));
  await state.acceptAll();
  const [closing, changing, deleting] = ['c', 'd', 'e'].map((key) => wants(key, '1', 'p')) as [
    ReturnType<typeof wants>,
    ReturnType<typeof wants>,
    ReturnType<typeof wants>,
  ];
  await state.publish('vacancies', closing, changing, deleting);
  await state.acceptAll('vacancies');
  await state.publish(
    'vacancies',
    { ...wants('c', '2', 'p', 'changed'), desiredPayload: { status: 'closed' } },
    { ...wants('d', '2', 'p', 'changed'), desiredPayload: { status: 'open' } },
    { ...says('vanished', 'e'), desiredHash: 'v1:absent' },
  );
  expect(await state.claim('vacancies')).toHaveLength(3);
  expect(await state.queue.takeOver(state.push, null, TAKING_OVER)).toBe(3);
  const kinds = (await journal(state)).filter(({ outcome }) => outcome === 'unknown');
  expect(kinds.map(({ key, kind, operation }) => [key, kind, operation])).toEqual([
    ['c', 'close', 'putVacancy'],
    ['d', 'update', 'putVacancy'],
    ['e', 'delete', 'deleteVacancy'],
  ]);
});

test('after a lost lease, what another process took over is not noted a second time', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const claim = only(await state.claim());
  await state.queue.takeOver(state.push, null, TAKING_OVER);
  await state.queue
    .record({
      fence: otherToken(state.push),
      outcomes: [accepted(claim)],
      tallies: [],
      timeoutMs: () => TIMEOUT_MS,
    })
    .catch(() => undefined);
  expect((await timeline(state, 'a')).map(({ outcome }) => outcome)).toEqual(['unknown']);
});

test('a resend request ends the claim, but its request is noted all the same', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const first = only(await state.claim());
  await state.resendRequests.resync('companies', ['a'], TIMEOUT_MS);
  const second = only(await state.claim());
  await state.record(accepted(first));
  await state.record(accepted(second));
  expect((await timeline(state, 'a')).map(({ requestId }) => requestId)).toEqual([
    first.requestId,
    second.requestId,
  ]);
});

test('the journal has no values: quoted ones, addresses, ids and numbers of a reason are left out', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const error = `phone "0812-555-0199" of budi@example.org (${RUN}) is taken, call 0812 555 0199 ${'x'.repeat(900)}`;
  await state.record(refusedWith(only(await state.claim()), error));
  const { reason } = only(await timeline(state, 'a'));
  expect(reason).toMatch(/^phone "…" of <email> \(<id>\) is taken, call <number> x+$/);
  expect(reason).toHaveLength(300);
});

test('of a status the journal has the application’s id and no words', async () => {
  const state = await openTestState();
  const id = '0190a000-0000-7000-8000-0000000000aa';
  await state.publish('application-statuses', { ...wants('x', '1'), key: id, platformId: id });
  await state.record(refusedWith(only(await state.claim('application-statuses')), 'Budi is not known'));
  await state.publish('application-statuses', {
    ...wants('x', '2', null, 'changed'),
    key: id,
    platformId: id,
  });
  await state.claim('application-statuses');
  await state.queue.takeOver(state.push, null, TAKING_OVER);
  const rows = await journal(state);
  expect(rows).toMatchObject([
    { key: id, outcome: 'rejected', reason: null },
    { key: id, outcome: 'unknown', reason: null },
  ]);
  expect(JSON.stringify(rows)).not.toContain('Budi');
  const days = { timeZone: 'UTC', entities: ['application-statuses'], from: '2020-01-01', to: '2099-01-01' };
  const { histories } = await state.deliveries.records(days, { companies: null, after: null, limit: 10 });
  expect(histories).toMatchObject([{ key: id, platformId: id, title: null, parent: null }]);
  expect(JSON.stringify(histories)).not.toContain('Budi');
});

test('of a status that was erased meanwhile the journal has nothing, although its reply came later', async () => {
  const state = await openTestState();
  await state.publish('application-statuses', wants('x', '1'), wants('y', '1'));
  const claims = await state.claim('application-statuses');
  await state.sql(`delete from placement_sync.sync_state where key = 'x'`);
  await state.record(...claims.map((claim) => accepted(claim)));
  expect((await journal(state)).map(({ outcome }) => outcome)).toEqual(['accepted']);
});

test('pruning deletes what is older than the retention, and nothing else', async () => {
  const state = await openTestState();
  await state.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'k' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(),
       now() - n * interval '1 minute', 'accepted' from generate_series(1, 12000) n`,
  );
  expect(await state.deliveries.prune(60 * 60_000)).toBe(12_000 - 59);
  const [left] = await state.sql('select count(*)::int as count from placement_sync.delivery');
  expect(left).toEqual({ count: 59 });
});

test('what the journal knows begins where it began, and after pruning where the deleted rows ended', async () => {
  const state = await openTestState();
  const [began] = await state.deliveries.gaps();
  expect(began).toEqual({ from: null, to: expect.any(Date) as Date });
  await state.sql(`update placement_sync.journal_gap set ends = now() - interval '400 days'`);
  const [start] = await state.deliveries.gaps();
  expect(await state.deliveries.prune(60 * 60_000)).toBe(0);
  expect(await state.deliveries.gaps(), 'nothing was deleted').toEqual([start]);
  await state.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'k' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(),
       date_trunc('hour', now()) - n * interval '1 day', 'accepted' from generate_series(0, 20) n`,
  );
  const [oldest] = await state.sql<{ at: Date }>(
    `select date_trunc('hour', now()) - interval '10 days' as at`,
  );
  // A gap of a restore that lies before the new beginning says nothing more.
  await state.sql(
    `insert into placement_sync.journal_gap values (now() - interval '15 days', now() - interval '14 days')`,
  );
  expect(await state.deliveries.gaps()).toHaveLength(2);
  expect(await state.deliveries.prune(9.5 * 86_400_000)).toBe(11);
  expect(await state.deliveries.gaps()).toEqual([{ from: null, to: oldest?.at }]);
});

test('the requests of a run are its own, or the worker’s until the next run began; page by page', async () => {
  const state = await openTestState();
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await state.publish('companies', ...keys.map((key) => wants(key, '1')));
  await state.runs.start({ runId: RUN, trigger: 'cron', holder: 'test' });
  const record = async (runId: string | null, limit: number) =>
    state.queue.record({
      fence: state.push,
      outcomes: (await state.claim('companies', { limit })).map((claim) =>
        claim.key === 'b' ? refused(claim) : accepted(claim),
      ),
      tallies: [],
      timeoutMs: () => TIMEOUT_MS,
      runId,
    });
  await record(RUN, 1);
  await record(null, 2);
  await state.runs.start({ runId: OTHER, trigger: 'cron', holder: 'test' });
  await record(null, 2);
  const all = { after: null, limit: 100, outcome: null };
  const keysOf = async (runId: string, options: Partial<typeof all> = {}) =>
    (await state.deliveries.ofRun(runId, { ...all, ...options })).deliveries.map(({ key }) => key).sort();
  expect(await keysOf(RUN)).toEqual(['a', 'b', 'c']);
  expect(await keysOf(OTHER)).toEqual(['d', 'e']);
  expect(await keysOf('0190a000-0000-7000-8000-0000000000ff')).toEqual([]);
  const rejected = await state.deliveries.ofRun(RUN, { ...all, outcome: 'rejected' });
  expect(rejected.deliveries.map(({ key }) => key)).toEqual(['b']);

  const seen: string[] = [];
  let after: Awaited<ReturnType<typeof state.deliveries.ofRun>>['next'] = null;
  do {
    const page = await state.deliveries.ofRun(RUN, { ...all, limit: 1, after });
    seen.push(...page.deliveries.map(({ key }) => key));
    after = page.next;
  } while (after !== null);
  expect(seen.sort()).toEqual(['a', 'b', 'c']);
});

test('the report counts requests by day of the zone, entity and parent', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', 'Company P'));
  await state.acceptAll();
  await state.publish('vacancies', wants('v', '1', 'p'), wants('w', '1', 'p'));
  const [v, w] = (await state.claim('vacancies')) as [Claim, Claim];
  await state.record(accepted(v), refused(w));
  // 23:30 UTC is the next day in Jakarta.
  await state.sql(`update placement_sync.delivery set answered_at = '2026-01-31T23:30:00Z'`);
  const days = { timeZone: 'Asia/Jakarta', entities: ['companies', 'vacancies'] };
  const report = (day: string, most: number) =>
    state.deliveries.report({ ...days, from: day, to: day }, most);
  expect(await report('2026-01-31', 10)).toEqual({ totals: [], rows: [] });
  const of = { day: '2026-02-01', closed: 0, deleted: 0, failed: 0, accepted: 1, created: 1 };
  const company = { ...of, entity: 'companies', rejected: 0 };
  const vacancies = { ...of, entity: 'vacancies', rejected: 1 };
  const totals = [
    { ...company, lines: 1 },
    { ...vacancies, lines: 1 },
  ];
  const parentId = idOf('p');
  expect(await report('2026-02-01', 10)).toEqual({
    totals,
    rows: [
      { ...company, parentId },
      { ...vacancies, parentId },
    ],
  });
  // However many parents there are, the totals are complete.
  expect(await report('2026-02-01', 1)).toEqual({ totals, rows: [{ ...company, parentId }] });
  expect(await state.deliveries.parents([idOf('p'), idOf('x')])).toEqual(
    new Map([[idOf('p'), { entity: 'companies', key: 'p', name: 'Company P' }]]),
  );
  await state.sql('delete from placement_sync.sync_state');
  expect((await state.deliveries.parents([idOf('p')])).get(idOf('p'))).toEqual({
    entity: 'companies',
    key: 'p',
    name: null,
  });
  const page = await state.deliveries.ofDays(
    { ...days, from: '2026-02-01', to: '2026-02-01' },
    { after: null, limit: 10 },
  );
  expect(page.deliveries).toHaveLength(3);
});

/** Rows of the journal, as the worker writes them; each is `[key, kind, time, outcome, parent]`. */
async function note(
  state: TestState,
  ...rows: readonly (readonly [key: string, kind: string, at: string, outcome?: string, parent?: string])[]
) {
  for (const [key, kind, at, outcome = 'accepted', parent = 'p'] of rows)
    await state.sql(
      `insert into placement_sync.delivery (entity, key, platform_id, parent_platform_id, kind, operation, request_id,
         claimed_at, answered_at, outcome)
       values ('vacancies', $1, $2, $3, $4, 'putVacancy', gen_random_uuid(), $5, $5, $6)`,
      [key, idOf(key), idOf(parent), kind, at, outcome],
    );
}

test('the report by record has the history of each record with requests on these days, until their end', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', 'PT Maju'), wants('q', 'CV 100%'));
  await state.acceptAll();
  await state.publish('vacancies', { ...wants('v', '1', 'p'), desiredPayload: { title: 'Nurse' } });
  await state.sql('delete from placement_sync.delivery');
  await note(
    state,
    ['v', 'new', '2025-12-01T10:00:00Z'],
    ['v', 'update', '2025-12-02T10:00:00Z'],
    ['v', 'update', '2025-12-03T10:00:00Z', 'deferred'],
    ['v', 'update', '2025-12-04T10:00:00Z'],
    // 23:30 UTC is the next day in Jakarta.
    ['v', 'close', '2026-01-09T23:30:00Z'],
    ['v', 'close', '2026-01-10T10:00:00Z'],
    ['v', 'update', '2026-01-11T10:00:00Z'],
    ['w', 'update', '2026-01-10T01:00:00Z', 'rejected', 'gone'],
    ['x', 'new', '2026-01-09T16:59:59Z'],
    ['y', 'state', '2026-01-10T03:00:00Z', 'seen'],
  );
  const days = { timeZone: 'Asia/Jakarta', entities: ['companies', 'vacancies'] };
  const all = { companies: null, after: null, limit: 10 };
  const on = (day: string) => state.deliveries.records({ ...days, from: day, to: day }, all);
  const { histories, next } = await on('2026-01-10');
  expect(next).toBeNull();
  const at = (time: string) => new Date(time);
  expect(histories).toEqual([
    {
      entity: 'vacancies',
      key: 'v',
      platformId: idOf('v'),
      title: 'Nurse',
      parent: { entity: 'companies', key: 'p', name: 'PT Maju' },
      accepted: [
        { kind: 'new', count: 1, first: at('2025-12-01T10:00:00Z'), last: at('2025-12-01T10:00:00Z') },
        { kind: 'update', count: 2, first: at('2025-12-02T10:00:00Z'), last: at('2025-12-04T10:00:00Z') },
        { kind: 'close', count: 2, first: at('2026-01-09T23:30:00Z'), last: at('2026-01-10T10:00:00Z') },
      ],
      lastAt: at('2026-01-10T10:00:00Z'),
      lastRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      lastOutcome: 'accepted',
    },
    expect.objectContaining({
      key: 'w',
      title: null,
      parent: null,
      accepted: [],
      lastOutcome: 'rejected',
    }),
  ]);
  expect((await on('2026-01-09')).histories.map(({ key }) => key)).toEqual(['x']);
  expect((await on('2026-01-11')).histories[0]?.accepted.at(-1)).toMatchObject({ kind: 'update', count: 1 });
  expect((await on('2026-01-12')).histories).toEqual([]);
});

test('of a company the report by record has what was last sent under it, found by name or key, also when it is gone', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('p', 'PT Maju'), wants('q', 'CV 100%_x'));
  await state.acceptAll();
  await state.sql(`update placement_sync.delivery set answered_at = '2026-01-01T00:00:00Z'`);
  await note(
    state,
    ['v1', 'new', '2026-01-10T01:00:00Z', 'accepted', 'p'],
    ['v2', 'new', '2026-01-10T02:00:00Z', 'accepted', 'p'],
    ['v2', 'update', '2026-01-10T03:00:00Z', 'accepted', 'q'],
    ['v3', 'new', '2026-01-10T04:00:00Z', 'accepted', 'q'],
    ['v3', 'update', '2026-01-10T05:00:00Z', 'accepted', 'p'],
    ['v3', 'update', '2026-01-10T06:00:00Z', 'accepted', 'p'],
  );
  const days = {
    timeZone: 'UTC',
    entities: ['companies', 'vacancies'],
    from: '2026-01-01',
    to: '2026-01-31',
  };
  const of = async (text: string) => {
    const companies = await state.deliveries.parentsOf(days, text);
    const { histories } = await state.deliveries.records(days, { companies, after: null, limit: 10 });
    return histories.map(({ key }) => key).sort();
  };
  expect(await of('maju')).toEqual(['p', 'v1', 'v3']);
  expect(await of('100%_')).toEqual(['q', 'v2']);
  expect(await of('0_x'), 'a sign of a pattern stands for itself').toEqual([]);
  expect(await of('nobody')).toEqual([]);
  await state.sql(`delete from placement_sync.sync_state where key = 'q'`);
  expect(await of('CV'), 'the ledger had its name').toEqual([]);
  expect(await of('q'), 'the journal has its key').toEqual(['q', 'v2']);
});

test('page by page each record is in the report by record once, also when it is sent meanwhile', async () => {
  const state = await openTestState();
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await note(state, ...keys.map((key) => [key, 'new', '2026-01-10T01:00:00Z'] as const));
  const days = { timeZone: 'UTC', entities: ['vacancies'], from: '2026-01-10', to: '2026-01-10' };
  const seen: string[] = [];
  let after: Awaited<ReturnType<typeof state.deliveries.records>>['next'] = null;
  do {
    const page = await state.deliveries.records(days, { companies: null, after, limit: 2 });
    seen.push(...page.histories.map(({ key }) => key));
    after = page.next;
    await note(state, ['a', 'update', '2026-01-10T02:00:00Z'], ['e', 'update', '2026-01-10T02:00:00Z']);
  } while (after !== null);
  expect(seen.sort()).toEqual(keys);
});

test('another platform’s acknowledgements are forgotten, but not what was sent to it', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  await state.acceptAll();
  const { entity } = await import('../../../src/core/entities/index.js');
  const place = {
    area: 'jobs',
    baseUrl: 'https://one.example',
    clientId: 'a',
    namespace: idOf('n'),
  } as const;
  await state.environments.add([place]);
  await state.adoptions.reset(
    state.push,
    [{ ...place, baseUrl: 'https://two.example' }],
    [entity('companies')],
  );
  expect(await timeline(state, 'a')).toHaveLength(1);
});
