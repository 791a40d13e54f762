import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Issue } from '../../src/core/domain/issue.js';
import { openTestDashboard, type TestDashboard } from '../dashboard/open-test-dashboard.js';
import { refused, wants } from '../core/ledger/open-test-state.js';
import { openBrowser, scrollsSideways, seriousProblems } from './open-browser.js';

/** Folder for pictures; without it none is taken. */
const FOLDER = process.env.SCREENSHOTS;

const ENTITIES = ['companies', 'vacancies', 'application-statuses', 'institutions', 'trainings'];

const city = (code: string): Issue => ({
  field: 'region.id',
  column: 'region_id',
  code: 'unmapped',
  message: `the code "${code}" is not in reference/cities.csv`,
  hint: 'to reference/cities.csv.',
  lookup: { code, todo: 'add', file: 'reference/cities.csv' },
});

/** What is wrong with rows, as rules say it. */
const PROBLEMS: readonly Issue[] = [
  { field: 'title', code: 'required', message: 'is required' },
  { field: 'quota', code: 'type', message: 'must be a whole number', value: '3 orang' },
  { field: 'longitude', code: 'range', message: 'must be between −180 and 180' },
  { field: 'salary', code: 'type', message: 'must be a number' },
  { field: 'expire_at', code: 'format', message: 'must be a date and time' },
];

/** Five entities of which `faulty` records are wrong, for nine reasons; one missing code is in three entities. */
async function faultyDashboard(faulty: number): Promise<TestDashboard> {
  const dashboard = await openTestDashboard({ entities: ENTITIES, onVanished: 'close' });
  const { state } = dashboard;
  const keys = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`);
  const companies = keys('c', 201);
  await state.publish('companies', ...companies.map((key) => wants(key, `PT ${key}`)));
  await state.publish('institutions', ...keys('i', 12).map((key) => wants(key, `LPK ${key}`)));
  for (const entity of ['companies', 'institutions'])
    while ((await state.claim(entity)).length > 0) await state.acceptAll(entity);
  await state.publish(
    'vacancies',
    ...keys('v', 300).map((key, index) => wants(key, `Lowongan ${index}`, companies[index % 150])),
  );
  await state.publish('trainings', ...keys('t', 20).map((key) => wants(key, `Pelatihan ${key}`, 'i0')));
  for (const entity of ['vacancies', 'trainings'])
    for (let claims = await state.claim(entity); claims.length > 0; claims = await state.claim(entity))
      await state.acceptAll(entity);
  const invalid = (key: string, issue: Issue, parent: string | null = null) => ({
    ...wants(key, key, parent),
    kind: 'invalid' as const,
    desiredHash: null,
    desiredPayload: null,
    invalidReason: [issue],
  });
  await state.publish('companies', invalid('c200', city('9471')), invalid('x1', city('9471')));
  await state.publish('institutions', invalid('i11', city('9471')), invalid('x2', city('3500')));
  await state.publish(
    'vacancies',
    ...keys('f', faulty).map((key, index) => invalid(key, PROBLEMS[index % PROBLEMS.length]!, 'c1')),
    invalid('g', city('9471'), 'c1'),
    ...keys('w', 4).map((key) => wants(key, key, 'x1')),
    ...keys('r', 3).map((key) => wants(key, key, 'c2')),
  );
  const [first, second] = await state.claim('vacancies', { limit: 2 });
  await state.record(refused(first!), refused(second!));
  await state.sql(
    `update placement_sync.sync_state set last_error = 'The given data was invalid. title: The title has already been taken.' where refused_hash is not null`,
  );
  return dashboard;
}

/** The lower edge of the last element, pixels from the top of the page. */
const LOWER_EDGE = (selector: string) =>
  `Math.max(...[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getBoundingClientRect().bottom + scrollY))`;

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

test.each([20, 5_000])(
  'with %i faulty records the health of all entities and every cause are on the first screen',
  async (faulty) => {
    const { url } = await faultyDashboard(faulty);
    const browser = await openBrowser({ bypassCSP: true });
    for (const language of ['en', 'id'])
      for (const [size, viewport] of Object.entries(SIZES))
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page } = await browser.newPage({
            viewport,
            colorScheme,
          });
          await page.goto(`${url}/?lang=${language}`);
          const where = `${language} ${size} ${colorScheme}`;
          if (FOLDER) {
            mkdirSync(FOLDER, { recursive: true });
            await page.screenshot({
              path: join(FOLDER, `overview-${faulty}-${language}-${size}-${colorScheme}.png`),
              fullPage: true,
            });
          }
          expect.soft(await page.locator('#health tbody tr').count(), where).toBe(5);
          expect.soft(await page.locator('#needs .causes > li').count(), where).toBeGreaterThanOrEqual(7);
          for (const part of ['#health tbody tr', '#needs .causes > li'])
            expect
              .soft(await page.evaluate<number>(LOWER_EDGE(part)), `${where} ${part}`)
              .toBeLessThan(size === 'wide' ? 900 : 1_600);
          expect.soft(await scrollsSideways(page), where).toBe(false);
          expect.soft(await seriousProblems(page), where).toEqual([]);
        }
  },
);
