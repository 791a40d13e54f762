import { expect, test } from 'vitest';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

async function answered() {
  const dashboard = await openTestDashboard();
  await dashboard.state.sql(
    `insert into placement_sync.push_hour (entity, hour, sent, accepted, rejected, deferred)
     select 'companies', date_trunc('hour', now()) - n * interval '1 hour', 10, 7, 2, 1 from generate_series(0, 24 * 32) n`,
  );
  return dashboard;
}

test('the chart shows 48 hours, and other ranges by links, without scripts', async () => {
  const { ask } = await answered();
  const { text } = await ask('/');
  expect(pageWords(text)).toContain(
    'In the last 48 hours 480 requests: 336 accepted, 96 rejected, 48 deferred.',
  );
  const six = await ask(linkTo(text, '6 hours'));
  expect(pageWords(six.text)).toContain('In the last 6 hours 60 requests');
  expect(six.text).toMatch(/range=6h#chart"\s+aria-current="true"/);
  const sums = async (range: string) =>
    Number(/([\d,]+) requests/.exec(pageWords((await ask(`/?range=${range}`)).text))?.[1]?.replace(',', ''));
  // These begin at midnight.
  expect(await sums('7d')).toBeGreaterThan(6 * 240);
  expect(await sums('7d')).toBeLessThanOrEqual(7 * 240);
  expect(await sums('30d')).toBeGreaterThan(29 * 240);
  expect(await sums('30d')).toBeLessThanOrEqual(30 * 240);
  expect(pageWords((await ask('/?range=odd')).text)).toContain('In the last 48 hours');
});

test('every bar has its numbers as text, at one stop of the keyboard; the present one is chosen', async () => {
  const { ask } = await answered();
  const { text } = await ask('/?range=6h');
  const values = [...text.matchAll(/class="value"\s*>([^<]*)</g)].map(([, value = '']) => value.trim());
  expect(values).toHaveLength(6);
  for (const value of values)
    expect(value).toMatch(/^\w+ \d+ \d\d:00–\d\d:00 · Accepted 7 · Deferred 1 · Rejected 2$/);
  expect(new Set([...text.matchAll(/type="radio"\s+name="(\w+)"/g)].map(([, name]) => name)).size).toBe(1);
  expect(text.match(/<input[^>]*checked/g)).toHaveLength(1);
  expect(pageWords((await ask('/?range=30d')).text)).toMatch(
    /\b[A-Z][a-z]{2} \d{1,2} · Accepted 168 · Deferred 24 · Rejected 48/,
  );
});

test('the page goes back to the range it was opened with, and an empty range says so', async () => {
  const { ask, browser } = await openTestDashboard();
  expect(pageWords((await ask('/?range=7d&lang=id')).text)).toContain(
    'Tidak ada yang dikirim dalam 7 hari terakhir.',
  );
  const own = browser();
  const done = await own.submit('/actions/run', { back: '/?range=30d' });
  expect(done.headers.location).toBe('/?range=30d&done=run');
});
