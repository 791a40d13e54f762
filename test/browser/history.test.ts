import { expect, test } from 'vitest';
import { emptyReport } from '../../src/core/entities/index.js';
import { openTestDashboard, type TestDashboard } from '../dashboard/open-test-dashboard.js';
import { refused, wants } from '../core/ledger/open-test-state.js';
import { brokenWords, openBrowser, scrollsSideways, seriousProblems } from './open-browser.js';

/** A long history with large numbers, long errors, and a record that needs action. */
async function busyDashboard(): Promise<TestDashboard> {
  const dashboard = await openTestDashboard();
  const { state } = dashboard;
  await state.publish('companies', wants('c1', 'x'));
  await state.record(refused((await state.claim())[0]!));
  await state.sql(
    `insert into placement_sync.push_hour (entity, hour, sent, accepted, rejected, deferred)
     select 'vacancies', date_trunc('hour', now()) - n * interval '1 hour', 36000, 35000, 900, 100 from generate_series(0, 760) n`,
  );
  const numbers = {
    read: 1_250_000,
    new: 1_200_000,
    changed: 12_000,
    sent: 125_000,
    accepted: 124_980,
    rejected: 20,
  };
  const error = {
    code: 'source-unavailable',
    message: `The source ${'a-very-long-host-name.'.repeat(6)} is away`,
  };
  const reports = [
    { companies: { ...emptyReport('companies'), ...numbers, pending: 1_110_000 } },
    { companies: { ...emptyReport('companies'), error } },
    { companies: { ...emptyReport('companies'), read: 12 } },
  ];
  for (const [place, report] of reports.entries())
    await state.sql(
      `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
       select gen_random_uuid(), 'catch-up', 'me', t, t + interval '0.1 seconds', 'partial', 3, $1::jsonb
       from generate_series(1, 30) n, lateral (select now() - n * interval '1 minute' - $2 * interval '1 hour' as t) at_`,
      [JSON.stringify(report), place],
    );
  await state.sql(
    `insert into placement_sync.job_application (layout, request_id, request_timestamp, body, delivery_hash, vacancy_key)
     select 'unrecognised', 'r', now(), '{}', n::text, repeat('a-long-key-', 20) from generate_series(1, 60) n`,
  );
  await state.sql(
    `insert into placement_sync.operator_action (who, via, action, entity, keys, counts, reason, outcome)
     select 'somebody@a-machine-with-a-long-name', 'command', 'verify --repair --field', 'vacancies',
       array[repeat('a-long-key-', 20), 'v2'], '{"checked": 1250000, "missing": 12}', repeat('a long reason ', 30), 'exit 3'
     from generate_series(1, 60) n`,
  );
  return dashboard;
}

const PAGES = [
  '/',
  '/runs',
  '/runs?quiet=show',
  '/inbox',
  '/actions',
  '/records?entity=companies&status=rejected',
];

test.each([
  [320, 'en'],
  [820, 'id'],
  [1280, 'en'],
] as const)(
  '%i pixels wide, in %s: no column breaks a word, nothing scrolls sideways, nobody is kept out',
  async (width, language) => {
    const { url } = await busyDashboard();
    const browser = await openBrowser({ viewport: { width, height: 800 }, bypassCSP: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await browser.newPage({ colorScheme });
      for (const path of PAGES) {
        await page.goto(`${url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        expect([path, await brokenWords(page)]).toEqual([path, []]);
        expect([path, await scrollsSideways(page)]).toEqual([path, false]);
        expect([path, await seriousProblems(page)]).toEqual([path, []]);
      }
    }
  },
);

test('a tick box is as small as one, and a phone shows the search on one line', async () => {
  const { url } = await busyDashboard();
  const { page } = await (await openBrowser({ viewport: { width: 390, height: 800 } })).newPage();
  await page.goto(`${url}/runs`);
  expect((await page.getByRole('checkbox').boundingBox())?.width).toBeLessThan(25);
  const parts = await page.locator('.search :is(select, input, button)').all();
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  expect(new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size).toBe(1);
  expect(boxes.length).toBeGreaterThan(1);
});

test('a button copies a command; without scripts there is none', async () => {
  const { url } = await busyDashboard();
  const browser = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, complaints } = await browser.newPage();
  await page.goto(url);
  await page.locator('.causes summary').first().click();
  const button = page.getByRole('button', { name: 'Copy placement-sync explain companies c1' });
  await button.click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('placement-sync explain companies c1');
  await page.locator('#copied', { hasText: 'Copied' }).waitFor({ state: 'attached' });
  await button.waitFor();
  expect(complaints).toEqual([]);
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.page.goto(url);
  await plain.page.locator('.causes summary').first().click();
  expect(await plain.page.locator('button.copy').first().isVisible()).toBe(false);
});
