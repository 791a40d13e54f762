import { expect, test } from 'vitest';
import type { TenantSchedule } from '../../src/fleet/job-queue.js';
import { keepSchedules } from '../../src/fleet/schedules.js';
import { fakeClock } from '../fake-time.js';
import { NOW, sampleTenant } from './sample-tenant.js';

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
