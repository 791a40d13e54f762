import { expect, test } from 'vitest';
import { createGuessLimit, createSeals, warnOfShortTokens } from '../../src/dashboard/access.js';
import { localPath } from '../../src/dashboard/dashboard-request.js';
import { wants } from '../core/ledger/open-test-state.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

const TOKEN = 'a-long-random-text';

test('off loopback and without a token the dashboard is switched off, and says how to switch it on', async () => {
  const { ask } = await openTestDashboard({ host: '0.0.0.0' });
  for (const [path, method] of [
    ['/', 'GET'],
    ['/record?entity=companies&key=a', 'GET'],
    ['/login', 'GET'],
    ['/actions/run', 'POST'],
    ['/login', 'POST'],
  ] as const) {
    const reply = await ask(path, { method });
    expect([path, reply.status]).toEqual([path, 403]);
    expect(reply.text).toContain('Set http.admin.token');
    expect(reply.text).not.toContain('1.2.3');
  }
  expect((await ask('/livez')).text).toBe('ok\n');
  expect((await ask('/readyz')).status).toBe(200);
  expect((await ask('/metrics')).text).toBe('metrics\n');
});

test('with a token nothing is shown or done without it; probes and metrics are', async () => {
  const { ask, state } = await openTestDashboard({ host: '0.0.0.0', token: TOKEN });
  for (const path of ['/', '/records?entity=companies&status=synced', '/record?entity=companies&key=a']) {
    const reply = await ask(path);
    expect([path, reply.status]).toEqual([path, 401]);
    expect(reply.text).toContain('type="password"');
    expect(reply.text).not.toContain('Health by entity');
  }
  expect((await ask('/actions/run', { method: 'POST' })).status).toBe(401);
  expect(await state.schedules.read('sync')).toBeNull();
  expect((await ask('/metrics')).status).toBe(200);
});

test('who logs in with the token is let in, goes back to the page asked for, and out again', async () => {
  const { browser } = await openTestDashboard({ token: TOKEN });
  const own = browser();
  const back = '/record?entity=companies&key=a%2Fb';
  const login = await own.submit('/login', { token: TOKEN, back }, back);
  expect([login.status, login.headers.location]).toEqual([303, back]);
  for (const cookie of login.headers['set-cookie'] ?? []) {
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).not.toContain(TOKEN);
  }
  expect((await own.get('/')).text).toContain('Health by entity');
  expect((await own.submit('/logout', {})).status).toBe(303);
  expect((await own.get('/')).status).toBe(401);
});

/** The value of a cookie that an answer sets; undefined: it does not. */
function cookieOf(headers: { readonly 'set-cookie'?: string[] | undefined }, name: string) {
  const line = headers['set-cookie']?.find((one) => one.startsWith(`${name}=`));
  return line?.slice(name.length + 1).split(';')[0];
}

test('a session gets a name of its own: one that another site planted opens nothing', async () => {
  const { ask } = await openTestDashboard({ token: TOKEN });
  const planted = 'a-name-that-somebody-else-knows';
  const headers = { cookie: `placement_sync_visit=${planted}`, 'sec-fetch-site': 'same-origin' };
  const login = await ask('/login', { method: 'POST', headers, form: { token: TOKEN } });
  expect(login.status).toBe(303);
  const [visit, session] = ['visit', 'session'].map((name) =>
    cookieOf(login.headers, `placement_sync_${name}`),
  );
  expect(visit).toBeDefined();
  expect(visit).not.toBe(planted);
  const as = (name: string | undefined) =>
    ask('/', { headers: { cookie: `placement_sync_visit=${name}; placement_sync_session=${session}` } });
  expect([(await as(planted)).status, (await as(visit)).status]).toEqual([401, 200]);
});

test('behind a proxy with TLS the cookies are sent over TLS only', async () => {
  const { ask } = await openTestDashboard({ token: TOKEN });
  const logIn = async (proxy: Record<string, string>) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...proxy };
    const { headers: answer } = await ask('/login', { method: 'POST', headers, form: { token: TOKEN } });
    const cookies = answer['set-cookie'] ?? [];
    expect(cookies.length).toBeGreaterThan(1);
    return new Set(cookies.map((cookie) => /; Secure(;|$)/.test(cookie)));
  };
  for (const proto of ['https', 'HTTPS', 'https,https', 'https, http'])
    expect([proto, await logIn({ 'x-forwarded-proto': proto })]).toEqual([proto, new Set([true])]);
  for (const proto of ['http', 'http, https', 'httpsx'])
    expect([proto, await logIn({ 'x-forwarded-proto': proto })]).toEqual([proto, new Set([false])]);
  expect(await logIn({})).toEqual(new Set([false]));
});

test('a wrong token is refused, and after five of them even the right one for a while', async () => {
  const { browser, ask } = await openTestDashboard({ token: TOKEN });
  const own = browser();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await own.submit('/login', { token: 'guess' }, '/login')).status).toBe(401);
  }
  const blocked = await own.submit('/login', { token: TOKEN }, '/login');
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('/', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(429);
});

test('a right token of 24 characters or more always counts, whoever guessed before from the same proxy', async () => {
  const long = 'a-token-that-is-made-by-chance';
  const { browser, ask } = await openTestDashboard({ token: long });
  const bearer = (token: string) => ask('/', { headers: { authorization: `Bearer ${token}` } });
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await bearer('guess')).status).toBe(401);
  expect((await bearer('guess')).status).toBe(429);
  expect((await bearer(long)).status).toBe(200);
  expect((await browser().submit('/login', { token: long }, '/login')).status).toBe(303);
  expect((await bearer(long.slice(1))).status).toBe(429);
});

test('tokens that could be guessed are named at the start, where others can reach the pages', () => {
  const warnings = (settings: Parameters<typeof warnOfShortTokens>[0]) => {
    const said: string[] = [];
    warnOfShortTokens(settings, (event) => void (event.type === 'warning' && said.push(event.message)));
    return said;
  };
  const tokens = [
    { name: 'ani', token: 'x'.repeat(24), role: 'act' },
    { name: 'budi', token: 'x'.repeat(23), role: 'look' },
  ] as const;
  const [warning, ...more] = warnings({ host: '0.0.0.0', token: 'secret', tokens });
  expect([warning, more]).toEqual([expect.stringContaining('fewer than 24 characters: token, budi.'), []]);
  expect(warning).not.toContain('secret');
  expect(warnings({ host: '127.0.0.1', token: 'secret' })).toEqual([]);
  expect(warnings({ host: '0.0.0.0', token: null })).toEqual([]);
});

test('nothing that is shown before the log-in hangs on the token: it could be guessed by comparing', async () => {
  const { browser } = await openTestDashboard({ token: TOKEN });
  const { text, headers } = await browser().get('/');
  const [, visit = ''] = /placement_sync_visit=([^;]+)/.exec(String(headers['set-cookie'])) ?? [];
  expect(visit).not.toBe('');
  expect(text).toContain('type="password"');
  expect(text).not.toContain(createSeals(TOKEN).formToken(visit));
});

test('a log-in that a page of elsewhere sends is refused and counts as no guess', async () => {
  const { ask, browser } = await openTestDashboard({ token: TOKEN });
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await ask('/login', { method: 'POST', headers, form: { token: 'guess' } })).status).toBe(403);
  }
  expect((await browser().submit('/login', { token: TOKEN }, '/login')).status).toBe(303);
});

test('a program may leave out length and body, and what is no address of ours is not found', async () => {
  const { ask, events } = await openTestDashboard({ token: TOKEN });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  expect((await ask('/actions/run', { method: 'POST', headers: chunked })).status).toBe(303);
  expect((await ask('/actions/run', { method: 'POST', headers: chunked, form: {} })).status).toBe(303);
  const long = { back: 'x'.repeat(140_000) };
  expect((await ask('/actions/run', { method: 'POST', headers: chunked, form: long })).status).toBe(413);
  expect((await ask('/', { method: 'PUT', headers })).status).toBe(404);
  for (const path of ['//', '//[', '//elsewhere.example'])
    expect([path, (await ask(path, { headers })).status]).toEqual([path, 404]);
  expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
});

test('a program may bring the token itself, and needs no form of ours then', async () => {
  const { ask, state } = await openTestDashboard({ token: TOKEN });
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await ask('/', { headers })).status).toBe(200);
  expect((await ask('/actions/run', { method: 'POST', headers, form: {} })).status).toBe(303);
  expect(await state.schedules.read('sync')).not.toBeNull();
  expect((await ask('/', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
});

test('a form that is not ours does nothing', async () => {
  const { ask, browser, state } = await openTestDashboard();
  const own = browser();
  const { text, headers } = await own.get('/');
  const [, form = ''] = /name="form"\s+value="([^"]*)"/.exec(text) ?? [];
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  expect(form).not.toBe('');
  const other = await browser().get('/');
  const othersCookie = other.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const attempts: [string, Record<string, string>, string][] = [
    ['no cookie', {}, form],
    ['another browser’s cookie', { cookie: othersCookie }, form],
    ['no token', { cookie }, ''],
    ['a foreign origin', { cookie, origin: 'https://evil.example' }, form],
    ['an origin that says nothing', { cookie, origin: 'null' }, form],
    ['a foreign page', { cookie, 'sec-fetch-site': 'cross-site' }, form],
  ];
  for (const [name, sent, token] of attempts) {
    const reply = await ask('/actions/run', { method: 'POST', headers: sent, form: { form: token } });
    expect([name, reply.status]).toEqual([name, 403]);
  }
  expect(await state.schedules.read('sync')).toBeNull();
  expect((await ask('/actions/run', { method: 'POST', headers: { cookie }, form: { form } })).status).toBe(
    303,
  );
});

test('seals hold for one browser, one purpose, one token and until they end', () => {
  const seals = createSeals(TOKEN);
  const visit = seals.newVisit();
  const session = seals.session(visit, 0);
  expect(seals.isSession(visit, session, 1)).toBe(true);
  expect(seals.isSession(visit, session, 12 * 3_600_000 - 1)).toBe(true);
  expect(seals.isSession(visit, session, 12 * 3_600_000)).toBe(false);
  expect(seals.isSession(seals.newVisit(), session, 1)).toBe(false);
  expect(seals.isSession(visit, session.replace(/^\d+/, '99999999999999'), 1)).toBe(false);
  expect(seals.isFormToken(visit, session.split('.')[1] ?? '')).toBe(false);
  expect(createSeals(TOKEN).isSession(visit, session, 1), 'another replica, or a restart').toBe(true);
  expect(createSeals('another').isSession(visit, session, 1)).toBe(false);
  const [one, other] = [createSeals(null), createSeals(null)];
  expect(one.isFormToken(visit, other.formToken(visit))).toBe(false);
  expect(one.isToken('')).toBe(false);
});

test('guesses are bounded by address and altogether, and are forgotten after a minute', () => {
  let now = 0;
  const limit = createGuessLimit(() => now);
  for (let guess = 0; guess < 5; guess += 1) limit.noteWrong('a');
  expect([limit.secondsToWait('a'), limit.secondsToWait('b')]).toEqual([60, 0]);
  for (let guess = 0; guess < 45; guess += 1) limit.noteWrong(`other ${guess}`);
  expect(limit.secondsToWait('b')).toBe(60);
  now = 59_999;
  expect([limit.secondsToWait('a'), limit.secondsToWait('b')]).toEqual([1, 1]);
  now = 60_000;
  expect([limit.secondsToWait('a'), limit.secondsToWait('b')]).toEqual([0, 0]);
});

test.each([
  '/',
  '/records?entity=companies&status=synced',
  '/record?entity=companies&key=a%2Fb',
  '/tenant?name=acme',
  '/actions',
])('%s is a page of ours', (path) => {
  expect(localPath(path)).toBe(path);
});

test.each([
  undefined,
  '',
  'https://elsewhere.example/',
  'https://elsewhere.example/records',
  '//elsewhere.example/records',
  '/\\elsewhere.example/records',
  'http://dashboard.elsewhere.example/records',
  'javascript:alert(1)',
  '/logout',
  '/actions/run',
  'http://[',
])('%s is none, so the overview follows', (asked) => {
  expect(localPath(asked)).toBe('/');
});

const NAMED = {
  tokens: [
    { name: 'reader', token: 'a-token-of-a-reader', role: 'look' },
    { name: 'Rina', token: 'a-token-of-rina', role: 'act' },
  ],
} as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('every button leaves one row with the name of the token, also when nothing is found or it fails', async () => {
  const { ask, posts, state } = await openTestDashboard({ token: TOKEN, admission: NAMED });
  await state.publish('companies', wants('k1', '1'));
  const fields: Record<string, Readonly<Record<string, string>>> = {
    '/actions/run': {},
    '/actions/retry': { entity: 'companies', status: 'rejected' },
    '/actions/approve': { entity: 'companies', reason: 'we  know\nwhy' },
    '/actions/resync': { entity: 'companies', key: 'k1' },
    '/actions/matching': { entity: 'companies', act: 'retry', status: 'rejected', find: 'k', reason: '' },
    '/actions/selected': { entity: 'companies', act: 'retry', key: 'k1' },
  };
  const changesNothing = ['/actions/look', '/login', '/logout'];
  expect(posts.toSorted(), 'a new button: it needs a row, and fields here').toEqual(
    [...Object.keys(fields), ...changesNothing].toSorted(),
  );
  for (const [path, form] of Object.entries(fields))
    expect([
      path,
      (await ask(path, { method: 'POST', headers: bearer('a-token-of-rina'), form })).status,
    ]).toEqual([path, 303]);
  const rows = await state.operatorActions.list({ limit: 100 });
  expect(
    rows
      .toReversed()
      .map(({ who, via, action, keys, reason, outcome }) => ({ who, via, action, keys, reason, outcome })),
  ).toEqual(
    [
      { action: 'run', keys: [], reason: null, outcome: 'done' },
      { action: 'retry', keys: [], reason: null, outcome: 'done' },
      { action: 'approve', keys: [], reason: 'we know why', outcome: 'nothing' },
      { action: 'resync', keys: ['k1'], reason: null, outcome: 'done' },
      {
        action: 'retry',
        keys: [],
        reason: 'all that match: rejected, key or title "k"',
        outcome: 'done',
      },
      { action: 'retry', keys: ['k1'], reason: null, outcome: 'done' },
    ].map((row) => ({ who: 'Rina', via: 'page', ...row })),
  );
  await state.sql(`update placement_sync.environment set base_url = 'https://other.example'`);
  await state.sql(
    `insert into placement_sync.environment (area, base_url, client_id, namespace)
     values ('jobs', 'https://other.example', 'one', '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11') on conflict do nothing`,
  );
  expect((await ask('/actions/run', { method: 'POST', headers: bearer(TOKEN) })).status).toBe(409);
  const [latest] = await state.operatorActions.list({ limit: 1 });
  expect(latest).toMatchObject({ who: 'token', action: 'run', outcome: 'failed: environment-changed' });
});

test('a token with the role look sees pages without buttons, and no POST of it does anything', async () => {
  const { ask, browser, posts, state } = await openTestDashboard({ token: TOKEN, admission: NAMED });
  await state.publish('companies', wants('k1', '1'));
  const own = browser();
  await own.submit('/login', { token: 'a-token-of-a-reader' }, '/login');
  for (const path of [
    '/',
    '/records?entity=companies',
    '/record?entity=companies&key=k1',
    '/actions',
    '/inbox',
  ]) {
    const { status, text } = await own.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain('action="/actions/');
    expect(text).not.toContain('type="checkbox"');
  }
  for (const path of posts.filter((one) => one !== '/login' && one !== '/logout')) {
    const form = { entity: 'companies', status: 'rejected', key: 'k1', act: 'resync' };
    for (const reply of [
      await own.submit(path, form),
      await ask(path, { method: 'POST', headers: bearer('a-token-of-a-reader'), form }),
    ]) {
      expect([path, reply.status]).toEqual([path, 403]);
      expect(reply.text).toContain('Your token has the role look.');
    }
  }
  expect((await state.operatorActions.list({ limit: 9 })).map(({ action }) => action)).toEqual([
    'read-inbox',
  ]);
  expect(await state.schedules.read('sync')).toBeNull();
  expect((await own.submit('/logout', {})).status).toBe(303);
  expect((await own.get('/')).status).toBe(401);
});

test('a session has the role of its token, and ends when the token changes', async () => {
  const before = await openTestDashboard({ token: null, admission: NAMED });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const login = await before.ask('/login', { method: 'POST', headers, form: { token: 'a-token-of-rina' } });
  expect(login.status).toBe(303);
  // A browser keeps the last one of a name.
  const set = (login.headers['set-cookie'] ?? []).map((line) => (line.split(';')[0] ?? '').split('='));
  const cookie = [...new Map(set.map(([name, value]) => [name, value]))]
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const as = async (token: string, role: 'look' | 'act') => {
    const tokens = [NAMED.tokens[0], { name: 'Rina', token, role }];
    const { ask } = await openTestDashboard({ token: TOKEN, admission: { tokens } });
    const { status, text } = await ask('/', { headers: { cookie } });
    return [status, text.includes('action="/actions/run"')];
  };
  expect(await as('a-token-of-rina', 'act')).toEqual([200, true]);
  expect(await as('a-token-of-rina', 'look')).toEqual([200, false]);
  expect(await as('another-token-of-rina', 'act')).toEqual([401, false]);
});

test('where reasons are asked for, an approval without one changes nothing and has a field for it', async () => {
  const { browser, state } = await openTestDashboard({ requireReason: true });
  await state.sql(`insert into placement_sync.entity_state (entity, hold) values ('companies', $1)`, [
    JSON.stringify({
      guard: 'empty-source',
      message: 'The source has no rows.',
      counts: { vanished: 3, invalid: 0 },
      sampleKeys: ['k1'],
      since: '2026-01-01T00:00:00Z',
    }),
  ]);
  const own = browser();
  expect((await own.get('/')).text).toMatch(/name="reason" maxlength="500" autocomplete="off" required/);
  const seen = { entity: 'companies', vanished: '3', invalid: '0' };
  for (const reason of ['', '  ', 'x'.repeat(501)]) {
    const refused = await own.submit('/actions/approve', { ...seen, reason });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('A reason is missing');
  }
  expect((await state.entityStates.read('companies')).approval).toBeNull();
  expect(await state.operatorActions.list({ limit: 1 })).toEqual([]);
  expect((await own.submit('/actions/approve', { ...seen, reason: 'the site closed' })).status).toBe(303);
  expect(await state.operatorActions.list({ limit: 9 })).toMatchObject([
    {
      action: 'approve',
      entity: 'companies',
      counts: { vanished: 3, invalid: 0 },
      reason: 'the site closed',
      outcome: 'done',
    },
  ]);
  const page = await own.get('/actions');
  for (const part of ['this machine', 'the site closed', 'done: gone 3']) expect(page.text).toContain(part);
  expect((await own.get('/actions?lang=id')).text).toContain('Tindakan');
  await state.sql(
    `insert into placement_sync.operator_action (who, via, action, reason)
     select 'somebody', 'command', 'retry', 'reason ' || n || '.' from generate_series(1, 60) n`,
  );
  const first = pageWords((await own.get('/actions?lang=en')).text);
  expect(first).toMatch(/reason 60\. .* reason 59\. .* reason 11\. .*Older actions/);
  expect(first).not.toContain('reason 10.');
  const older = await own.get(linkTo((await own.get('/actions')).text, 'Older actions'));
  expect(pageWords(older.text)).toMatch(/reason 10\. .* reason 9\. .* the site closed/);
  expect((await own.get('/actions?before=x')).status).toBe(400);
});
