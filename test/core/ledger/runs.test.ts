import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NOTHING_TOLD, type NoticeMemory } from '../../../src/features/notices/next-memory.js';
import { emptyReport } from '../../../src/core/entities/index.js';
import { whenWritten } from '../../postgres/test-database.js';
import {
  accepted,
  deferred,
  handedBack,
  openTestState,
  refused,
  type TestState,
  wants,
} from './open-test-state.js';

const ID = '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b11';
const OTHER = '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b12';
const BEGUN: NoticeMemory = {
  way: 'url',
  trouble: 'held',
  subject: 'vacancies',
  state: 'begun',
  noticeId: ID,
  since: new Date('2026-01-01T00:00:00Z'),
  reason: 'why',
  help: 'do',
  changedAt: new Date('2026-01-01T00:00:01Z'),
  quietUntil: null,
  inDoubt: false,
  about: NOTHING_TOLD,
};

async function withMemories(...memories: readonly NoticeMemory[]): Promise<TestState> {
  const state = await openTestState();
  await state.notices.revise(() => memories);
  return state;
}

async function memories({ notices }: TestState): Promise<readonly NoticeMemory[]> {
  let found: readonly NoticeMemory[] = [];
  await notices.revise((before) => (found = before));
  return found;
}

describe('runs', () => {
  test('a run is stored with its result, and the last one is found', async () => {
    const { runs } = await openTestState();
    expect(await runs.last()).toBeNull();
    const runId = randomUUID();
    await runs.start({ runId, trigger: 'manual', holder: 'test' });
    await runs.finish(runId, { outcome: 'complete', exitCode: 0, entities: {}, error: null });
    expect(await runs.last()).toMatchObject({
      runId,
      trigger: 'manual',
      outcome: 'complete',
      exitCode: 0,
      entities: {},
      error: null,
    });
  });

  test('a run that died is closed as aborted by the next one', async () => {
    const { runs, sql } = await openTestState();
    const dead = randomUUID();
    await runs.start({ runId: dead, trigger: 'cron', holder: 'test' });
    await runs.start({ runId: randomUUID(), trigger: 'cron', holder: 'test' });
    expect(
      await sql(
        'select outcome, exit_code, finished_at is null as open from placement_sync.sync_run where run_id = $1',
        [dead],
      ),
    ).toEqual([{ outcome: 'aborted', exit_code: 1, open: false }]);
  });

  test('old runs are pruned', async () => {
    const state = await openTestState();
    const [old, young] = [randomUUID(), randomUUID()];
    for (const runId of [old, young]) {
      await state.runs.start({ runId, trigger: 'cron', holder: 'test' });
      await state.runs.finish(runId, { outcome: 'complete', exitCode: 0, entities: {}, error: null });
    }
    await state.sql(
      "update placement_sync.sync_run set finished_at = now() - interval '91 days' where run_id = $1",
      [old],
    );
    await state.runs.prune(90 * 86_400_000);
    expect(await state.sql('select run_id from placement_sync.sync_run')).toEqual([{ run_id: young }]);
  });

  test('what a worker pushes is added to the last run, while it is under way and after it', async () => {
    const { runs } = await openTestState();
    const pushed = (sent: number, rejected = 0) => ({
      companies: { sent, accepted: sent - rejected, rejected, deferred: 0 },
    });
    await runs.addPushed(pushed(9));
    expect(await runs.last(), 'without a run there is nothing to add it to').toBeNull();

    const runId = randomUUID();
    await runs.start({ runId: randomUUID(), trigger: 'cron', holder: 'test' });
    await runs.start({ runId, trigger: 'cron', holder: 'test' });
    await runs.addPushed(pushed(2));
    const companies = { ...emptyReport('companies'), read: 7, sent: 1, accepted: 1 };
    await runs.finish(runId, { outcome: 'complete', exitCode: 0, entities: { companies }, error: null });
    await runs.addPushed(pushed(4, 1));
    await runs.addPushed({ vacancies: { sent: 1, accepted: 0, rejected: 0, deferred: 1 } });
    expect(await runs.last()).toMatchObject({
      runId,
      entities: {
        companies: { read: 7, sent: 7, accepted: 6, rejected: 1, deferred: 0 },
        vacancies: { read: 0, sent: 1, deferred: 1 },
      },
    });
    expect((await runs.recent(2))[1]?.entities, 'an earlier run stays as it is').toEqual({});
  });
});

describe('schedules', () => {
  test('a due time is kept to the millisecond, and setting it gives the one that it replaces', async () => {
    const state = await openTestState();
    const at = new Date('2026-01-02T03:04:05.678Z');
    expect(await state.schedules.read('sync')).toBeNull();
    expect(await state.schedules.setDue('sync', at)).toBeNull();
    expect(await state.schedules.read('sync')).toEqual({ at, overdue: true });
    const later = new Date(Date.now() + 3_600_000);
    expect(await state.schedules.setDue('sync', later)).toEqual({ at, overdue: true });
    expect(await state.schedules.read('sync')).toEqual({ at: later, overdue: false });
    expect(await state.schedules.read('verify')).toBeNull();
  });

  test('now is the time of the database', async () => {
    const state = await openTestState();
    await state.schedules.setDueNow('sync');
    const first = await state.schedules.read('sync');
    expect(first?.overdue).toBe(true);
    await state.schedules.setDueNow('sync');
    expect((await state.schedules.read('sync'))!.at.getTime()).toBeGreaterThanOrEqual(first!.at.getTime());
  });
});

describe('push hours', () => {
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
});

describe('notices', () => {
  test('what is decided is remembered, and what is left out is forgotten', async () => {
    const state = await withMemories(BEGUN, { ...BEGUN, way: 'smtp', noticeId: OTHER });
    expect(await memories(state)).toEqual(expect.arrayContaining([BEGUN]));
    await state.notices.revise((before, now) => {
      expect(now).toBeInstanceOf(Date);
      return before.filter(({ way }) => way === 'smtp');
    });
    expect(await memories(state)).toMatchObject([{ way: 'smtp' }]);
  });

  test('a message is taken by one process only, and sent once', async () => {
    const state = await withMemories(BEGUN);
    const taken = await Promise.all([1, 2, 3].map(() => state.notices.takeDue('url')));
    expect(taken.filter((memory) => memory !== null)).toMatchObject([
      { noticeId: ID, state: 'begun', reason: 'why' },
    ]);
    expect(await state.notices.takeDue('smtp')).toBe(null);
    expect(await memories(state), 'until it is known').toMatchObject([{ state: 'begun', inDoubt: true }]);

    await state.notices.noteSent(ID);
    expect(await memories(state)).toMatchObject([{ state: 'told', inDoubt: false }]);
    expect(await state.notices.takeDue('url')).toBe(null);
  });

  test('of two processes that find the same trouble at once, the second knows what the first decided', async () => {
    const state = await openTestState();
    await whenWritten(state.sql, 'placement_sync.notice', 'perform pg_sleep(0.3);');
    const known: number[] = [];
    const decide = (before: readonly NoticeMemory[]) => {
      known.push(before.length);
      return before.length > 0 ? before : [BEGUN];
    };
    await Promise.all([state.notices.revise(decide), state.notices.revise(decide)]);
    expect(known).toEqual([0, 1]);
  });

  test('a process that died while sending leaves the message to the next one after a minute', async () => {
    const state = await withMemories(BEGUN);
    await state.notices.takeDue('url');
    await state.sql(
      `update placement_sync.notice set claimed_until = clock_timestamp() - interval '1 second'`,
    );
    expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
  });

  test('an end that was reported is quiet, and keeps what was told', async () => {
    const about = { ...NOTHING_TOLD, cause: 'x', told: { x: { at: 1, again: true, size: 3 } } };
    const state = await withMemories({ ...BEGUN, state: 'ended', about });
    await state.notices.takeDue('url');
    await state.notices.noteSent(ID);
    expect(await memories(state)).toMatchObject([{ state: 'quiet', quietUntil: null, about }]);
    await state.sql(`update placement_sync.notice set about = default`);
    expect(await memories(state), 'of an earlier version').toMatchObject([{ about: NOTHING_TOLD }]);
  });

  test('what began in the quiet time is due when it is over', async () => {
    const state = await withMemories({ ...BEGUN, quietUntil: new Date(Date.now() + 60_000) });
    expect(await state.notices.takeDue('url')).toBe(null);
    await state.sql(`update placement_sync.notice set quiet_until = clock_timestamp()`);
    expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
  });

  test('a failure is due again after a growing pause, and given up after five tries and a day', async () => {
    const state = await withMemories({ ...BEGUN, changedAt: new Date() });
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await state.sql(`update placement_sync.notice set next_attempt_at = null`);
      await state.notices.takeDue('url');
      expect(await state.notices.noteFailure(ID, { inDoubt: false })).toBe(false);
      const [row] = await state.sql<{ seconds: number }>(
        `select round(extract(epoch from next_attempt_at - clock_timestamp()) / 10)::int * 10 as seconds from placement_sync.notice`,
      );
      pauses.push(row?.seconds ?? 0);
      expect(await state.notices.takeDue('url')).toBe(null);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600]);

    await state.sql(`update placement_sync.notice set changed_at = changed_at - interval '25 hours'`);
    expect(await state.notices.noteFailure(ID, { inDoubt: true })).toBe(true);
    expect(await memories(state)).toMatchObject([{ state: 'unheard' }]);
  });

  test('one that fails does not keep the others from being sent', async () => {
    const state = await withMemories(BEGUN, {
      ...BEGUN,
      subject: 'companies',
      noticeId: OTHER,
      changedAt: new Date(),
    });
    expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
    await state.notices.noteFailure(ID, { inDoubt: false });
    await state.sql(`update placement_sync.notice set next_attempt_at = null`);
    expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: OTHER });
  });

  test('a state that changed while it was sent begins again', async () => {
    const state = await withMemories(BEGUN);
    await state.notices.takeDue('url');
    await state.notices.revise(([memory]) => [
      { ...memory!, state: 'ended', noticeId: OTHER, inDoubt: false },
    ]);
    await state.notices.noteSent(ID);
    expect(await state.notices.noteFailure(ID, { inDoubt: true })).toBe(false);
    expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: OTHER, state: 'ended' });
  });
});
