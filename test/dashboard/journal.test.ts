import { describe, expect, test } from 'vitest';
import { platformDay } from '../../src/core/contract/time.js';
import { SyncError } from '../../src/core/domain/errors.js';
import { openReport } from '../../src/features/report/read-report.js';
import type { AreaSettings } from '../../src/core/context.js';
import { accepted, only, refused, says, TIMEOUT_MS, wants } from '../core/ledger/open-test-state.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

describe('journal', () => {
  const RUN = '0190a000-0000-7000-8000-000000000001';

  /** A run that sent what was claimed: all but `b` accepted. */
  async function runWorld(keys: readonly string[]) {
    const dashboard = await openTestDashboard();
    const { state } = dashboard;
    await state.publish('companies', ...keys.map((key) => wants(key, `Company ${key}`)));
    await state.runs.start({ runId: RUN, trigger: 'manual', holder: 'test' });
    const claims = await state.claim();
    await state.queue.record({
      fence: state.push,
      outcomes: claims.map((claim) => (claim.key === 'b' ? refused(claim) : accepted(claim))),
      tallies: [],
      timeoutMs: () => TIMEOUT_MS,
      runId: RUN,
    });
    return { ...dashboard, claims };
  }

  const linkIn = (text: string, pattern: RegExp) =>
    (pattern.exec(text)?.[1] ?? 'none').replaceAll('&amp;', '&');

  test('the page of a run lists what was sent, why it was rejected, and leads to the records', async () => {
    const { ask, claims } = await runWorld(['a', 'b']);
    const overview = await ask('/');
    expect(overview.text).toContain(`href="/runs/${RUN}"`);
    const { text, status } = await ask(`/runs/${RUN}`);
    expect(status).toBe(200);
    for (const { requestId } of claims) expect(text).toContain(requestId);
    // The status stands once, and the reason beside it.
    expect(text).toMatch(/HTTP status 422<\/span\s*>\s*<span class="line">no</);
    expect((await ask('/record?entity=companies&key=b')).text).toMatch(/HTTP status 422\s+no\b/);
    expect(text).toContain('href="/record?entity=companies&amp;key=a"');
    const rejected = await ask(`/runs/${RUN}?outcome=rejected`);
    expect(rejected.text).toContain(claims.find(({ key }) => key === 'b')?.requestId);
    expect(rejected.text).not.toContain(claims.find(({ key }) => key === 'a')?.requestId);
  });

  test('the list of a run goes on page by page, and shows each request once', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
    const { ask, claims } = await runWorld(keys);
    const first = await ask(`/runs/${RUN}`);
    const second = await ask(linkIn(first.text, /href="([^"]*after=[^"]*)"/));
    const shown = [first, second].flatMap(({ text }) =>
      claims.filter(({ requestId }) => text.includes(`<code>${requestId}</code>`)).map(({ key }) => key),
    );
    expect(shown.toSorted()).toEqual(keys.toSorted());
    expect(linkIn(second.text, /href="([^"]*)">First page/)).toBe(`/runs/${RUN}`);
  });

  test('a run that is not known, and an address that is not valid, are refused', async () => {
    const { ask } = await openTestDashboard();
    expect((await ask(`/runs/${RUN}`)).status).toBe(404);
    expect((await ask('/runs/nothing')).status).toBe(404);
    for (const path of [
      `/runs/${RUN}?after=x`,
      `/runs/${RUN}?after=99999999999999999999.${RUN}`,
      `/runs/${RUN}?outcome=x`,
      '/report?from=2026-02-30',
      '/report?from=2026-02-01&to=2026-01-01',
      '/report?entity=nothing',
      '/report/records?from=2026-02-30',
      '/report/records?entity=nothing',
      '/report/records?after=x',
      '/report/records.csv?to=x',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 400]);
  });

  test('the page of a record lists its requests, the latest first, and what changed since', async () => {
    const { ask, state, claims } = await runWorld(['a']);
    await state.publish('companies', {
      ...wants('a', 'Company B', null, 'changed'),
      desiredPayload: { name: 'Company <B>' },
    });
    const again = only(await state.claim());
    await state.record(refused(again));
    const { text } = await ask('/record?entity=companies&key=a');
    expect(text.indexOf(again.requestId)).toBeGreaterThan(0);
    expect(text.lastIndexOf(again.requestId)).toBeLessThan(text.lastIndexOf(claims[0]?.requestId ?? ''));
    expect(text).toContain('Changed since the platform accepted it');
    expect(text).toContain('Company a');
    expect(text).toContain('Company &lt;B&gt;');
  });

  test('the report counts by day and company, in the language of the page, and prints without its form', async () => {
    const { ask, state } = await runWorld(['a', 'b']);
    await state.publish('vacancies', wants('v', '1', 'a'));
    await state.acceptAll('vacancies');
    const { text, status } = await ask('/report?lang=id');
    // What stands in a field must be what its pattern takes.
    const days = [...text.matchAll(/pattern="([^"]+)" placeholder="([^"]+)"[^>]* value="([^"]+)"/g)];
    expect(days).toHaveLength(2);
    for (const [, pattern = '', sample, value] of days)
      expect([sample, value]).toEqual(
        [sample, value].map(() => expect.stringMatching(`^${pattern}$`) as string),
      );
    expect(status).toBe(200);
    expect(text).toContain('Laporan');
    expect(text).toContain('Company a <span class="key">a</span>');
    expect(text).toContain('https://platform.example');
    const old = await ask('/report?from=2020-01-01&to=2020-01-02&entity=vacancies');
    expect(old.text).not.toContain('Nothing was sent on these days.');
    expect(old.text).toMatch(/The journal begins 20[^.]*\. Nothing is known of the time before\./);
    expect(old.text).toContain('so it cannot say whether something was sent');
    expect((await ask('/report?from=2020-01-01&to=2020-01-02&lang=id')).text).toContain(
      'Waktu sebelumnya tidak diketahui',
    );
    const later = await ask('/report?from=2099-01-01&to=2099-01-02');
    expect(later.text).toContain('Nothing was sent on these days.');
    expect(old.text).toContain('<option value="vacancies" selected>');
    const [, style = ''] = /href="(\/dashboard\.css[^"]*)"/.exec(text) ?? [];
    expect((await ask(style)).text).toMatch(/@media print[^]*form[^]*display: none/);
  });

  test('the report by record says when each was reported and closed, and prints without what only works on a screen', async () => {
    const { ask, state } = await runWorld(['a', 'b']);
    await state.publish('vacancies', { ...wants('v', '1', 'a'), desiredPayload: { title: 'Nurse <1>' } });
    await state.acceptAll('vacancies');
    await state.publish('vacancies', {
      ...wants('v', '2', 'a', 'changed'),
      desiredPayload: { title: 'Nurse <1>', status: 'closed' },
    });
    await state.acceptAll('vacancies');
    const times = await state.sql<{ kind: string; at: string; id: string }>(
      `select kind, request_id as id, to_char(answered_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD HH24:MI:SS') as at
       from placement_sync.delivery where key = 'v' order by answered_at`,
    );
    const { text, status } = await ask('/report/records?entity=vacancies');
    expect(status).toBe(200);
    expect(text).toContain('Nurse &lt;1&gt;');
    const words = pageWords(text);
    for (const { at } of times) expect(words).toContain(at);
    expect(words).toContain(times.at(-1)?.id);
    expect(words).toContain('https://platform.example, client id one');
    expect(text).not.toContain('entity=companies&amp;key=');
    expect(linkTo(text, 'By day, company and institution')).toMatch(/^\/report\?from=/);
    expect((await ask(linkTo((await ask('/report')).text, /^By record/))).status).toBe(200);
    const indonesian = pageWords((await ask('/report/records?lang=id')).text);
    expect(indonesian).toContain('Laporan per data');
    expect(indonesian).toContain('Unduh semua sebagai CSV');
    const old = await ask('/report/records?from=2020-01-01&to=2020-01-02');
    expect(old.text).toContain('so it cannot say whether something was sent');
    expect(old.text).not.toContain('Nothing was sent on these days.');

    const ofCompany = pageWords((await ask('/report/records?company=COMPANY+a')).text);
    expect(ofCompany).toContain('Company or institution contains COMPANY a');
    expect(ofCompany).toContain('Nurse');
    expect(ofCompany).not.toContain('Company b');
    expect(pageWords((await ask('/report/records?company=Nobody')).text)).toContain(
      'No record of such a company or institution was sent on these days.',
    );
    const [, style = ''] = /href="(\/dashboard\.css[^"]*)"/.exec(text) ?? [];
    // A form, links to other pages and the button of the file are hidden.
    expect((await ask(style)).text).toMatch(
      /@media print[^]*header, nav, form, [^]*\.buttons[^]*display: none/,
    );
    expect(text).toMatch(
      /<div class="buttons">\s*<a class="button" href="\/report\/records\.csv[^>]* download/,
    );
  });

  test('the file of the page has every record, also those of further pages, and what the command prints', async () => {
    const { ask, state } = await openTestDashboard({ bound: { places: 1, maxWaiting: 5 } });
    await state.sql(
      `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
       select 'companies', 'c' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(), now(), 'accepted'
       from generate_series(1, 4500) n`,
    );
    const first = (await ask('/report/records')).text;
    expect(first).toContain('This page has a part of the records.');
    const second = (await ask(linkTo(first, 'Next page'))).text;
    const keysOf = (text: string) => [...text.matchAll(/class="key"[^>]*>(c\d+)<\/a/g)].map(([, key]) => key);
    expect(keysOf(first)).toHaveLength(200);
    expect(new Set([...keysOf(first), ...keysOf(second)]).size).toBe(400);
    expect(linkTo(second, 'First page')).toMatch(/^\/report\/records\?from=[\d-]+&to=[\d-]+$/);

    const path = linkTo(first, 'Download all as CSV');
    const file = await ask(path);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="records-[\d-]+\.csv"$/);
    const today = platformDay(Date.now(), 'Asia/Jakarta');
    const days = { from: '2020-01-01', to: today, timeZone: 'Asia/Jakarta', company: null };
    let printed = '';
    const entities = ['companies', 'vacancies', 'application-statuses'];
    const settings = { areas: { jobs: { clientId: 'one' } as AreaSettings } };
    const report = openReport(state.deliveries, { ...days, entities });
    for await (const part of report.csv('record', { settings, sentence: () => '' })) printed += part;
    expect(file.text).toBe(printed);
    expect(file.text.split('\n')).toHaveLength(1 + 4_500 + 1);
    const none = (await ask('/report/records.csv?company=nobody')).text;
    expect(none).not.toContain('companies');
    // The days begin before the journal does.
    expect(none).toMatch(/\n,+not-known,,The journal begins [^\n]*\n$/);
  });

  test('a file that cannot be read to its end is cut off, not short; before its begin it is an error', async () => {
    let pages = 0;
    let broken = 2;
    const { ask, state, events } = await openTestDashboard({
      looking: (same) => ({
        ...same,
        deliveries: {
          ...same.deliveries,
          records: (...asked) =>
            ++pages === broken
              ? Promise.reject(new SyncError('state-unavailable', 'the state is away', { scope: 'run' }))
              : same.deliveries.records(...asked),
        },
      }),
    });
    await state.sql(
      `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
       select 'companies', 'c' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(), now(), 'accepted'
       from generate_series(1, 2500) n`,
    );
    await expect(ask('/report/records.csv')).rejects.toThrow(/aborted|hang up/);
    expect(events).toContainEqual({
      type: 'warning',
      message: expect.stringMatching(/^The file records-.*csv was cut off: the state is away$/) as string,
    });
    [pages, broken] = [0, 1];
    expect((await ask('/report/records.csv')).status).toBe(503);
    [pages, broken] = [0, 9];
    expect((await ask('/report/records.csv')).text.split('\n')).toHaveLength(2_502);
  });

  test('the file of a report is for those who are logged in', async () => {
    const { ask } = await openTestDashboard({ token: 'x'.repeat(40) });
    const { status, text } = await ask('/report/records.csv');
    expect(status).toBe(401);
    expect(text).not.toContain('platform_id');
    const authorization = `Bearer ${'x'.repeat(40)}`;
    expect((await ask('/report/records.csv', { headers: { authorization } })).text).toContain('platform_id');
  });

  test('a person who must log in comes back to the report and to a run', async () => {
    const { browser } = await openTestDashboard({ token: 'x'.repeat(40) });
    for (const path of ['/report?from=2026-01-01', '/report/records?company=x', `/runs/${RUN}`]) {
      const { text } = await browser().get(path);
      expect(linkIn(text, /name="back" value="([^"]*)"/)).toBe(path);
    }
  });

  test('a record that is invalid has no button that could not send it', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', says('invalid', 'x'), wants('y', 'Y'));
    expect((await ask('/record?entity=companies&key=y')).text).toContain('Send again');
    const { text } = await ask('/record?entity=companies&key=x');
    expect(text).toContain('so it is not sent');
    expect(text).not.toMatch(/Send again|placement-sync resync/);
  });
});

describe('expired and foreign', () => {
  test('the overview says how many vanished vacancies had expired, and how many rows are foreign', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('vacancies', wants('a', '1'), wants('b', '1'), wants('c', '1'));
    await state.acceptAll('vacancies');
    await state.publish('vacancies', { ...says('vanished', 'a'), expired: true }, says('vanished', 'b'));
    await state.sql(
      `insert into placement_sync.entity_state (entity, foreign_rows) values ('application-statuses', 12)
     on conflict (entity) do update set foreign_rows = excluded.foreign_rows`,
    );
    const { text } = await ask('/');
    expect(text).toContain('Of those that left the source 1 had expired: their last day was over.');
    expect(text).toContain(
      '12 more rows are for applications that the webhook never received (foreign). Not sent.',
    );
    const indonesian = (await ask('/?lang=id')).text;
    expect(indonesian).toContain('1 sudah kedaluwarsa');
    expect(indonesian).toContain('12 baris lain untuk lamaran');
  });

  test('a list names the last day of a vacancy that expired', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('vacancies', wants('a', '1'));
    await state.acceptAll('vacancies');
    await state.sql(
      `update placement_sync.sync_state set desired_payload = jsonb_build_object('title', 'T', 'expire_at', '2020-01-31')`,
    );
    await state.publish('vacancies', { ...says('vanished', 'a'), expired: true });
    const { text } = await ask('/records?entity=vacancies&status=vanished');
    expect(text).toContain('Expired: its last day was 2020-01-31.');
  });
});
