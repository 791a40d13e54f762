import { describe, expect, test } from 'vitest';
import type { TenantSchedule } from '../../src/fleet/job-queue.js';
import {
  isDue,
  keepSchedules,
  reconcileSchedules,
  scheduleChanges,
  tenantSchedule,
} from '../../src/fleet/schedules.js';
import type { TenantRun } from '../../src/ports/tenants.js';
import { fakeClock } from '../fake-time.js';
import { NOW, sampleTenant } from './sample-tenant.js';

describe('is due', () => {
  const NOW = Date.parse('2026-03-01T12:00:00Z');
  const PERIOD_MS = 600_000;

  const ranBefore = (ms: number, usedUpSlice = false): TenantRun => ({
    startedAt: new Date(NOW - ms),
    finishedAt: new Date(NOW - ms + 1_000),
    outcome: 'complete',
    exitCode: 0,
    message: null,
    pending: 0,
    usedUpSlice,
  });

  test('a tenant that never ran, that was changed since, or whose slice left work, is due at once', () => {
    expect(isDue({ isChanged: true, lastRun: ranBefore(1_000), periodMs: PERIOD_MS }, NOW)).toBe(true);
    expect(isDue({ isChanged: false, lastRun: null, periodMs: PERIOD_MS }, NOW)).toBe(true);
    expect(isDue({ isChanged: false, lastRun: ranBefore(1_000, true), periodMs: PERIOD_MS }, NOW)).toBe(true);
  });

  test('a tenant is due when its schedule must have been missed, and not while its job may still come', () => {
    expect(isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS - 1), periodMs: PERIOD_MS }, NOW)).toBe(
      false,
    );
    // Looked for every 30 s, sent up to 59 s later.
    expect(
      isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS + 95_000), periodMs: PERIOD_MS }, NOW),
    ).toBe(false);
    expect(
      isDue({ isChanged: false, lastRun: ranBefore(PERIOD_MS + 130_000), periodMs: PERIOD_MS }, NOW),
    ).toBe(true);
  });
});

describe('keep schedules', () => {
  test('a tenant that is paused, disabled or removed has no schedule and gets no job, however long ago it ran', async () => {
    const never = { lastRun: null, lastSuccessAt: null };
    const tenants = [
      sampleTenant('works', never),
      sampleTenant('paused', { ...never, paused: true }),
      sampleTenant('disabled', { ...never, enabled: false }),
      sampleTenant('removed', { ...never, removed: true }),
    ];
    const over = new AbortController();
    let scheduled: readonly TenantSchedule[] = [];
    const sent: string[] = [];
    await keepSchedules(
      {
        tenants: { list: () => Promise.resolve(tenants) },
        queue: {
          reconcile(schedules) {
            scheduled = schedules;
            return Promise.resolve(0);
          },
          sendMissing(jobs) {
            sent.push(...jobs.map(({ tenant }) => tenant));
            over.abort();
            return Promise.resolve(jobs.length);
          },
          onRestored: () => undefined,
        },
        clock: fakeClock(() => NOW.getTime()),
        warn: ({ message }) => expect.unreachable(message),
      },
      over.signal,
    );
    expect(scheduled).toEqual([{ tenant: 'works', lane: 'sync', periodMs: 600_000 }]);
    expect(sent).toEqual(['works']);
  });
});

describe('schedule changes', () => {
  const PERIOD_MS = 600_000;
  const of = (tenant: string, rest: Partial<TenantSchedule> = {}): TenantSchedule => ({
    tenant,
    lane: 'sync',
    periodMs: PERIOD_MS,
    ...rest,
  });
  const stored = (...schedules: TenantSchedule[]) => [...scheduleChanges([], schedules).write];

  test('what is as wanted is left alone, whatever else the engine stores with it', () => {
    const found = stored(of('a'), of('b')).map((schedule) => ({
      ...schedule,
      timezone: 'UTC',
      options: { ...schedule.options, tz: 'UTC' },
    }));
    expect(scheduleChanges(found, [of('a'), of('b')])).toEqual({ write: [], remove: [] });
  });

  test('a new tenant, another period and another lane are written; what is not wanted goes', () => {
    const found = stored(of('same'), of('period'), of('lane'), of('gone'));
    const { write, remove } = scheduleChanges(found, [
      of('same'),
      of('period', { periodMs: 3_600_000 }),
      of('lane', { lane: 'large' }),
      of('new'),
    ]);
    expect(write.map(({ name, key }) => `${name} ${key}`)).toEqual(['sync period', 'large lane', 'sync new']);
    expect(remove.map(({ name, key }) => `${name} ${key}`)).toEqual(['sync lane', 'sync gone']);
  });

  test('a schedule that somebody edited is put right', () => {
    const [schedule] = stored(of('a'));
    if (!schedule) throw new Error('nothing is wanted');
    for (const edited of [
      { ...schedule, cron: '0 0 1 1 *' },
      { ...schedule, options: { ...schedule.options, startAfter: 99 } },
      { ...schedule, options: null },
    ])
      expect(scheduleChanges([edited], [of('a')]).write).toEqual([schedule]);
  });

  test('only differences cost a statement, and schedules go before others come', async () => {
    const done: string[] = [];
    const boss = {
      getSchedules: () => Promise.resolve(stored(of('same'), of('lane'))),
      schedule: (name: string, _cron: string, data: object) => {
        done.push(`+ ${name} ${JSON.stringify(data)}`);
        return Promise.resolve();
      },
      unschedule: (name: string, key: string) => {
        done.push(`- ${name} ${key}`);
        return Promise.resolve();
      },
    };
    expect(await reconcileSchedules(boss, [of('same'), of('lane', { lane: 'large' })])).toBe(2);
    expect(done).toEqual(['- sync lane', '+ large {"tenant":"lane"}']);
  });
});

describe('tenant schedule', () => {
  const MINUTE_MS = 60_000;
  const NAMES = Array.from({ length: 2_000 }, (_, n) => `customer-${n}`);

  /** Minutes of a day at which a schedule begins. */
  function minutesOf(cron: string): number[] {
    const [minute = '', hour = ''] = cron.split(' ');
    const at = (field: string, all: number) => {
      const [from = '', step = '1'] = field.split('/');
      const [first = '0', last = first] = from === '*' ? ['0', String(all - 1)] : from.split('-');
      const found: number[] = [];
      for (let value = Number(first); value <= Number(last); value += Number(step)) found.push(value);
      return found;
    };
    return at(hour, 24).flatMap((h) => at(minute, 60).map((m) => 60 * h + m));
  }

  test.each([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440])(
    'a period of %i minutes comes in even steps, also over midnight',
    (period) => {
      for (const name of NAMES.slice(0, 50)) {
        const { cron, startAfter } = tenantSchedule(name, period * MINUTE_MS);
        const minutes = minutesOf(cron);
        expect(minutes, cron).toHaveLength(1_440 / period);
        const gaps = minutes.map((minute, n) => (minutes[n + 1] ?? 1_440 + (minutes[0] ?? 0)) - minute);
        expect(new Set(gaps), cron).toEqual(new Set([period]));
        expect(startAfter).toBeGreaterThanOrEqual(0);
        expect(startAfter).toBeLessThan(60);
      }
    },
  );

  test('of a period that cron cannot express the next shorter one is taken', () => {
    const same = (minutes: number, as: number) =>
      expect(tenantSchedule('a', minutes * MINUTE_MS)).toEqual(tenantSchedule('a', as * MINUTE_MS));
    same(7, 6);
    same(18, 15);
    same(59, 30);
    same(90, 60);
    same(1_000, 720);
    same(7 * 1_440, 1_440);
    expect(tenantSchedule('a', 1)).toEqual(tenantSchedule('a', MINUTE_MS));
  });

  test('2,000 tenants with the same period are spread over its seconds, always in the same way', () => {
    const perMinute = new Map<string, number>();
    const perSecond = new Map<number, number>();
    for (const name of NAMES) {
      const { cron, startAfter } = tenantSchedule(name, 10 * MINUTE_MS);
      perMinute.set(cron, (perMinute.get(cron) ?? 0) + 1);
      perSecond.set(startAfter, (perSecond.get(startAfter) ?? 0) + 1);
    }
    expect(perMinute.size).toBe(10);
    expect(Math.max(...perMinute.values())).toBeLessThan(300);
    expect(perSecond.size).toBe(60);
    expect(Math.max(...perSecond.values())).toBeLessThan(80);
    expect(tenantSchedule('customer-7', 10 * MINUTE_MS)).toEqual(
      tenantSchedule('customer-7', 10 * MINUTE_MS),
    );
  });
});
