import { expect, test } from 'vitest';
import { addMixedRecords, createDashboardWorld, mixedWorld } from './dashboard-world.js';
import { openBrowser, scrollsSideways, seriousProblems } from './open-browser.js';

const PAGES = [
  '/',
  '/records?entity=companies&status=invalid',
  '/records?entity=companies&status=rejected',
  '/record?entity=companies&key=c003',
  '/record?entity=companies&key=none',
  '/runs',
  '/runs?quiet=show&outcome=complete',
  '/inbox',
  '/actions',
  '/report',
  '/report/records',
  '/nothing',
];

test('every page works in both languages, without scripts, and without a complaint of the browser', async () => {
  const world = await mixedWorld();
  const browser = await openBrowser();
  for (const javaScriptEnabled of [true, false]) {
    for (const language of ['en', 'id']) {
      const { page, complaints } = await browser.newPage({ javaScriptEnabled });
      for (const path of PAGES) {
        const reply = await page.goto(`${world.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        expect(await page.locator('h1').count()).toBe(1);
        expect(reply?.status()).toBe(path === '/nothing' || path.endsWith('none') ? 404 : 200);
      }
      // A browser reports a page that is not there; nothing else.
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    }
  }
});

test('on a phone nothing scrolls sideways, and nobody is kept out, in light and dark', async () => {
  const world = await mixedWorld();
  const browser = await openBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 375, 1200]) {
      // The tests' own script is put into the page past its policy.
      const { page } = await browser.newPage({
        colorScheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      for (const path of PAGES) {
        await page.goto(world.url + path);
        expect([path, width, await scrollsSideways(page)]).toEqual([path, width, false]);
        expect([path, colorScheme, await seriousProblems(page)]).toEqual([path, colorScheme, []]);
      }
    }
  }
});

test('without scripts a record is retried, sent again and looked for, and a run is requested', async () => {
  const world = await mixedWorld();
  const { page } = await (await openBrowser()).newPage({ javaScriptEnabled: false });
  world.intercept = null;
  await page.goto(world.url);
  await page.locator('.causes summary', { hasText: 'already been taken' }).click();
  await page.getByText('Retry 1 …').click();
  await page.getByRole('button', { name: 'Yes, retry' }).click();
  expect(await page.getByRole('status').innerText()).toBe('One record of Companies is pending again.');
  const held = () => world.sandbox.records('jobs', 'companies').length;
  await expect.poll(held, { timeout: 60_000 }).toBe(9);

  await page.getByRole('searchbox', { name: 'Key' }).fill('c001');
  await page.getByRole('button', { name: 'Find' }).click();
  const before = world.sandbox.requests().length;
  await page.getByRole('button', { name: 'Send again' }).click();
  expect(await page.getByRole('status').innerText()).toContain('c001: the worker reads it again');
  await world.requested(before + 1);

  await world.sql(`insert into company (id, name) values ('late', 'Late')`);
  await page.goto(world.url);
  await page.getByRole('button', { name: 'Run now' }).click();
  expect(await page.getByRole('status').innerText()).toContain('Run requested.');
  await expect.poll(held, { timeout: 60_000 }).toBe(10);
});

test('what a guard held is approved by a button, and the next run applies it', async () => {
  const world = await mixedWorld();
  const { page } = await (await openBrowser()).newPage();
  await world.sql(`delete from vacancy where id <> 'v001'`);
  await page.goto(world.url);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.locator('.causes summary', { hasText: 'Vacancies: held' }).click({ timeout: 20_000 });
  expect(await page.locator('#needs .detail').allInnerTexts()).toContainEqual(
    expect.stringMatching(/\d of these 7 are of Company \d/),
  );
  await page.getByText('Approve …').click();
  await page.getByRole('textbox', { name: 'Reason why' }).fill('the season is over');
  await page.getByRole('button', { name: 'Yes, approve' }).click();
  await page.getByRole('button', { name: 'Run now' }).first().click();
  await expect
    .poll(
      async () =>
        (
          await world.sql(
            `select 1 from placement_sync.sync_state where entity = 'vacancies' and vanished_at is null`,
          )
        ).length,
      { timeout: 20_000 },
    )
    .toBe(1);
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('link', { name: 'Actions' }).click();
  const row = page.getByRole('row').filter({ hasText: 'approve' });
  for (const text of ['this machine', 'Vacancies', 'the season is over', 'done'])
    expect(await row.innerText()).toContain(text);
});

test('who may only look sees no button, and is told so where a program presses one', async () => {
  const world = await createDashboardWorld({
    prepare: addMixedRecords,
    admin: '{ port: 0, tokens: [{ name: reader, token: a-token-of-a-reader, role: look }] }',
  });
  const { page, complaints } = await (await openBrowser()).newPage();
  await page.goto(world.url);
  await page.getByLabel('Token').fill('a-token-of-a-reader');
  await page.getByRole('button', { name: 'Log in' }).click();
  for (const path of [
    '/',
    '/records?entity=companies',
    '/record?entity=companies&key=c001',
    '/inbox',
    '/actions',
  ]) {
    await page.goto(world.url + path);
    const buttons = await page.locator('main button[type=submit]').allInnerTexts();
    expect([path, buttons]).toEqual([path, path.startsWith('/records') ? ['Show'] : []]);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  }
  expect(await page.getByRole('row').filter({ hasText: 'read-inbox' }).innerText()).toContain('reader');
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});

test('the page renews itself, and leaves alone what somebody is at', async () => {
  const world = await mixedWorld();
  const { page, complaints } = await (await openBrowser()).newPage();
  await page.goto(world.url);
  const rejected = page.locator('#needs summary', { hasText: 'already been taken' });
  expect(await rejected.count()).toBe(1);
  const unmapped = page.locator('#needs summary', { hasText: 'no id' });
  await unmapped.first().click();
  await page.getByRole('searchbox', { name: 'Key' }).fill('half a ke');
  await page.getByRole('searchbox', { name: 'Key' }).focus();
  world.intercept = null;
  await world.sql(`update placement_sync.sync_state set refused_hash = null where key = 'c003'`);
  await rejected.waitFor({ state: 'detached', timeout: 20_000 });
  expect(await page.locator('#needs details[open]').count(), 'what is open stays open').toBe(1);
  expect(await page.getByRole('searchbox', { name: 'Key' }).inputValue()).toBe('half a ke');
  expect(await page.evaluate('document.activeElement.name')).toBe('key');
  expect(complaints).toEqual([]);

  await page.getByRole('button', { name: 'Run now' }).last().click();
  await page.getByText('Run requested.').waitFor();
  await page.getByText('Run requested.').waitFor({ state: 'detached', timeout: 20_000 });
  expect(new URL(page.url()).search, 'loading it again does not tell it again').toBe('');

  await world.sql('alter table placement_sync.sync_run rename to away');
  await page.getByRole('alert').waitFor({ timeout: 20_000 });
  const reason = await page.getByRole('alert').innerText();
  expect(reason, 'the worker answers, and says what it lacks').toMatch(
    /^The state database cannot be used: .*sync_run/,
  );
  expect(reason).not.toContain('No contact');
  expect(await page.evaluate(`document.documentElement.className`)).toContain('outdated');
  await world.sql('alter table placement_sync.away rename to sync_run');
  await page.getByRole('alert').waitFor({ state: 'detached', timeout: 20_000 });

  world.worker.child.kill('SIGKILL');
  await page.getByRole('alert').waitFor({ timeout: 20_000 });
  expect(await page.getByRole('alert').innerText()).toContain('No contact with the worker');
});

test('everything can be reached and done by keyboard, and the focus is seen', async () => {
  const world = await mixedWorld();
  const { page } = await (await openBrowser()).newPage();
  await page.goto(world.url);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Run now');
  const outline = 'getComputedStyle(document.activeElement).outlineStyle';
  expect(await page.evaluate(outline)).toBe('solid');
  const inactive = await page.evaluate(
    `[...document.querySelectorAll('a, button, input:not([type=hidden]), select, summary')].filter((one) => one.tabIndex < 0).length`,
  );
  expect(inactive).toBe(0);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  /** Goes on to what has this text. */
  const tabTo = async (text: string) => {
    for (let steps = 0; steps < 60 && !(await focused()).includes(text); steps += 1)
      await page.keyboard.press('Tab');
    expect(await focused()).toContain(text);
  };
  await tabTo('already been taken');
  expect(await page.evaluate(outline)).toBe('solid');
  await page.keyboard.press('Enter');
  await tabTo('Show all 1');
  for (const command of ['help runbook rejected', 'retry --entity companies', 'explain companies c003']) {
    await page.keyboard.press('Tab');
    expect(await focused()).toContain(`Copy placement-sync ${command}`);
  }
  await tabTo('Retry 1 …');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('pending again').waitFor();
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.name')).toBe('key');
});

test('with a token one logs in once, by a form', async () => {
  const world = await createDashboardWorld({
    admin: "{ host: 0.0.0.0, port: 0, token: 'a-long-random-text' }",
  });
  const { page } = await (await openBrowser()).newPage();
  await page.goto(`${world.url}/records?entity=companies&status=synced`);
  await page.getByRole('textbox', { name: 'Token' }).fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The token is wrong.').waitFor();
  await page.getByRole('textbox', { name: 'Token' }).fill('a-long-random-text');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Companies: synced' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});
