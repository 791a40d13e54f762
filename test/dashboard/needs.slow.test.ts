import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Issue } from '../../src/core/domain/issue.js';
import { emptyReport } from '../../src/core/entities/index.js';
import type { Source, SourceReader } from '../../src/core/ports/source.js';
import { deferred, refused, says, wants } from '../core/ledger/open-test-state.js';
import { openTestDashboard, pageWords } from './open-test-dashboard.js';

describe('needs', () => {
  test('a stopped area shows why, that the worker tries again by itself, and when', async () => {
    const { ask, state, watch } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    const hint = 'Everything not sent stays pending, for the next run.';
    watch.note({ type: 'area-stopped', area: 'jobs', code: 'breaker-open', message: 'HTTP 503', hint });
    watch.note({ type: 'area-retry', area: 'jobs', delayMs: 290_000 });
    const english = pageWords((await ask('/')).text);
    expect(english).toMatch(
      /The platform does not answer, or only with errors\. It began \S+ seconds? ago\. 1 record stays pending\. HTTP 503\./,
    );
    expect(english).toMatch(/tries again by itself, first with one request: in 4 minutes, at \d\d:\d\d:\d\d/);
    expect(english).not.toContain('for the next run');
    const indonesian = pageWords((await ask('/?lang=id')).text);
    expect(indonesian).toMatch(/mencoba lagi dengan sendirinya.* dalam 4 menit, pukul \d\d\.\d\d\.\d\d/);
  });

  test('four minutes into an outage the first page shows the outage, also when the reading before took long', async () => {
    let nowMs = 0;
    let tookMs = 400;
    const { ask, state, watch } = await openTestDashboard({
      monotonic: () => nowMs,
      looking: (own) => ({
        ...own,
        runs: { ...own.runs, recent: (limit) => ((nowMs += tookMs), own.runs.recent(limit)) },
      }),
    });
    await state.publish('companies', wants('a', '1'));
    await state.acceptAll();
    expect(pageWords((await ask('/')).text)).toMatch(
      /Everything is in step As of [A-Z][a-z]{2} \d+, \d\d:\d\d:\d\d\. /,
    );
    const hint = 'Everything not sent stays pending, for the next run.';
    watch.note({ type: 'area-stopped', area: 'jobs', code: 'breaker-open', message: 'HTTP 503', hint });
    await state.publish('companies', wants('a', '2'));
    nowMs += 240_000;
    tookMs = 1_500;
    const outage = pageWords((await ask('/')).text);
    expect(outage).toContain('The platform does not answer, or only with errors');
    expect(outage).toMatch(/As of [A-Z][a-z]{2} \d+, \d\d:\d\d:\d\d, \d seconds ago\. /);
    nowMs += 4_000;
    expect(pageWords((await ask('/?lang=id')).text)).toMatch(
      /Keadaan per \d+ [A-Z][a-z]{2}, \d\d\.\d\d\.\d\d, \d detik yang lalu\. /,
    );
  });

  test('while it is being tried again, a stopped area says so; a refused authentication names its likely cause', async () => {
    const { ask, watch } = await openTestDashboard();
    const hint = 'Correct the clock.';
    watch.note({
      type: 'area-stopped',
      area: 'jobs',
      code: 'authentication-refused',
      message: 'HTTP 401',
      hint,
    });
    watch.note({ type: 'area-retry', area: 'jobs', delayMs: 0 });
    const text = pageWords((await ask('/')).text);
    expect(text).toContain('The worker is trying again now');
    expect(text).toContain('HTTP 401.');
    expect(text).toContain('What to do: Correct the clock.');
    expect(pageWords((await ask('/?lang=id')).text)).toContain('HTTP 401. Correct the clock.');
  });

  test('a code without an id is shown once, with its own hint, and not beside what else is invalid', async () => {
    const { ask, state } = await openTestDashboard();
    const issue = (code: Issue['code'], field: string, message: string): Issue => ({ code, field, message });
    const invalid = (key: string, ...issues: Issue[]) => ({ ...says('invalid', key), invalidReason: issues });
    await state.publish('companies', ...['a', 'b', 'c'].map((key) => wants(key, '1')));
    const unmapped = issue('undecided', 'industry', 'the code "X" has no id in i.csv yet');
    await state.publish('companies', invalid('a', unmapped), invalid('b', unmapped));
    const onlyCodes = pageWords((await ask('/')).text);
    expect(onlyCodes).toContain('Companies: 1 code without an id');
    expect(onlyCodes).not.toMatch(/Companies: \d+ invalid/);
    expect(onlyCodes).toContain('One problem needs your action');
    await state.publish('companies', invalid('c', issue('required', 'name', 'is missing'), unmapped));
    const both = pageWords((await (await openSame()).ask('/?lang=id')).text);
    expect(both).toContain('Perusahaan: 1 tidak valid');
    expect(both).toContain('name tidak ada isinya (is missing) 1 c');

    await state.publish('vacancies', wants('v', '1', 'c'));
    expect(pageWords((await (await openSame()).ask('/')).text)).toContain(
      'is missing Vacancies that wait for these: 1',
    );
    expect(pageWords((await (await openSame()).ask('/?lang=id')).text)).toContain(
      'Lowongan yang menunggu data ini: 1',
    );

    /** The reading of before is good for a second. */
    async function openSame() {
      return openTestDashboard({ looking: () => state });
    }
  });

  test('rejected records are shown by reason, with their number and a few keys', async () => {
    const { ask, state } = await openTestDashboard();
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
    await state.publish('companies', ...keys.map((key) => wants(key, '1')));
    await state.sql(
      `update placement_sync.sync_state set refused_hash = desired_hash, last_error = 'expire_at: Too early. Invalid.'`,
    );
    const text = pageWords((await ask('/')).text);
    expect(text).toContain('expire_at: Too early. Invalid. 5 k1 k2 k3 Show all 5');
  });

  test('deferred records are sent again at once by a button, and no other status is taken', async () => {
    const { browser, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    const [first, second] = await state.claim('companies', { limit: 2 });
    await state.record(refused(first!), deferred(second!));
    const own = browser();
    const retry = (status: string) =>
      own.submit('/actions/retry', { entity: 'companies', status, back: '/' });
    expect((await retry('pending')).status).toBe(400);
    expect((await retry('deferred')).headers.location).toBe('/?done=retry&count=1&of=companies');
    const counts = await state.records.counts('companies');
    expect(counts).toMatchObject({ pending: 1, deferred: 0, rejected: 1 });
  });

  test('a requested run is shown until it begins, to everyone who looks', async () => {
    const { ask, browser, state } = await openTestDashboard();
    const own = browser();
    const asked = await own.submit('/actions/run', { back: '/' });
    expect(pageWords((await own.get(asked.headers.location!)).text)).toContain('Run requested.');
    const meanwhile = (await ask('/')).text;
    expect(pageWords(meanwhile)).toContain('Run requested.');
    expect(meanwhile, 'it goes as soon as it is no longer so').not.toContain('data-lasting');
    await state.schedules.setDue('sync', new Date(Date.now() + 600_000));
    // What was read before is forgotten with every button.
    const retried = await own.submit('/actions/retry', {
      entity: 'companies',
      status: 'rejected',
      back: '/',
    });
    expect(pageWords((await ask('/')).text)).not.toContain('Run requested.');
    const { text } = await own.get(retried.headers.location!);
    expect(text, 'what was done is left to be read').toMatch(/data-lasting\s*>\s*<p class="message"/);
  });

  test('before the first sweep the page says when it is due and what to do', async () => {
    const { ask, state } = await openTestDashboard();
    await state.schedules.setDue('sync', new Date(Date.now() + 590_000));
    const text = pageWords((await ask('/')).text);
    expect(text).toContain('No sweep yet');
    expect(text).toMatch(/due in 9 minutes \(.*\d\d:\d\d\)/);
    expect(text).toContain('placement-sync plan');
    expect(text).not.toContain('None.');
  });

  test('a state database that went back in time is one problem, with the entities and the command', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    await state.sql(`update placement_sync.entity_state set in_doubt_since = now() - interval '2 hours'`);
    const english = pageWords((await ask('/')).text);
    expect(english).toContain('The state database was restored or failed over');
    expect(english).toMatch(/Noticed 2 hours ago\. .* says: Companies\./);
    expect(english).toContain('placement-sync verify --all --repair');
    expect(pageWords((await ask('/?lang=id')).text)).toContain('Basis data status dipulihkan');
  });

  test('what passes by itself is listed and needs no action; an area that another process found silent is listed once', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'), wants('b', '1'));
    const [a] = await state.claim('companies');
    await state.record(deferred(a!));
    await state.sql('delete from placement_sync.push_hour');
    const alone = pageWords((await ask('/')).text);
    expect(alone).toContain('Companies: 1 deferred');
    expect(alone).toMatch(/^[^·]*Sending changes/);
    expect(alone).toMatch(/The last attempt failed\. The oldest became due .*HTTP 500/);
    await state.sql(
      `insert into placement_sync.area_state (area, failures_in_a_row, stop_code, stop_message, stop_hint, stopped_at)
     values ('jobs', 4, 'breaker-open', '4 requests in a row failed', 'Wait.', now() - interval '5 minutes')`,
    );
    const stopped = pageWords((await (await openTestDashboard({ looking: () => state })).ask('/')).text);
    expect(stopped).toContain('Job-placement area: sending stopped');
    expect(stopped).toContain('It began 5 minutes ago. 2 records stay pending. 4 requests in a row failed');
    expect(stopped).not.toContain('Companies: 1 deferred');
  });

  test('what stopped an area in the last run is shown for the area, not for the query', async () => {
    const { ask, state } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    await state.sql(
      `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
     values (gen_random_uuid(), 'manual', 'host', now(), now(), 'aborted', 5, $1)`,
      [
        JSON.stringify({
          companies: {
            ...{ read: 1, unchanged: 1, new: 0, changed: 0, vanished: 0, invalid: 0, waiting: 0, pending: 1 },
            ...{ sent: 0, accepted: 0, rejected: 0, deferred: 0, held: false },
            error: { code: 'authentication-refused', message: 'HTTP 401' },
          },
        }),
      ],
    );
    const text = pageWords((await ask('/')).text);
    expect(text).toContain('Job-placement area: the platform refused our credentials');
    expect(text, 'the headline').toContain('✕ The platform refused our credentials');
    expect(text, 'the card').toContain('Companies ✕ Requests are refused');
    expect(text).not.toMatch(/cannot be reached|unreachable|does not answer/);
    expect(text).not.toContain('could not read it');
    expect(text, 'no retry is known').not.toContain('trying again');
  });
});

describe('says what happened', () => {
  const HOLD = {
    guard: 'max-vanished-percent',
    message: '5 of 10 records vanished',
    counts: { vanished: 5, invalid: 0 },
    sampleKeys: ['a'],
    since: new Date().toISOString(),
  } as const;

  /** A source whose query returns nothing. */
  const EMPTY: Source = {
    read: (_query, use) =>
      use({
        // eslint-disable-next-line @typescript-eslint/require-await
        rows: async function* () {
          yield [];
        },
      } as unknown as SourceReader),
    close: () => Promise.resolve(),
  };

  test('a record that a hold keeps back has the status of the lists and says that it is gone, and its entity says how many there are', async () => {
    const { ask, state } = await openTestDashboard({ source: EMPTY });
    await state.publish('companies', wants('a', '1'));
    await state.acceptAll();
    await state.entityStates.hold(state.sweep, 'companies', HOLD);
    const page = (await ask('/record?entity=companies&key=a')).text;
    expect(pageWords(page)).toContain(
      'synced It is no longer in the source. The hold of its entity keeps that from being applied.',
    );
    expect(pageWords(page)).not.toContain('The platform holds the desired data');
    expect(pageWords((await ask('/')).text)).toContain(
      '5 records are no longer in the source. The hold keeps that from being applied, so the counts are as before.',
    );
    expect(pageWords((await ask('/?lang=id')).text)).toContain('5 data sudah tidak ada di sumber.');
  });

  test.each([
    ['authentication-refused', 'The platform refused our credentials'],
    ['redirected', 'Sending is stopped'],
    ['long-pause', 'Sending is stopped'],
    ['breaker-open', 'The platform does not answer, or only with errors'],
  ] as const)('an area that stopped with %s has the verdict “%s”', async (code, verdict) => {
    const { ask, state, watch } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    watch.note({ type: 'area-stopped', area: 'jobs', code, message: 'HTTP 401', hint: 'Check it.' });
    const { text } = await ask('/');
    expect(pageWords(/<h1>.*?<\/h1>/s.exec(text)?.[0] ?? '')).toContain(verdict);
    if (code !== 'breaker-open')
      expect(pageWords(text)).not.toMatch(/cannot be reached|unreachable|does not answer/);
  });

  test('the page of a standby says that it stands by, and who holds the leases', async () => {
    const { ask, state } = await openTestDashboard();
    // In the tests' state this process holds both leases.
    expect(pageWords((await ask('/')).text)).not.toContain('stands by');
    await state.sql(`update placement_sync.lease set holder = 'db-host pid 7'`);
    // A reading is shared for a second.
    await expect
      .poll(async () => pageWords((await ask('/')).text), { timeout: 60_000 })
      .toMatch(/This process \(test\) stands by\. It takes over when the leases end\..*db-host pid 7/);
  });

  test('a run that could not read its source shows that instead of zeros', async () => {
    const { ask, state } = await openTestDashboard();
    const runId = randomUUID();
    const error = { code: 'source-unavailable', message: 'The source cannot be reached.' };
    await state.runs.start({ runId, trigger: 'cron', holder: 'test' });
    await state.runs.finish(runId, {
      outcome: 'failed',
      exitCode: 1,
      entities: { companies: { ...emptyReport('companies'), error } },
      error: null,
    });
    expect(pageWords((await ask('/')).text)).toContain('schedule: failed, not read');
    expect(pageWords((await ask('/runs')).text)).toContain('not read – – – –');
  });
});
