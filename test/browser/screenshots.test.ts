import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCompanies } from '../cli/cli-world.js';
import { addMixedRecords, createDashboardWorld, type DashboardWorld } from './dashboard-world.js';
import { openBrowser } from './open-browser.js';

/** Folder for the pictures of docs/watch.md; without it nothing is drawn. */
const FOLDER = process.env.SCREENSHOTS;

async function synced(world: DashboardWorld): Promise<void> {
  await expect
    .poll(
      async () =>
        (await world.sql(`select 1 from placement_sync.sync_run where finished_at is not null`)).length,
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
}

/** Two days of an office: quiet at night, an outage yesterday afternoon. */
async function inventHistory(world: DashboardWorld): Promise<void> {
  await world.sql(
    `insert into placement_sync.push_hour
     select 'companies', date_trunc('hour', now()) - n * interval '1 hour', ok + bad + late, ok, bad, late
     from generate_series(1, 47) n,
       lateral (select (n * 7) % 24 as hour, n between 17 and 20 as out) at_,
       lateral (select case when out then 0 when n % 24 between 10 and 20 then 0 else 40 + (n * 37) % 90 end as ok,
         case when out then 70 + (n * 13) % 40 else 0 end as late, case when n % 9 = 0 and not out then 12 else 0 end as bad) counts
     where ok + bad + late > 0`,
  );
  await world.sql(
    `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
     select gen_random_uuid(), 'cron', 'worker-1', now() - n * interval '10 minutes', now() - n * interval '10 minutes' + interval '1.4 seconds',
       case when n = 4 then 'partial' else 'complete' end, 0,
       '{"companies": {"read": 12, "new": 0, "changed": 1, "vanished": 0, "invalid": 0, "error": null}}'
     from generate_series(1, 8) n`,
  );
}

test.runIf(FOLDER !== undefined)('pictures of the dashboard', async () => {
  const folder = FOLDER ?? '';
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser({ viewport: { width: 1440, height: 900 } });
  const { page } = await browser.newPage();
  // What fits on a screen: modest files.
  const shot = (name: string) => page.screenshot({ path: join(folder, `${name}.png`) });

  const world = await createDashboardWorld({ prepare: addMixedRecords });
  await synced(world);
  await inventHistory(world);
  await expect
    .poll(
      async () =>
        (await world.sql(`select 1 from placement_sync.sync_state where refused_hash is not null`)).length,
    )
    .toBe(1);
  await page.goto(world.url);
  await shot('dashboard-needs');
  await page.goto(`${world.url}/record?entity=companies&key=c003`);
  await shot('dashboard-record');

  await world.sql(`update company set name = 'Company 4' where name is null`);
  await world.sql('delete from vacancy');
  await world.sql(`delete from company where id <> 'c001'`);
  await page.goto(world.url);
  await page.getByRole('button', { name: 'Run now' }).last().click();
  await expect
    .poll(async () => (await page.goto(world.url), page.getByText('Held').count()), { timeout: 60_000 })
    .toBeGreaterThan(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.causes summary', { hasText: 'Vacancies: held' }).click();
  await page.locator('.causes details[open] details.asked summary').click();
  await shot('dashboard-held');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${world.url}/?lang=id`);
  await shot('dashboard-phone');
});

test.runIf(FOLDER !== undefined)('pictures of a healthy day and of an outage', async () => {
  const folder = FOLDER ?? '';
  const browser = await openBrowser({ viewport: { width: 1440, height: 900 } });
  const { page } = await browser.newPage();
  const world = await createDashboardWorld({
    prepare: (made) => addCompanies(made, 12),
    pauses: 'baseDelay: 8m, maxDelay: 6h',
  });
  await synced(world);
  await world.requested(12);
  await inventHistory(world);
  await expect
    .poll(async () => (await page.goto(world.url), page.locator('.verdict').innerText()), { timeout: 60_000 })
    .toContain('Everything is in step');
  await page.screenshot({ path: join(folder, 'dashboard-overview.png') });
  world.intercept = () => ({ status: 503, body: { message: 'Service unavailable.' } });
  await world.sql('truncate placement_sync.push_hour');
  await inventHistory(world);
  await world.sql(`update company set about = 'edited'`);
  await page.getByRole('button', { name: 'Run now' }).last().click();
  await expect
    .poll(async () => (await page.goto(world.url), page.locator('.verdict').innerText()), { timeout: 60_000 })
    .toContain('only with errors');
  await page.screenshot({ path: join(folder, 'dashboard-outage.png') });
});
