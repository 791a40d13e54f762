import { expect, test } from 'vitest';
import { accepted, only, refused, says, TIMEOUT_MS, wants } from '../state/open-test-state.js';
import { openTestDashboard } from './open-test-dashboard.js';

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
