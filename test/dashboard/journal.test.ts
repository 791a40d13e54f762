import { describe, expect, test } from 'vitest';
import { ENGLISH_COVERAGE } from '../../src/dashboard/text/english-pages.js';
import { PROBE_CHECKS } from '../../src/domain/probe/checks.js';
import { accepted, only, refused, says, TIMEOUT_MS, wants } from '../state/open-test-state.js';
import { openTestDashboard } from './open-test-dashboard.js';

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

  test('a person who must log in comes back to the report and to a run', async () => {
    const { browser } = await openTestDashboard({ token: 'x'.repeat(40) });
    for (const path of ['/report?from=2026-01-01', `/runs/${RUN}`]) {
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

describe('coverage', () => {
  const ENVIRONMENT = 'https://platform.example as one';

  test('the page has every assumption, and what was observed of this environment and of no other', async () => {
    const { ask, state } = await openTestDashboard();
    await state.observations.save('https://elsewhere.example as one', [
      { id: 'envelope', result: 'differs', seen: 'of another platform' },
    ]);
    await state.observations.save(ENVIRONMENT, [
      { id: 'put-status', result: 'differs', seen: 'HTTP 202, <b>{data object}</b>' },
    ]);
    const { status, text } = await ask('/coverage');
    expect(status).toBe(200);
    for (const { id, assumption } of PROBE_CHECKS) expect(text, id).toContain(assumption);
    expect(text).toContain(ENVIRONMENT);
    expect(text).toContain('HTTP 202, &lt;b&gt;{data object}&lt;/b&gt;');
    expect(text).toContain('platform.replies.accepted');
    // Where nothing differs, nothing has to be set.
    expect(text).not.toContain('platform.signature');
    expect(text).not.toContain('of another platform');
    expect(text.match(/not observed yet/g)).toHaveLength(PROBE_CHECKS.length - 1);
  });

  test('in Indonesian the assumptions are Indonesian', async () => {
    const { ask } = await openTestDashboard();
    const { text } = await ask('/coverage?lang=id');
    expect(text).toContain('Setiap Put dari satu perusahaan memberi reference yang sama.');
    expect(text).toContain('belum diamati');
    expect(text).toContain('https://platform.example sebagai one');
    for (const { assumption } of PROBE_CHECKS) expect(text).not.toContain(assumption);
  });

  test('the assumptions in English are those of the checks', () => {
    expect(ENGLISH_COVERAGE.assumptions).toEqual(
      Object.fromEntries(PROBE_CHECKS.map(({ id, assumption }) => [id, assumption])),
    );
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
    expect(text).toContain('Of the vanished records 1 had expired: their last day was over.');
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
