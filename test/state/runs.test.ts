import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { emptyReport } from '../../src/entities/index.js';
import { openTestState } from './open-test-state.js';

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
