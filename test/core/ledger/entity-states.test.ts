import { describe, expect, test } from 'vitest';
import type { Hold, PushHold } from '../../../src/core/domain/guard.js';
import { entity } from '../../../src/core/entities/index.js';
import type { PlatformEnvironment } from '../../../src/core/ledger/entity-states.js';
import {
  accepted,
  hashOf,
  idOf,
  NEVER,
  only,
  openTestState,
  refused,
  says,
  type TestState,
  TIMEOUT_MS,
  wants,
} from './open-test-state.js';

describe('entity states', () => {
  const HOLD: Hold = {
    guard: 'max-vanished-count',
    message: 'many',
    counts: { vanished: 7, invalid: 1 },
    sampleKeys: ['a'],
    since: '2026-01-01T00:00:00.000Z',
  };
  const PUSH_HOLD: PushHold = {
    guard: 'max-rejected-in-a-row',
    message: 'all',
    refused: 1,
    sampleKeys: ['a'],
    since: '2026-01-01T00:00:00.000Z',
  };

  async function withRefusedRecord() {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    const outcomes = (await state.claim()).map(refused);
    await state.queue.record({
      fence: state.push,
      outcomes,
      tallies: [{ entity: 'companies', fingerprint: 'f1', refusedInARow: 1, acceptedOnce: false }],
      timeoutMs: () => 1,
    });
    await state.entityStates.holdPush(state.push, 'companies', PUSH_HOLD);
    return state;
  }

  test('an entity that no sweep has seen is known as nothing', async () => {
    const { entityStates } = await openTestState();
    expect(await entityStates.read('vacancies')).toMatchObject({
      fingerprint: null,
      hold: null,
      lastSuccessAt: null,
      fullSweepRequested: false,
    });
  });

  test('an approval stores the counts of the hold, outlasts a sweep it does not cover, and is used up by a publication', async () => {
    const state = await openTestState();
    await state.entityStates.hold(state.sweep, 'companies', HOLD);
    expect(await state.approve('companies')).toMatchObject({
      sweep: HOLD,
      push: null,
      rearmed: 0,
    });
    expect(await state.entityStates.read('companies')).toMatchObject({ approval: HOLD.counts, hold: HOLD });
    await state.entityStates.hold(state.sweep, 'companies', { ...HOLD, counts: { vanished: 9, invalid: 0 } });
    expect(await state.entityStates.read('companies')).toMatchObject({
      approval: HOLD.counts,
      hold: { counts: { vanished: 9 } },
    });
    await state.approve('companies');
    await state.publish('companies');
    expect(await state.entityStates.read('companies')).toMatchObject({ approval: null, hold: null });
  });

  test('an approval is for what was seen: a sweep that found more meanwhile stays held', async () => {
    const state = await openTestState();
    const approval = async () => (await state.entityStates.read('companies')).approval;
    const { counts } = HOLD;
    await state.entityStates.hold(state.sweep, 'companies', HOLD);
    for (const seen of [
      { ...counts, vanished: counts.vanished - 1 },
      { ...counts, invalid: counts.invalid - 1 },
    ]) {
      const result = await state.approve('companies', seen);
      expect(result).toEqual({ sweep: null, push: null, rearmed: 0, grown: true });
      expect(await approval()).toBeNull();
    }
    const more = { vanished: counts.vanished + 1, invalid: counts.invalid };
    expect(await state.approve('companies', more)).toMatchObject({ sweep: HOLD, grown: false });
    expect(await approval(), 'no more than what is held').toEqual(counts);
  });

  test('the source is stored with a publication, stays where one says nothing of it, and a hold stores none', async () => {
    const state = await openTestState();
    const source = (system: string) =>
      ({
        origin: { system, database: 'hr', databaseOid: '5', tables: ['hr.company'] },
        replica: { lagMs: 20 },
      }) as const;
    const publish = (stamp: { source?: ReturnType<typeof source> }) =>
      state.staging.publish(state.sweep, 'companies', {
        renamings: [],
        expected: 0,
        stamp: { fingerprint: 'f1', full: true, startedAt: '-infinity', ...stamp },
        signal: NEVER,
      });
    const stored = async () => (await state.entityStates.read('companies')).source;
    await publish({});
    expect(await stored()).toBeNull();
    await publish({ source: source('7') });
    await publish({});
    await state.entityStates.hold(state.sweep, 'companies', {
      ...HOLD,
      counts: { ...HOLD.counts, source: '8/5/hr' },
    });
    expect(await stored()).toEqual(source('7'));
    const seen = await state.approve('companies', HOLD.counts);
    expect(seen, 'the source was not shown').toMatchObject({ sweep: null, grown: true });
    expect(await state.approve('companies', { ...HOLD.counts, source: '8/5/hr' })).toMatchObject({
      grown: false,
    });
    await publish({ source: source('8') });
    expect(await stored()).toEqual(source('8'));
  });

  test('an approval ends a stopped push, and what was refused is pending again', async () => {
    const state = await withRefusedRecord();
    expect(await state.approve('companies')).toMatchObject({
      sweep: null,
      push: PUSH_HOLD,
      rearmed: 1,
    });
    expect(await state.entityStates.read('companies')).toMatchObject({ pushHold: null, refusedInARow: 0 });
    expect(await state.claim()).toHaveLength(1);
  });

  test('an approval of a stopped push leaves an older approval of the sweep as it is', async () => {
    const state = await withRefusedRecord();
    await state.entityStates.hold(state.sweep, 'companies', HOLD);
    await state.approve('companies');
    await state.sql('update placement_sync.entity_state set hold = null');
    await state.entityStates.holdPush(state.push, 'companies', PUSH_HOLD);
    expect(await state.approve('companies')).toMatchObject({ sweep: null, push: PUSH_HOLD });
    expect(await state.entityStates.read('companies')).toMatchObject({
      approval: HOLD.counts,
      pushHold: null,
    });
  });

  test('a stopped push outlasts sweeps under the same mapping and ends with another one', async () => {
    const state = await withRefusedRecord();
    await state.publish('companies');
    expect((await state.entityStates.read('companies')).pushHold).toEqual(PUSH_HOLD);
    await state.staging.publish(state.sweep, 'companies', {
      renamings: [],
      expected: 0,
      stamp: { fingerprint: 'f2', full: true, startedAt: '2000-01-01' },
      signal: NEVER,
    });
    expect(await state.entityStates.read('companies')).toMatchObject({
      pushHold: null,
      refusedInARow: 0,
      fingerprint: 'f2',
    });
    expect(await state.claim()).toHaveLength(1);
  });

  test('a full sweep asked for during a sweep is not forgotten by it', async () => {
    const state = await openTestState();
    await state.publish('companies');
    const { readAt } = await state.entityStates.read('companies');
    await state.entityStates.requestFullSweep('companies');
    const publish = (startedAt: string) =>
      state.staging.publish(state.sweep, 'companies', {
        renamings: [],
        expected: 0,
        stamp: { fingerprint: 'f1', full: true, startedAt },
        signal: NEVER,
      });
    await publish(readAt);
    const after = await state.entityStates.read('companies');
    expect(after.fullSweepRequested).toBe(true);
    await publish(after.readAt);
    expect((await state.entityStates.read('companies')).fullSweepRequested).toBe(false);
  });

  test('a success is dated by the sweep that it belongs to', async () => {
    const state = await openTestState();
    await state.publish('companies');
    await state.entityStates.noteSuccess('companies');
    const { lastSuccessAt, lastSweepAt } = await state.entityStates.read('companies');
    expect(lastSuccessAt).toEqual(lastSweepAt);
    expect(lastSuccessAt).toBeInstanceOf(Date);
  });

  /** Notes a doubt that began so many seconds ago. */
  const doubtSince = (state: TestState, seconds: number) =>
    state.sql(`update placement_sync.entity_state set in_doubt_since = now() - $1 * interval '1 second'`, [
      seconds,
    ]);

  test('a doubt ends when what was compared since began late enough', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    await doubtSince(state, 60);
    const { readAt } = await state.entityStates.read('companies');
    expect(await state.entityStates.endDoubt('companies', readAt, 61_000)).toBe(false);
    expect((await state.entityStates.read('companies')).inDoubtSince).toBeInstanceOf(Date);
    expect(await state.entityStates.endDoubt('companies', readAt, 59_000)).toBe(true);
    expect((await state.entityStates.read('companies')).inDoubtSince).toBeNull();
  });

  test('of an entity in doubt nothing is believed of what is not settled, and open claims end', async () => {
    const state = await openTestState();
    const keys = ['a', 'b', 'c', 'd'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.acceptAll();
    await state.publish(
      'companies',
      says('invalid', 'b'),
      says('vanished', 'c'),
      wants('d', '2', null, 'changed'),
    );
    const claim = only(await state.claim());
    await state.entityStates.distrust('companies', TIMEOUT_MS);
    const rows = await Promise.all(keys.map((key) => state.row(key)));
    expect(rows.map((row) => row?.acknowledged_hash)).toEqual([hashOf('1'), null, null, null]);
    await state.record(accepted(claim));
    expect(await state.row('d')).toMatchObject({
      acknowledged_hash: null,
      claim_token: null,
      confirm_at: expect.any(Date) as Date,
    });
  });

  test('distrust reaches every record, also when they are more than one batch', async () => {
    const state = await openTestState();
    await state.sql(
      `insert into placement_sync.sync_state (entity, key, platform_id, desired_hash, acknowledged_hash, acknowledged_at, invalid_reason)
     select 'companies', 'k' || n, gen_random_uuid(), 'v1:a', 'v1:a', now(), '[]' from generate_series(1, 5003) n`,
    );
    await state.entityStates.distrust('companies', TIMEOUT_MS);
    const believed = 'select 1 from placement_sync.sync_state where acknowledged_hash is not null';
    expect(await state.sql(believed)).toEqual([]);
  });
});

describe('environments', () => {
  const JOBS: PlatformEnvironment = {
    area: 'jobs',
    baseUrl: 'https://one.example',
    clientId: 'a',
    namespace: idOf('n'),
  };
  const OTHER: PlatformEnvironment = { ...JOBS, baseUrl: 'https://two.example' };

  test('an area is added once; adding does not change it', async () => {
    const { environments } = await openTestState();
    await environments.add([JOBS]);
    await environments.add([OTHER]);
    expect(await environments.read()).toEqual([JOBS]);
  });

  test('keeping changes the address and nothing of the records', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'));
    await state.acceptAll();
    const before = await state.row('a');
    await state.environments.add([JOBS]);
    await state.adoptions.keep(state.push, [OTHER]);
    expect(await state.environments.read()).toEqual([OTHER]);
    expect(await state.row('a')).toEqual(before);
  });

  test('resetting forgets what the old platform held, of the named entities only', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('a', '1'), wants('gone', '1'));
    await state.publish('institutions', wants('i', '1'));
    await state.acceptAll();
    await state.acceptAll('institutions');
    await state.publish('companies', says('vanished', 'gone'));
    await state.environments.add([JOBS]);
    expect(await state.adoptions.reset(state.push, [OTHER], [entity('companies'), entity('vacancies')])).toBe(
      1,
    );
    expect(await state.row('gone')).toBeUndefined();
    expect(await state.row('a')).toMatchObject({
      reference: null,
      remote_id: null,
      acknowledged_hash: null,
      acknowledged_at: null,
      attempted_at: null,
    });
    expect(await state.row('i', 'institutions')).toMatchObject({ reference: 'ref-i' });
    expect((await state.entityStates.read('companies')).fingerprint).toBeNull();
    expect(await state.claim()).toHaveLength(1);
  });

  test('resetting under another namespace forgets the records, because their ids are no longer valid', async () => {
    const state = await openTestState();
    await state.environments.add([JOBS]);
    await state.publish('companies', wants('a', '1'));
    await state.publish('institutions', wants('i', '1'));
    await state.acceptAll();
    const renamed = { ...OTHER, namespace: idOf('m') };
    expect(
      await state.adoptions.reset(state.push, [renamed], [entity('companies'), entity('vacancies')]),
    ).toBe(0);
    expect(await state.row('a')).toBeUndefined();
    expect(await state.row('i', 'institutions')).toBeDefined();
    expect(await state.environments.read()).toEqual([renamed]);
  });
});

describe('forget acknowledgements', () => {
  /** What the source says of a record: it is the same for every platform. */
  const OF_THE_SOURCE = [
    ...[
      'entity',
      'key',
      'platform_id',
      'parent_platform_id',
      'row_version',
      'desired_hash',
      'desired_payload',
    ],
    ...['invalid_reason', 'vanished_at', 'expired', 'desired_at', 'noted'],
  ];

  interface ColumnType {
    readonly name: string;
    readonly type: string;
    readonly generated: boolean;
  }

  /** A value of a type that no column has by itself. */
  const VALUES: Readonly<Record<string, unknown>> = {
    text: 'x',
    uuid: '0190a000-0000-7000-8000-000000000001',
    'uuid[]': ['0190a000-0000-7000-8000-000000000001'],
    bigint: 7,
    integer: 7,
    smallint: 7,
    boolean: true,
    jsonb: '{"a":1}',
    'timestamp with time zone': '2026-01-02T03:04:05Z',
  };

  test('every column of the ledger is either of the source, or cleared for another platform', async () => {
    const state = await openTestState();
    await state.publish('companies', wants('fresh', '1'), wants('a', '1'));
    const columns = await state.sql<ColumnType & Record<string, unknown>>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attgenerated <> '' as generated
     from pg_attribute where attrelid = 'placement_sync.sync_state'::regclass and attnum > 0 and not attisdropped`,
    );
    const filled = columns.filter(({ name, generated }) => !generated && !OF_THE_SOURCE.includes(name));
    for (const { name, type } of filled) {
      expect(VALUES, `this test needs a value for ${name}`).toHaveProperty([type]);
      await state.sql(`update placement_sync.sync_state set ${name} = $1::${type} where key = 'a'`, [
        VALUES[type],
      ]);
    }
    const before = await state.row('a');
    const fresh = await state.row('fresh');
    const other = {
      area: 'jobs',
      baseUrl: 'https://two.example',
      clientId: 'a',
      namespace: idOf('n'),
    } as const;
    await state.environments.add([{ ...other, baseUrl: 'https://one.example' }]);
    expect(await state.adoptions.reset(state.push, [other], [entity('companies')])).toBe(2);
    const after = await state.row('a');
    for (const { name } of filled) {
      expect(before?.[name], `${name} was filled`).not.toEqual(fresh?.[name]);
      expect(
        after?.[name],
        `${name}: clear it in forget-acknowledgements.ts, or list it here as of the source`,
      ).toEqual(fresh?.[name]);
    }
    for (const name of OF_THE_SOURCE) expect(after?.[name]).toEqual(before?.[name]);
  });
});
