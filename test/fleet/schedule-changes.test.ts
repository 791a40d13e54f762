import { expect, test } from 'vitest';
import { reconcileSchedules, scheduleChanges } from '../../src/fleet/schedules.js';
import type { TenantSchedule } from '../../src/fleet/job-queue.js';

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
