import { expect, test } from 'vitest';
import { accepted, deferred, refused, wants } from '../core/ledger/open-test-state.js';
import { openTestDashboard, type TestDashboard } from './open-test-dashboard.js';

/** The keys of a page's list, in its order. */
const keysOf = (text: string) => [...text.matchAll(/name="key"\s+value="([^"]*)"/g)].map(([, key]) => key);

const linkOf = (text: string, name: string) =>
  new RegExp(`href="([^"]*)"\\s*>\\s*${name}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** Companies k1 to k5; k1 is rejected, k2 deferred. */
async function fiveCompanies({ state }: TestDashboard): Promise<void> {
  await state.publish('companies', ...[1, 2, 3, 4, 5].map((n) => wants(`k${n}`, `Toko ${n}`)));
  const [first, second] = await state.claim('companies', { limit: 2 });
  await state.record(refused(first!), deferred(second!));
}

test('a list has all records of an entity with title and status, and can be searched and ordered', async () => {
  const dashboard = await openTestDashboard();
  await fiveCompanies(dashboard);
  const all = await dashboard.ask('/records?entity=companies');
  expect(keysOf(all.text)).toEqual(['k1', 'k2', 'k3', 'k4', 'k5']);
  for (const part of ['Companies: all records', 'Toko 3', 'rejected', 'HTTP 422: no'])
    expect(all.text).toContain(part);
  expect((await dashboard.ask('/records')).text).toContain('Companies: all records');
  const keys = async (query: string) => keysOf((await dashboard.ask(`/records?${query}`)).text);
  expect(await keys('entity=companies&find=toko+4')).toEqual(['k4']);
  expect(await keys('entity=companies&reason=422')).toEqual(['k1']);
  expect(await keys('entity=companies&order=key-last')).toEqual(['k5', 'k4', 'k3', 'k2', 'k1']);
  expect((await keys('entity=companies&order=newest')).slice(2)).toEqual(['k5', 'k4', 'k3']);
  for (const odd of ['order=odd', 'status=odd', 'at=x', 'entity=odd'])
    expect([odd, (await dashboard.ask(`/records?${odd}`)).status]).toEqual([odd, 400]);
});

test('a page leads to the next one with the same search and order, without gap', async () => {
  const dashboard = await openTestDashboard();
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
  await dashboard.state.publish('companies', ...numbers.map((n) => wants(`k${n}`, 'Toko')));
  await dashboard.state.publish('companies', wants('z1', 'Other'));
  for (const query of ['find=toko', 'find=toko&status=pending&order=newest', 'find=toko&order=key-last']) {
    const first = await dashboard.ask(`/records?entity=companies&${query}`);
    const second = await dashboard.ask(linkOf(first.text, 'Next page'));
    const keys = [...keysOf(first.text), ...keysOf(second.text)];
    expect(keysOf(first.text)).toHaveLength(50);
    expect(keys.toSorted()).toEqual(numbers.map((n) => `k${n}`).toSorted());
    expect(linkOf(second.text, 'Next page')).toBe('');
    expect(keysOf((await dashboard.ask(linkOf(second.text, 'First page'))).text)).toEqual(keysOf(first.text));
  }
});

test('records are selected and retried or sent again, only with the page’s own form', async () => {
  const dashboard = await openTestDashboard();
  await fiveCompanies(dashboard);
  const { state, events } = dashboard;
  const own = dashboard.browser();
  const back = '/records?entity=companies&order=key-last&select=all';
  const selected = await own.get(back);
  expect(selected.text.match(/\schecked/g)).toHaveLength(5);
  expect(selected.text).toMatch(
    /<form method="post" action="\/actions\/selected">\s*<button type="submit" hidden>/,
  );
  expect((await own.get('/records?entity=companies&status=synced')).text).not.toContain('Retry selected');

  const retried = await own.submitAll('/actions/selected', [
    ['entity', 'companies'],
    ['back', back],
    ['act', 'retry'],
    ...['k1', 'k2', 'k3'].map((key) => ['key', key] as const),
  ]);
  expect(retried.status).toBe(303);
  expect(retried.headers.location).toBe(
    '/records?entity=companies&order=key-last&done=retry&count=2&of=companies',
  );
  expect((await own.get(retried.headers.location!)).text).toContain(
    '2 records of Companies are pending again',
  );
  expect((await state.records.counts('companies')).pending).toBe(5);

  await state.acceptAll();
  const resent = await own.submitAll('/actions/selected', [
    ['entity', 'companies'],
    ['act', 'resync'],
    ['key', 'k3'],
    ['key', 'k4'],
  ]);
  expect((await own.get(resent.headers.location!)).text).toContain('2 records of Companies are read again');
  expect(await state.row('k3')).toMatchObject({ acknowledged_hash: null, row_version: null });
  expect(await state.row('k5')).toMatchObject({ row_version: expect.any(String) as string });
  expect(
    events.map((event) => 'action' in event && [event.who, event.action, event.keys, event.counts]),
  ).toEqual([
    ['this machine', 'retry', 3, { companies: 2 }],
    ['this machine', 'resync', 2, { companies: 2 }],
  ]);

  const none = await own.submitAll('/actions/selected', [
    ['entity', 'companies'],
    ['act', 'resync'],
  ]);
  expect((await own.get(none.headers.location!)).text).toContain('Nothing was changed.');
  const unasked = await own.submitAll('/actions/selected', [
    ['entity', 'companies'],
    ['key', 'k5'],
  ]);
  expect((await own.get(unasked.headers.location!)).text).toContain('Nothing was changed.');
  const foreign = { method: 'POST', form: { entity: 'companies', act: 'resync', key: 'k5', form: 'x' } };
  expect((await dashboard.ask('/actions/selected', foreign)).status).toBe(403);
  expect((await state.row('k5'))?.row_version).not.toBeNull();
});

test('all that match a filter are retried or sent again at once, also beyond the page, after a question', async () => {
  const dashboard = await openTestDashboard();
  const { state } = dashboard;
  const numbers = Array.from({ length: 70 }, (_, index) => 100 + index);
  await state.publish('companies', ...numbers.map((n) => wants(`k${n}`, `Toko ${n}`)));
  await state.publish('companies', wants('z1', 'Other'));
  await state.record(...(await state.claim('companies', { limit: 100 })).map((claim) => refused(claim)));
  const path = '/records?entity=companies&status=rejected&find=toko';
  const { text } = await dashboard.ask(path);
  expect(keysOf(text)).toHaveLength(50);
  expect(text).toContain('Retry all 70 that match …');
  expect(text).toContain('70 records of Companies match this list.');
  const own = dashboard.browser();
  const fields = {
    entity: 'companies',
    status: 'rejected',
    find: 'toko',
    reason: '',
    act: 'retry',
    back: path,
  };
  const sent = await own.submit('/actions/matching', fields, path);
  const done = await own.get(sent.headers.location!);
  expect(done.text).toContain('70 records of Companies are pending again.');
  expect((await state.records.counts('companies')).rejected, 'the one that does not match').toBe(1);
  const all = await dashboard.ask('/records?entity=companies');
  expect(all.text, 'without a filter there are the usual buttons').not.toContain('that match …');
});

test('a list is handed out as a file, with its filters', async () => {
  const dashboard = await openTestDashboard();
  await fiveCompanies(dashboard);
  const { text } = await dashboard.ask('/records?entity=companies&reason=422');
  const file = await dashboard.ask(linkOf(text, 'Download this list'));
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.text.split('\n').map((line) => line.split(',').slice(0, 5).join())).toEqual([
    'entity,key,title,status,reason',
    'companies,k1,Toko 1,rejected,HTTP 422: no',
    '',
  ]);
  expect((await dashboard.ask('/records.csv?entity=odd')).status).toBe(400);
});

test('the search finds a record by its key, else those whose title has the words, in every entity', async () => {
  const dashboard = await openTestDashboard();
  const { ask, state } = dashboard;
  await fiveCompanies(dashboard);
  const titled = (key: string, title: string) => ({ ...wants(key, title), desiredPayload: { title } });
  await state.publish('vacancies', titled('v1', 'Perawat Toko'), titled('k5', 'Guru'));
  const location = async (query: string) => (await ask(`/find?${query}`)).headers.location;
  expect(await location('entity=&key=k3')).toBe('/record?entity=companies&key=k3');
  expect(await location('entity=&key=perawat')).toBe('/records?entity=vacancies&find=perawat');
  expect(await location('entity=companies&key=toko')).toBe('/records?entity=companies&find=toko');
  const both = await ask('/find?entity=&key=k5');
  for (const link of ['/record?entity=companies&amp;key=k5', '/record?entity=vacancies&amp;key=k5'])
    expect(both.text).toContain(link);
  const lists = await ask('/find?entity=&key=toko');
  for (const link of ['/records?entity=companies&amp;find=toko', '/records?entity=vacancies&amp;find=toko'])
    expect(lists.text).toContain(link);
  // The source may have a record that no run has read yet.
  expect(await location('entity=companies&key=none')).toBe('/record?entity=companies&key=none');
  expect((await ask('/find?entity=&key=none')).status).toBe(404);
  expect((await ask('/find?entity=&key=')).status).toBe(400);
});

test('a button looks at one record at the platform, and says what it found', async () => {
  const looked: string[] = [];
  const outcomes = ['missing', 'same'] as const;
  const dashboard = await openTestDashboard({
    look(entity, key) {
      looked.push(`${entity} ${key}`);
      return Promise.resolve(outcomes[looked.length - 1] ?? 'nothing');
    },
  });
  const { state } = dashboard;
  await state.publish('companies', wants('k1', 'Toko'), wants('k2', 'Toko'));
  const [first] = await state.claim('companies', { limit: 1 });
  await state.record(accepted(first!));
  const own = dashboard.browser();
  const page = '/record?entity=companies&key=k1';
  const look = async () => {
    const sent = await own.submit('/actions/look', { entity: 'companies', key: 'k1', back: page }, page);
    return (await own.get(sent.headers.location!)).text;
  };
  expect((await own.get(page)).text).toContain('action="/actions/look"');
  expect(await look()).toContain('k1: the platform does not have it.');
  expect(await look()).toContain('k1: the platform holds what it accepted.');
  expect(looked).toEqual(['companies k1', 'companies k1']);
  const pending = await dashboard.ask('/record?entity=companies&key=k2');
  expect(pending.text, 'nothing was accepted, so nothing can be compared').not.toContain('/actions/look');
});

test('fifty selected keys of the longest kind fit into one form', async () => {
  const dashboard = await openTestDashboard();
  const keys = Array.from({ length: 50 }, (_, n) => `${'漢'.repeat(164)}${n}`);
  const sent = await dashboard
    .browser()
    .submitAll('/actions/selected', [
      ['entity', 'companies'],
      ['act', 'retry'],
      ...keys.map((key) => ['key', key] as const),
    ]);
  expect(sent.headers.location).toContain('done=retry&count=0');
});
