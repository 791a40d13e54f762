import axe from 'axe-core';
import { expect, test } from 'vitest';
import { mixedWorld } from './dashboard-world.js';
import { openBrowser } from './open-browser.js';

const LIST = '/records?entity=companies';

test('without scripts records are searched, ordered, ticked, and retried after a question', async () => {
  const world = await mixedWorld();
  const { page } = await (await openBrowser()).newPage({ javaScriptEnabled: false });
  await page.goto(world.url + LIST);
  await page.getByLabel('Order').selectOption('key, last one first');
  await page.getByLabel('Key or title contains').fill('company 1');
  await page.getByRole('button', { name: 'Show' }).click();
  const keys = () => page.locator('#list a.key').allInnerTexts();
  expect(await keys()).toEqual(['c012', 'c011', 'c010', 'c001']);

  await page.goto(world.url + LIST);
  const requests = world.sandbox.requests().length;
  const box = page.getByRole('checkbox', { name: 'Select c003' });
  await box.check();
  await box.press('Enter');
  expect(await page.getByRole('status').innerText(), 'the Enter key sends nothing').toContain(
    'Nothing was changed.',
  );
  expect(world.sandbox.requests()).toHaveLength(requests);
  await box.check();
  world.intercept = null;
  await page.getByText('Retry selected …').click();
  await page.getByRole('button', { name: 'Yes, retry' }).click();
  expect(await page.getByRole('status').innerText()).toBe('One record of Companies is pending again.');
  await world.requested(requests + 1);

  await page.getByRole('link', { name: 'Select all on this page' }).click();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(12);
  await page.getByRole('link', { name: 'Select none' }).click();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
});

test('what is ticked stays ticked while the page renews itself', async () => {
  const world = await mixedWorld();
  const { page, complaints } = await (await openBrowser()).newPage();
  await page.goto(world.url + LIST);
  await page.getByRole('checkbox', { name: 'Select c003' }).check();
  await page.getByLabel('Reason contains').focus();
  const renewed = () =>
    page.waitForResponse((reply) => reply.url().includes('/records'), { timeout: 20_000 });
  await world.sql(`update placement_sync.sync_state set last_error = 'another text' where key = 'c003'`);
  await renewed();
  await renewed();
  expect(await page.getByRole('checkbox', { name: 'Select c003' }).isChecked()).toBe(true);
  await page.getByRole('checkbox', { name: 'Select c003' }).uncheck();
  await page.getByLabel('Reason contains').focus();
  await page.getByText('another text').waitFor({ timeout: 20_000 });
  expect(complaints).toEqual([]);
});

test('the list keeps nobody out, and scrolls sideways on no screen', async () => {
  const world = await mixedWorld();
  const browser = await openBrowser();
  for (const [width, colorScheme] of [
    [320, 'light'],
    [1280, 'dark'],
  ] as const) {
    const { page } = await browser.newPage({
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    await page.goto(world.url + LIST);
    const bar = page.getByText('Send selected again …');
    expect(await bar.isVisible(), 'it comes with the first tick').toBe(false);
    await page.getByRole('checkbox', { name: 'Select c003' }).check();
    await bar.click();
    expect(
      await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    ).toBe(false);
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(found).toEqual([]);
  }
});
