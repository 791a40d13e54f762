import { expect, test } from 'vitest';
import { RUNBOOK_SECTIONS, RUNBOOK_URL } from '../../src/domain/trouble/hints.js';
import { anchorsOf } from '../docs/read-pages.js';
import { refused, wants } from '../state/open-test-state.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

test('every page has the menu, its entries lead somewhere, and the open page is marked', async () => {
  const { ask } = await openTestDashboard();
  const { text } = await ask('/');
  const marked = (page: string) =>
    [...page.matchAll(/<a [^>]*aria-current="page"\s*>([^<]*)</g)].map(([, name]) => name);
  for (const name of ['Overview', 'Records', 'Runs', 'Inbox', 'Report', 'Coverage']) {
    const opened = await ask(linkTo(text, name));
    expect([name, opened.status, marked(opened.text)]).toEqual([name, 200, [name]]);
  }
  expect(marked((await ask('/record?entity=companies&key=none')).text)).toEqual(['Records']);
  expect(marked((await ask('/nothing')).text)).toEqual([]);
});

test('a caller who must log in sees no menu and no search', async () => {
  const { ask } = await openTestDashboard({ token: 'a-long-random-text' });
  for (const path of ['/', '/runs', '/inbox']) {
    const { status, text } = await ask(path);
    expect([path, status]).toEqual([path, 401]);
    expect(text).not.toMatch(/class="menu"|role="search"|<script/);
  }
});

test('a search that finds nothing keeps its entity and its key, also when it fails', async () => {
  const { ask, state } = await openTestDashboard();
  const searched = async (path: string, status: number) => {
    const reply = await ask(path);
    expect([path, reply.status]).toEqual([path, status]);
    expect(reply.text).toMatch(/<option value="vacancies" selected>/);
    return /name="key"[^>]*value="([^"]*)"/.exec(reply.text)?.[1];
  };
  expect(await searched('/record?entity=vacancies&key=none', 404)).toBe('none');
  expect(await searched('/record?entity=vacancies&key=%22%3Cb%3E', 404)).toBe('&quot;&lt;b&gt;');
  expect(await searched('/record?entity=vacancies&key=', 400)).toBe('');
  expect(await searched('/records?entity=vacancies&status=synced', 200)).toBe('');
  await state.sql('alter table placement_sync.sync_state rename to away');
  expect(await searched('/record?entity=vacancies&key=v1', 503)).toBe('v1');
});

test('each problem links to its section of the runbook, which is there', async () => {
  const anchors = anchorsOf('docs/runbook.md');
  expect(Object.values(RUNBOOK_SECTIONS).filter((section) => !anchors.has(section))).toEqual([]);
  const { ask, state } = await openTestDashboard();
  await state.publish('companies', wants('a', '1'));
  await state.record(refused((await state.claim())[0]!));
  const { text } = await ask('/');
  expect(linkTo(text, /^Help in the runbook/)).toBe(
    'https://docs.example/runbook#records-are-rejected-in-masses',
  );
  expect(pageWords(text)).toContain('Help in the runbook : Companies: 1 rejected');
  expect(RUNBOOK_URL).toMatch(/^https:\/\/\S+\/docs\/runbook\.md$/);
});

test('each command has a button that copies it, which only scripts show', async () => {
  const { ask, state } = await openTestDashboard();
  await state.publish('companies', wants('a', '1'));
  await state.record(refused((await state.claim())[0]!));
  const { text } = await ask('/');
  const commands = text.match(/<code class="command"/g) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  expect(text.match(/<button\s+type="button"\s+class="quiet copy"/g)).toHaveLength(commands.length);
  const style = await ask(/href="(\/dashboard\.css[^"]*)"/.exec(text)?.[1] ?? '');
  expect(style.text).toMatch(/\.copy \{ display: none;/);
});
