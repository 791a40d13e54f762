import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { SyncEvent } from '../../../src/core/domain/events.js';
import type { Notice } from '../../../src/features/notices/next-memory.js';
import type { NoticeDelivery, Notifier } from '../../../src/features/notices/notifier.js';
import type { State } from '../../../src/features/create-state.js';
import { createAreaWatch } from '../../../src/features/notices/area-watch.js';
import { createNotices } from '../../../src/features/notices/send-notices.js';
import { deferred, openTestState, wants } from '../../core/ledger/open-test-state.js';
import { fakeClock } from '../../fake-time.js';

const NEVER = new AbortController().signal;
const FAILED: NoticeDelivery = { kind: 'failed', inDoubt: false, reason: 'it is away.', hint: 'Fetch it.' };

function keepingNotifier(deliveries: NoticeDelivery[] = []): Notifier & { readonly told: Notice[] } {
  const told: Notice[] = [];
  return {
    way: 'url',
    receiver: 'receiver.example',
    told,
    deliver: (notice) => {
      told.push(notice);
      return Promise.resolve(deliveries.shift() ?? { kind: 'delivered', detail: '' });
    },
  };
}

function noticesOf(
  state: Pick<State, 'notices' | 'entityStates' | 'runs' | 'records' | 'inbox'>,
  notifier: Notifier,
  now = 0,
) {
  const events: SyncEvent[] = [];
  const notices = createNotices({
    state,
    notifiers: [notifier],
    watch: createAreaWatch({ now: () => 0 }),
    entities: (['companies', 'vacancies'] as const).map((name) => ({
      name,
      onVanished: 'report',
      closedStatus: '',
    })),
    areas: ['jobs'],
    on: ['held', 'stale', 'taken-down', 'rejected', 'invalid', 'waiting', 'recovered'],
    staleAfterMs: 3_600_000,
    worker: 'host pid 1',
    byWorker: true,
    clock: fakeClock(
      () => now,
      () => 0,
    ),
    emit: (event) => events.push(event),
    newId: randomUUID,
  });
  return { ...notices, events };
}

async function heldState() {
  const state = await openTestState();
  await state.entityStates.hold(state.sweep, 'companies', {
    guard: 'empty-source',
    message: 'The source has no rows.',
    counts: { vanished: 1, invalid: 0 },
    sampleKeys: [],
    since: '2026-01-01T00:00:00.000Z',
  });
  return state;
}

test('processes that look at the same time tell once between them', async () => {
  const state = await heldState();
  const notifier = keepingNotifier();
  const looking = Array.from({ length: 4 }, () => noticesOf(state, notifier));
  await Promise.all(looking.map((notices) => notices.look(NEVER)));
  await looking[0]?.look(NEVER);
  expect(notifier.told).toMatchObject([
    { notice: 'held', subject: { entity: 'companies' }, worker: 'host pid 1' },
  ]);
  expect(looking.flatMap(({ events }) => events)).toEqual([
    {
      type: 'notice-sent',
      way: 'url',
      receiver: 'receiver.example',
      title: 'placement-sync: companies is held',
    },
  ]);
});

test('what fails is tried three times under one id, and then warned of once', async () => {
  const notifier = keepingNotifier([FAILED, FAILED, FAILED]);
  const notices = noticesOf(await heldState(), notifier);
  await notices.look(NEVER);
  await notices.look(NEVER);
  expect(new Set(notifier.told.map(({ id }) => id)).size).toBe(1);
  expect(notifier.told).toHaveLength(3);
  expect(notices.events).toEqual([
    {
      type: 'warning',
      message: 'A notice did not reach notify.url (receiver.example): it is away. It is tried again later.',
      hint: 'Fetch it. Test it with: placement-sync notify test',
    },
  ]);
});

test('what the platform took down is told once with its numbers and the command, and that it is over', async () => {
  const state = await openTestState();
  for (const key of ['a', 'b', 'c']) await state.publish('companies', wants(key, key));
  await state.sql(
    `update placement_sync.sync_state set acknowledged_hash = desired_hash, acknowledged_at = now(),
       refused_hash = desired_hash, platform_state_at = '2025-12-31T12:00:00Z',
       platform_state = case key when 'a' then 'refused' else 'removed' end, platform_word = 'a word of theirs'`,
  );
  const notifier = keepingNotifier();
  const notices = noticesOf(state, notifier);
  await notices.look(NEVER);
  await notices.look(NEVER);
  expect(notifier.told).toMatchObject([
    {
      notice: 'taken-down',
      subject: { entity: 'companies' },
      since: '2025-12-31T12:00:00.000Z',
      reason: expect.stringContaining('shows 1 as refused and 2 as removed') as string,
      help: expect.stringContaining('placement-sync retry --removed --entity companies') as string,
    },
  ]);
  expect(JSON.stringify(notifier.told)).not.toContain('a word of theirs');
  await state.sql('update placement_sync.sync_state set platform_state = null, refused_hash = null');
  await notices.look(NEVER);
  expect(notifier.told[1]).toMatchObject({ notice: 'recovered', was: 'taken-down' });
});

test('rejections in masses are told once with their number and status, and that they are over', async () => {
  const state = await openTestState();
  const refuse = (among: string) =>
    state.sql(
      `update placement_sync.sync_state set refused_hash = desired_hash, last_status_code = 422,
         last_error = 'a word of theirs' where ${among}`,
    );
  for (let key = 0; key < 40; key++) await state.publish('companies', wants(`c${key}`, String(key)));
  const notifier = keepingNotifier();
  const notices = noticesOf(state, notifier);
  await refuse(`key = 'c1'`);
  await notices.look(NEVER);
  expect(notifier.told, 'one of 40 is for status').toEqual([]);
  await refuse(`key < 'c2'`);
  await notices.look(NEVER);
  await notices.look(NEVER);
  expect(notifier.told).toMatchObject([
    {
      notice: 'rejected',
      subject: { entity: 'companies' },
      reason: expect.stringContaining('rejects 12 of 40 records, most of them with HTTP 422') as string,
      help: expect.stringContaining('placement-sync retry --entity companies') as string,
    },
  ]);
  expect(JSON.stringify(notifier.told)).not.toContain('a word of theirs');
  await state.sql('update placement_sync.sync_state set refused_hash = null');
  await notices.look(NEVER);
  expect(notifier.told[1]).toMatchObject({ notice: 'recovered', was: 'rejected' });
});

test('invalid and waiting records in masses are told once with their number, and that they are over', async () => {
  const state = await openTestState();
  for (let key = 0; key < 40; key++) {
    await state.publish('companies', wants(`c${key}`, String(key)));
    await state.publish('vacancies', wants(`v${key}`, String(key)));
  }
  const spoil = (among: string) =>
    state.sql(
      `update placement_sync.sync_state set invalid_reason = '[{"field":"name","code":"required","message":"x"}]' where ${among}`,
    );
  await state.sql(`update placement_sync.sync_state set acknowledged_hash = desired_hash, reference = key`);
  const notifier = keepingNotifier();
  const notices = noticesOf(state, notifier);
  await spoil(`key = 'c1'`);
  await notices.look(NEVER);
  expect(notifier.told, 'one of 40 is for status').toEqual([]);
  await spoil(`entity = 'companies' and key < 'c2'`);
  await state.sql(
    `update placement_sync.sync_state set acknowledged_hash = null, parent_platform_id = gen_random_uuid() where key < 'v3' and entity = 'vacancies'`,
  );
  await notices.look(NEVER);
  await notices.look(NEVER);
  expect(notifier.told.toSorted((one, other) => one.notice.localeCompare(other.notice))).toMatchObject([
    {
      notice: 'invalid',
      subject: { entity: 'companies' },
      reason: expect.stringContaining('12 of 40 records.') as string,
    },
    {
      notice: 'waiting',
      subject: { entity: 'vacancies' },
      reason: expect.stringContaining('23 of 40 records.') as string,
    },
  ]);
  await state.sql(
    'update placement_sync.sync_state set invalid_reason = null, acknowledged_hash = desired_hash',
  );
  await notices.look(NEVER);
  expect(
    notifier.told
      .slice(2)
      .map(({ notice, was }) => `${notice} ${was}`)
      .toSorted(),
  ).toEqual(['recovered invalid', 'recovered waiting']);
});

test('nothing is told when the process is ending', async () => {
  const notifier = keepingNotifier();
  const notices = noticesOf(await heldState(), notifier);
  await notices.look(AbortSignal.abort());
  expect([notifier.told, notices.events]).toEqual([[], []]);
});

test('a state database that is gone is a warning, and nothing is thrown', async () => {
  const state = await heldState();
  const gone = new SyncError('state-unavailable', 'The state database is away.', {
    scope: 'run',
    hint: 'Start it.',
  });
  const broken = { ...state, notices: { ...state.notices, revise: () => Promise.reject(gone) } };
  const notices = noticesOf(broken, keepingNotifier());
  await notices.look(NEVER);
  expect(notices.events).toEqual([
    {
      type: 'warning',
      message: 'Notices could not be checked: The state database is away.',
      hint: 'Start it.',
    },
  ]);
});

test('a stale entity with deferred records is reported with the status of the last failure, and nothing that the platform said', async () => {
  const state = await openTestState();
  await state.publish('companies', wants('a', '1'));
  const [claim] = await state.claim('companies');
  await state.record(
    Object.assign(deferred(claim!), { statusCode: 503, error: 'HTTP 503: words of the platform' }),
  );
  await state.sql(
    `update placement_sync.entity_state set last_sweep_at = now(), last_success_at = now() - interval '2 hours'`,
  );
  const notifier = keepingNotifier();
  await noticesOf(state, notifier, Date.now()).look(NEVER);
  expect(notifier.told).toMatchObject([{ notice: 'stale' }]);
  expect(notifier.told[0]?.reason).toMatch(/Records are deferred; the oldest .*was answered with HTTP 503\./);
  expect(JSON.stringify(notifier.told)).not.toContain('words of');
});
