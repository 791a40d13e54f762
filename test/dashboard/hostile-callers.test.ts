import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../postgres/test-database.js';
import { planted } from '../security/planted.js';
import { openTestSource } from '../core/source/source-fixture.js';
import { wants } from '../core/ledger/open-test-state.js';
import { openTestDashboard } from './open-test-dashboard.js';

describe('hostile callers', () => {
  const TOKEN = planted('admin');
  const WEBHOOK_PATH = '/webhooks/job-applications';

  /** What somebody elsewhere may say of himself, to be taken for somebody on this machine. */
  const DISGUISES: readonly Readonly<Record<string, string>>[] = [
    { host: 'localhost:9090' },
    { host: '127.0.0.1', 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost', 'x-real-ip': '::1' },
    { forwarded: 'for=127.0.0.1;host=localhost;proto=https' },
    { 'x-forwarded-proto': 'https', 'x-original-url': '/livez', 'x-rewrite-url': '/metrics' },
    { 'x-http-method-override': 'GET', origin: 'http://localhost:9090', 'sec-fetch-site': 'same-origin' },
  ];

  /** The first line of the answer to a request that is written as it is. */
  async function raw(url: string, ...lines: string[]): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return text.split('\r\n')[0] ?? '';
  }

  test('no header stands in for the token, nor opens a listener that others reach and that has none', async () => {
    for (const [token, refusal] of [
      [TOKEN, 401],
      [null, 403],
    ] as const) {
      const { ask, state } = await openTestDashboard({ host: '0.0.0.0', token });
      for (const headers of DISGUISES) {
        expect([headers, (await ask('/', { headers })).status]).toEqual([headers, refusal]);
        const post = await ask('/actions/run', { method: 'POST', headers, form: { form: 'x' } });
        expect([headers, post.status]).toEqual([headers, refusal]);
      }
      for (const path of ['/livez', '/readyz', '/metrics']) expect((await ask(path)).status).toBe(200);
      expect(await state.schedules.read('sync')).toBeNull();
    }
  });

  test('guesses are counted by who is connected, whatever address he says is his', async () => {
    const { ask } = await openTestDashboard({ token: TOKEN });
    const guess = (n: number) =>
      ask('/', { headers: { authorization: `Bearer ${n}`, 'x-forwarded-for': `10.0.0.${n}` } });
    const statuses = [];
    for (let n = 1; n <= 6; n += 1) statuses.push((await guess(n)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('a name that was made to lead to this machine is refused, in every way of writing it', async () => {
    const { ask, browser, url, state } = await openTestDashboard();
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { host: 'evil.example' },
      { host: 'evil.example', 'x-forwarded-host': 'localhost' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example:9090' },
      { host: '0.0.0.0' },
      { host: 'localhost@evil.example' },
    ];
    const own = browser();
    for (const headers of foreign) {
      expect([400, 403], JSON.stringify(headers)).toContain((await own.get('/', headers)).status);
      const post = await ask('/actions/run', { method: 'POST', headers, form: {} });
      expect([400, 403], JSON.stringify(headers)).toContain(post.status);
    }
    const host = new URL(url).host;
    for (const target of [
      'http://evil.example/',
      'HTTPS://evil.example:9090/',
      'http://localhost@evil.example/',
    ])
      expect(await raw(url, `GET ${target} HTTP/1.1`, `Host: ${host}`)).toMatch(/ 40[03] /);
    // Of a target that names the host the Host header says nothing (RFC 9112, 3.2.2), and no browser sends one.
    expect(await raw(url, `GET http://${host}/ HTTP/1.1`, 'Host: evil.example')).toMatch(/ 200 /);
    expect(await raw(url, 'GET / HTTP/1.1', 'Host: evil.example', `Host: ${host}`)).toMatch(/ 40[03] /);
    expect(await raw(url, 'GET / HTTP/1.1')).toMatch(/ 40[03] /);
    expect(await raw(url, 'GET / HTTP/1.1', `Host: ${host}`)).toMatch(/ 200 /);
    expect(await state.schedules.read('sync')).toBeNull();
  });

  test('the admin listener takes no webhooks', async () => {
    const { ask, state } = await openTestDashboard();
    const reply = await ask(WEBHOOK_PATH, { method: 'POST', form: { id: 'x' } });
    expect([403, 404]).toContain(reply.status);
    expect(await state.sql('select 1 from placement_sync.job_application')).toEqual([]);
  });

  test('nothing that is given back in a header can begin another one', async () => {
    const { browser, state } = await openTestDashboard();
    const key = 'a\r\nSet-Cookie: stolen=1';
    await state.publish('companies', wants('k', '1'));
    await state.sql('update placement_sync.sync_state set key = $1', [key]);
    const own = browser();
    const backs = [
      '/\r\nSet-Cookie: stolen=1',
      '/records?entity=a%0d%0aSet-Cookie:%20stolen=1',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ];
    for (const back of backs) {
      const reply = await own.submit('/actions/resync', { entity: 'companies', key, back });
      expect([back, reply.status]).toEqual([back, 303]);
      expect(reply.headers.location).toMatch(/^\/(records|record)?(\?[\x21-\x7e]*)?$/);
      expect(JSON.stringify(reply.headers['set-cookie'] ?? [])).not.toContain('stolen');
    }
    const page = await own.get('/?lang=en%0d%0aSet-Cookie:%20stolen=1');
    expect(JSON.stringify(page.headers)).not.toContain('stolen');
  });

  test('markup in whatever the state holds is text on every page', async () => {
    const { ask, state, watch } = await openTestDashboard({ clientId: '<img src=x>' });
    const markup = '<img src=x onerror=alert(1)>"\'&';
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    await state.publish('vacancies', wants('v', '1'));
    await state.sql(
      `update placement_sync.sync_state set desired_payload = jsonb_build_object($1::text, $1::text), last_error = $1,
    last_request_id = $1, reference = $1, remote_id = $1, row_version = $1, acknowledged_payload = jsonb_build_object($1::text, $1::text)`,
      [markup],
    );
    await state.sql(`update placement_sync.sync_state set refused_hash = desired_hash where key = 'a'`);
    await state.sql(
      `update placement_sync.sync_state set invalid_reason = jsonb_build_array(jsonb_build_object('code', $1::text, 'field', $1::text,
       'message', $1::text, 'hint', $1::text)) where key = 'b'`,
      [markup],
    );
    await state.sql(`update placement_sync.sync_state set key = $1 where key = 'c'`, [markup]);
    await state.sql(`update placement_sync.lease set holder = $1`, [markup]);
    await state.sql(
      `update placement_sync.entity_state set hold = jsonb_build_object('guard', 'max-vanished-count', 'message', $1::text,
       'since', '2026-01-01T00:00:00Z', 'counts', '{"vanished": 1, "invalid": 0, "read": 1, "inLedger": 2}'::jsonb, 'sampleKeys', jsonb_build_array($1::text))`,
      [markup],
    );
    await state.sql(
      `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, error)
     values (gen_random_uuid(), $1, $1, now(), now(), 'failed', 1, jsonb_build_object('code', $1::text, 'message', $1::text))`,
      [markup],
    );
    watch.note({ type: 'area-stopped', area: 'jobs', code: 'redirected', message: markup, hint: markup });
    const paths = ['/', '/?lang=id', `/record?entity=companies&key=${encodeURIComponent(markup)}`];
    for (const status of ['pending', 'rejected', 'invalid'])
      paths.push(`/records?entity=companies&status=${status}`);
    for (const key of ['a', 'b']) paths.push(`/record?entity=companies&key=${key}`);
    paths.push(`/?done=resync&key=${encodeURIComponent(markup)}`);
    let shown = 0;
    for (const path of paths) {
      const { text, status } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, text.includes('<img')]).toEqual([path, false]);
      if (text.includes('&lt;img')) shown += 1;
    }
    expect(shown, 'the pages show it, as text').toBeGreaterThan(3);
  });
});

describe('hang ups', () => {
  const LIST = '/records?entity=companies&status=pending';
  const PATIENT = { timeout: 10_000 };
  const RECORD = '/record?entity=companies&key=a';

  /** A dashboard on pools as `start` opens them, whose tables another session can lock. */
  async function lockableDashboard() {
    const partner = await createTestDatabase();
    await partner.query('create table company (id text primary key)');
    const source = openTestSource(partner.url, { poolMax: 2, maxWaiting: 20 });
    onTestFinished(async () => {
      await source.close();
      await partner.drop();
    });
    const dashboard = await openTestDashboard({
      source,
      sql: 'select id as key, null as name from company',
      bound: { places: 2, maxWaiting: 30 },
    });
    const { url } = dashboard;
    const other = new pg.Client({ connectionString: dashboard.state.url });
    const beside = new pg.Client({ connectionString: partner.url });
    await Promise.all([other.connect(), beside.connect()]);
    onTestFinished(async () => void (await Promise.all([other.end(), beside.end()])));
    await other.query('begin');
    await beside.query('begin');
    const waiting = async () => {
      const [row] = await partner.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
       where datname = any ($1) and wait_event_type = 'Lock'`,
        [[partner.name, new URL(dashboard.state.url).pathname.slice(1)]],
      );
      return row?.count;
    };
    return {
      ...dashboard,
      waiting,
      lockState: () => other.query('lock table placement_sync.sync_state in access exclusive mode'),
      lockSource: () => beside.query('lock table company in access exclusive mode'),
      async unlock() {
        await Promise.all([other.query('rollback'), beside.query('rollback')]);
        await Promise.all([other.query('begin'), beside.query('begin')]);
      },
      /** Requests on one connection, written at once; nobody reads the answers. */
      write(requests: readonly string[]): Socket {
        const { hostname, port, host } = new URL(url);
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        onTestFinished(() => void socket.destroy());
        socket.write(requests.map((line) => `${line} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''));
        return socket;
      },
    };
  }

  test.each([
    ['lists of records', LIST, 'lockState'],
    ['record pages', RECORD, 'lockSource'],
  ] as const)('hang-ups end the statements of %s, asked for by GET and HEAD', async (_name, path, lock) => {
    const dashboard = await lockableDashboard();
    const { ask, write, waiting, unlock } = dashboard;
    for (const connections of [
      Array.from({ length: 50 }, () => [`GET ${path}`]),
      Array.from({ length: 50 }, () => [`HEAD ${path}`]),
    ]) {
      await dashboard[lock]();
      const sockets = connections.map(write);
      await expect.poll(waiting, PATIENT).toBe(2);
      sockets.forEach((socket) => socket.destroy());
      // A count for all who look goes on: it is one.
      await expect.poll(waiting, PATIENT).toBeLessThanOrEqual(lock === 'lockState' ? 1 : 0);
      await unlock();
      expect([404, 200]).toContain((await ask(path)).status);
    }
  });

  test('of many who ask at once those that would wait too long are told to come again', async () => {
    const { ask, lockSource, waiting, unlock, events } = await lockableDashboard();
    await lockSource();
    const asked = Array.from({ length: 60 }, () => ask(RECORD));
    const [turnedAway] = await Promise.all([Promise.race(asked), expect.poll(waiting, PATIENT).toBe(2)]);
    expect([turnedAway.status, turnedAway.headers['retry-after']]).toEqual([503, '1']);
    expect(turnedAway.text).toContain('Too many requests');
    await unlock();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    // Twenty pages are read or wait; the record is in neither database.
    expect(statuses.filter((status) => status === 404).length).toBeGreaterThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([404, 503]));
    expect((await ask(RECORD)).status).toBe(404);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});
