import { describe, expect, test } from 'vitest';
import { SyncError } from '../../src/core/domain/errors.js';
import { RUNBOOK_SECTIONS } from '../../src/features/troubles/hints.js';
import { anchorsOf } from '../docs/read-pages.js';
import { deferred, refused, says, wants } from '../core/ledger/open-test-state.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

describe('pages', () => {
  test('the overview counts records, and its numbers are links that lead somewhere', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    const [a, b] = await state.claim('companies');
    await state.record(refused(a!), deferred(b!));
    const { text, status } = await ask('/');
    expect(status).toBe(200);
    expect(text).toContain('Companies: 1 rejected');
    expect(text).toContain('placement-sync retry --entity companies');
    const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) =>
      path.replaceAll('&amp;', '&'),
    );
    expect(links).toContain('/records?entity=companies&status=deferred');
    for (const path of new Set(links)) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });

  test.each(['a/b?c=d&e#f', 'ключ 键 😀', ' ', '-x', '%2F', '漢'.repeat(341), '../..'])(
    'the key %s is found by its link',
    async (key) => {
      const { ask, state } = await openTestDashboard();
      await state.publish('companies', wants('k', '1'));
      await state.sql('update placement_sync.sync_state set key = $1', [key]);
      const { text } = await ask('/records?entity=companies&status=pending');
      const [, path = ''] = /class="key"\s+href="([^"]*)"/.exec(text) ?? [];
      const page = await ask(path.replaceAll('&amp;', '&'), { headers: { referer: `http://x${path}` } });
      expect(page.status).toBe(200);
      expect(page.text).toContain('the source is away');
    },
  );

  test('of an application status neither row nor payload nor values are shown', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('application-statuses', wants('a', '1'));
    await state.sql(`update placement_sync.sync_state set desired_payload = '{"name": "budi@example.com"}'`);
    const { text } = await ask('/record?entity=application-statuses&key=a');
    expect(text).toContain('personal data');
    expect(text).not.toContain('budi@example.com');
  });

  test('pages are in the language asked for, which is kept; else in the browser’s', async () => {
    const { ask, browser } = await openTestDashboard();
    const english = await ask('/');
    expect(english.text).toContain('<html lang="en">');
    const preferred = await ask('/', { headers: { 'accept-language': 'fr, id-ID;q=0.8, en;q=0.5' } });
    expect(preferred.text).toContain('<html lang="id">');
    expect(preferred.text).toContain('Kesehatan per entitas');
    const own = browser();
    await own.get('/?lang=id');
    expect((await own.get('/record?entity=companies&key=none')).text).toContain('Data tidak ditemukan');
    expect((await own.get('/?lang=xx')).text).toContain('<html lang="id">');
  });

  test('headers let a page load and send nothing elsewhere, and forbid caching', async () => {
    const { ask } = await openTestDashboard();
    const { headers, text } = await ask('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/\son\w+=|\sstyle=|<style|javascript:/);
    for (const [, path = ''] of text.matchAll(/(?:src|href)="(\/[\w.]+\?v=[^"]*)"/g)) {
      expect((await ask(path)).headers['cache-control']).toContain('immutable');
    }
  });

  test('a state database that is away is shown with 503 and a hint, and the page comes back by itself', async () => {
    let away = true;
    const error = new SyncError('state-unavailable', 'The state database db:5432/x cannot be used: refused', {
      scope: 'run',
    });
    const { ask } = await openTestDashboard({
      looking: (state) => ({
        ...state,
        records: {
          ...state.records,
          counts: (entity) => (away ? Promise.reject(error) : state.records.counts(entity)),
        },
      }),
    });
    const reply = await ask('/');
    expect(reply.status).toBe(503);
    expect(reply.text).toContain('cannot be used: refused');
    expect(reply.text).toContain('state.url');
    expect(reply.text).not.toMatch(/\bat .*\.(js|ts):\d/);
    away = false;
    expect((await ask('/')).status).toBe(200);
  });

  test('what makes no sense is 400 or 404 with a way back', async () => {
    const { ask } = await openTestDashboard();
    for (const [path, status] of [
      ['/records?entity=trainings', 400],
      ['/records?entity=companies&status=odd', 400],
      ['/record?entity=trainings&key=a', 400],
      ['/record?entity=companies&key=', 400],
      ['/record?entity=companies&key=%00', 404],
      ['/nothing', 404],
      ['/actions/run', 404],
    ] as const) {
      const reply = await ask(path);
      expect([path, reply.status]).toEqual([path, status]);
      expect(reply.text).toContain('href="/"');
    }
  });

  test('buttons do what they say, show it, and leave a line in the log', async () => {
    const { browser, state, events } = await openTestDashboard();
    const own = browser();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    const [a, b] = await state.claim('companies');
    await state.record(refused(a!), refused(b!));

    const retried = await own.submit('/actions/retry', {
      entity: 'companies',
      status: 'rejected',
      back: '/',
    });
    expect(retried.status).toBe(303);
    expect((await own.get(retried.headers.location!)).text).toContain(
      '2 records of Companies are pending again',
    );
    expect((await state.records.counts('companies')).pending).toBe(2);

    await state.acceptAll();
    const back = '/record?entity=companies&key=a';
    const resent = await own.submit('/actions/resync', { entity: 'companies', key: 'a', back });
    expect((await own.get(resent.headers.location!)).text).toContain(
      'a: the worker reads it again and sends it',
    );
    expect(await state.row('a')).toMatchObject({ acknowledged_hash: null, row_version: null });

    const hold = {
      guard: 'empty-source',
      message: 'empty',
      counts: { vanished: 2, invalid: 0 },
      sampleKeys: ['a'],
      since: new Date().toISOString(),
    } as const;
    await state.entityStates.hold(state.sweep, 'companies', hold);
    const asked = (await own.get('/')).text;
    expect(asked).toContain('Approve …');
    expect(asked).toMatch(/Approve Companies\? 2 companies will only be marked as vanished: nothing is sent/);
    const seen = { vanished: '1', invalid: '0' };
    const late = await own.submit('/actions/approve', { entity: 'companies', ...seen });
    expect((await own.get(late.headers.location!)).text).toContain('a newer sweep found more');
    expect((await state.entityStates.read('companies')).approval).toBeNull();
    const approved = await own.submit('/actions/approve', { entity: 'companies' });
    expect((await own.get(approved.headers.location!)).text).toContain('Approved. The next run applies it');
    expect((await state.entityStates.read('companies')).approval).toEqual({ vanished: 2, invalid: 0 });
    expect(
      events.map((event) => event.type === 'operator-action' && [event.action, event.outcome, event.counts]),
    ).toEqual([
      ['retry', 'done', { companies: 2 }],
      ['resync', 'done', { companies: 1 }],
      ['approve', 'grown', {}],
      ['approve', 'done', { vanished: 2, invalid: 0 }],
    ]);
  });

  test('closing more than 500 records is a red button that names them, beside a way back, and their number is typed', async () => {
    const { browser, state } = await openTestDashboard({ onVanished: 'close' });
    const own = browser();
    await state.publish('vacancies', wants('a', '1'));
    const hold = (vanished: number) =>
      state.entityStates.hold(state.sweep, 'vacancies', {
        guard: 'max-vanished-count',
        message: 'many',
        counts: { vanished, invalid: 0, neverThere: 100 },
        whose: {
          entity: 'companies',
          parents: 2,
          count: vanished,
          most: { name: 'PT X', count: vanished - 1 },
        },
        sampleKeys: ['a'],
        since: new Date().toISOString(),
      });
    await hold(16_743);
    const { text } = await own.get('/');
    expect(text).toMatch(/class="danger" type="submit">Close 16,643 vacancies</);
    expect(pageWords(text)).toContain('Type the number 16,643');
    expect(pageWords(text)).toContain('16,742 of these 16,743 are of PT X.');
    expect(text).toMatch(/<a class="button" href="\/">Cancel</);
    const seen = { entity: 'vacancies', vanished: '16743', invalid: '0', neverThere: '100' };
    for (const typed of ['', '16743', 'yes']) {
      const reply = await own.submit('/actions/approve', { ...seen, typed });
      expect([typed, reply.status]).toEqual([typed, 400]);
      expect(reply.text).toContain('Nothing was approved.');
    }
    expect((await state.entityStates.read('vacancies')).approval).toBeNull();
    expect((await own.submit('/actions/approve', { ...seen, typed: '16.643' })).status).toBe(303);
    expect((await state.entityStates.read('vacancies')).approval?.vanished).toBe(16_743);
    expect(pageWords((await own.get('/')).text), 'what is approved waits').toMatch(/→ Waits by itself/);
    await state.sql('update placement_sync.entity_state set approval = null');
    await hold(600);
    await expect
      .poll(async () => pageWords((await own.get('/?lang=id')).text))
      .toContain('Tutup 500 lowongan');
    const few = await own.submit('/actions/approve', { ...seen, vanished: '600' });
    expect(few.status, 'of 500 a press is enough').toBe(303);
  });

  test('what cannot be sent is checked again, and what is closed keeps its title and offers nothing', async () => {
    const { browser, state } = await openTestDashboard({ onVanished: 'close' });
    const own = browser();
    await state.publish('companies', wants('a', 'Toko Satu'), wants('b', 'Toko Dua'));
    await state.acceptAll();
    await state.publish('companies', {
      ...says('invalid', 'a'),
      invalidReason: [{ field: 'name', code: 'required', message: 'is required' }],
    });
    await state.publish('companies', { ...says('vanished', 'b'), desiredHash: null });
    const invalid = await own.get('/records?entity=companies&status=invalid');
    expect(invalid.text).toContain('Check selected again …');
    expect(invalid.text).not.toContain('Send selected');
    const checked = await own.submitAll('/actions/selected', [
      ['entity', 'companies'],
      ['act', 'check'],
      ['key', 'a'],
    ]);
    expect((await own.get(checked.headers.location!)).text).toContain(
      'One record of Companies is checked again.',
    );
    expect((await state.row('a'))?.row_version, 'the next sweep reads it').toBeNull();
    const one = await own.get('/record?entity=companies&key=a');
    expect(one.text).toContain('Check again');
    expect(one.text).not.toContain('Send again');

    const closed = await own.get('/record?entity=companies&key=b');
    expect(pageWords(/<h1[^>]*>.*?<\/h1>/s.exec(closed.text)?.[0] ?? '')).toContain('Toko Dua');
    expect(closed.text).not.toContain('/actions/resync');
    expect(pageWords((await own.get('/records?entity=companies')).text)).toMatch(/b Toko Dua closed/);
    for (const path of [
      '/',
      '/records?entity=companies',
      '/record?entity=companies&key=b',
      '/record?entity=companies&key=a',
      '/actions',
    ])
      expect(pageWords((await own.get(`${path}${path.includes('?') ? '&' : '?'}lang=id`)).text)).not.toMatch(
        /\bhilang\b|is required|no longer|\bdone\b/,
      );
  });

  test('the button approves the other source that the page shows, and no page that shows none', async () => {
    const { browser, state } = await openTestDashboard();
    const own = browser();
    await state.publish('companies', wants('a', '1'));
    const counts = { vanished: 0, invalid: 0, source: '7/16384/hr' };
    await state.entityStates.hold(state.sweep, 'companies', {
      guard: 'other-source',
      message: 'Another database than before.',
      counts,
      sampleKeys: [],
      since: new Date().toISOString(),
    });
    const question = (await own.get('/')).text;
    expect(question).toContain(
      'The rows do not come from the source of before. Another database than before.',
    );
    expect(question).toContain('name="source" value="7/16384/hr"');
    expect(question).toContain('This source becomes the one of companies.');
    const none = { entity: 'companies', vanished: '0', invalid: '0' };
    const unseen = await own.submit('/actions/approve', none);
    expect((await own.get(unseen.headers.location!)).text).toContain('a newer sweep found more');
    expect((await state.entityStates.read('companies')).approval).toBeNull();
    await own.submit('/actions/approve', { ...none, source: counts.source });
    expect((await state.entityStates.read('companies')).approval).toEqual(counts);
  });

  test('a button does nothing on the ledger of another platform, and leads to no other site', async () => {
    const { browser, state } = await openTestDashboard({ clientId: 'another' });
    const own = browser();
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/.//evil.example',
      '/\\evil.example',
      'x',
    ])
      expect((await own.submit('/actions/run', { back })).headers.location).toBe('/?done=run');
    await state.environments.add([
      {
        area: 'jobs',
        baseUrl: 'https://platform.example',
        clientId: 'one',
        namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11',
      },
    ]);
    await state.publish('companies', wants('a', '1'), says('invalid', 'b'));
    const refusedAction = await own.submit('/actions/resync', { entity: 'companies', key: 'a' });
    expect(refusedAction.status).toBe(409);
    expect(refusedAction.text).toContain('adopt --environment');
  });
});

describe('menu', () => {
  test('every page has the menu, its entries lead somewhere, and the open page is marked', async () => {
    const { ask } = await openTestDashboard();
    const { text } = await ask('/');
    const marked = (page: string) =>
      [...page.matchAll(/<a [^>]*aria-current="page"\s*>([^<]*)</g)].map(([, name]) => name);
    for (const name of ['Overview', 'Records', 'Runs', 'Inbox', 'Report']) {
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

  test('a search that finds nothing keeps its words, also when it fails', async () => {
    const { ask, state } = await openTestDashboard();
    const searched = async (path: string, status: number) => {
      const reply = await ask(path);
      expect([path, reply.status]).toEqual([path, status]);
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
    const anchors = anchorsOf('docs/operate.md');
    expect(Object.values(RUNBOOK_SECTIONS).filter((section) => !anchors.has(section))).toEqual([]);
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    await state.record(refused((await state.claim())[0]!));
    const { text } = await ask('/');
    expect(linkTo(text, /^Help in the runbook/)).toBe('https://docs.example/runbook#rejected');
    expect(pageWords(text)).toContain('Help in the runbook : Companies: 1 rejected');
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
});
