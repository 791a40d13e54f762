import { expect, test } from 'vitest';
import { barsOf, CHART_HOURS } from '../../src/dashboard/chart.js';
import { openTestDashboard, pageWords } from './open-test-dashboard.js';

test('the chart shows 48 hours of all entities, and a table has the same numbers', async () => {
  const { ask, state } = await openTestDashboard();
  await state.sql(
    `insert into placement_sync.push_hour (entity, hour, sent, accepted, rejected, deferred)
     select entity, date_trunc('hour', now()) - n * interval '1 hour', 5, 4, 1, 0
     from generate_series(0, 24 * 32) n, unnest(array['companies', 'vacancies']) entity`,
  );
  const { text } = await ask('/');
  expect(pageWords(text)).toContain('In the last 48 hours 480 requests: Accepted 384 Deferred 0 Rejected 96');
  expect(text.match(/<rect class="rejected"/g)).toHaveLength(48);
  expect(pageWords(text)).toMatch(/\w+ \d+, \d\d:00 10 8 0 2/);
});

test('without an answer the page says so', async () => {
  const { ask } = await openTestDashboard();
  expect(pageWords((await ask('/?lang=id')).text)).toContain('Tidak ada yang dikirim dalam 48 jam terakhir.');
});

test('a bar is an hour, also an empty one, and what is older is left out', () => {
  const now = new Date('2026-11-22T07:40:00Z');
  const counts = { entity: 'companies', sent: 10, accepted: 6, rejected: 3, deferred: 1 };
  const bars = barsOf({
    now,
    hours: ['2026-11-22T07:00:00Z', '2026-11-20T08:00:00Z', '2026-11-20T07:00:00Z'].map((hour) => ({
      ...counts,
      hour: new Date(hour),
    })),
  });
  expect(bars).toHaveLength(CHART_HOURS);
  expect(bars.map(({ sent }) => sent)).toEqual([10, ...Array<number>(46).fill(0), 10]);
  expect(bars[0]?.from.toISOString()).toBe('2026-11-20T08:00:00.000Z');
});
