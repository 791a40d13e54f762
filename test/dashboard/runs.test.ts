import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emptyReport } from '../../src/core/entities/index.js';
import type { EntityReport } from '../../src/core/domain/outcome.js';
import type { FinishedRun } from '../../src/core/ledger/runs.js';
import { foldRuns, sumRun } from '../../src/dashboard/read-overview.js';
import type { TestState } from '../core/ledger/open-test-state.js';
import { linkTo, openTestDashboard, pageWords } from './open-test-dashboard.js';

const AWAY = { code: 'source-unavailable', message: 'the source is away' };

function report(counts: Partial<EntityReport> = {}): EntityReport {
  return { ...emptyReport('companies'), ...counts };
}

/** Runs that have ended, the earliest first; gives their ids. */
async function addRuns(state: TestState, ...results: readonly Partial<FinishedRun>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const result of results) {
    const runId = randomUUID();
    await state.runs.start({ runId, trigger: 'cron', holder: 'me' });
    await state.runs.finish(runId, {
      outcome: 'complete',
      exitCode: 0,
      entities: {},
      error: null,
      ...result,
    });
    ids.push(runId);
  }
  return ids;
}

const QUIET = { entities: { companies: report({ read: 12, unchanged: 12 }) } };
const BUSY = {
  entities: {
    companies: report({
      read: 12,
      unchanged: 9,
      changed: 3,
      sent: 411,
      accepted: 402,
      rejected: 5,
      deferred: 4,
      pending: 777,
    }),
  },
};

/** The cells of the row with that link, as a reader sees them. */
function rowOf(page: string, runId: string): string[] {
  const row = page.split('<tr ').find((part) => part.includes(`/runs/${runId}`)) ?? '';
  return (row.split('</tr>')[0] ?? '')
    .split(/<t[dh]\b/)
    .slice(1)
    .map((cell) => pageWords(`<td ${cell}`).trim());
}

test('each run has its numbers, also of what it sent, and a link to its page', async () => {
  const { ask, state } = await openTestDashboard();
  const [id = ''] = await addRuns(state, BUSY);
  const { text } = await ask('/runs');
  const [, ...cells] = rowOf(text, id);
  expect(cells[0]).toMatch(/^✓ complete 0(\.\d)? seconds?$/);
  expect(cells.slice(1)).toEqual(['12', '0', '3', '0', '0', '411', '402', '5', '4', '777']);
  expect(pageWords(text)).toContain('Sent Accepted Rejected Deferred Pending');
  const first = await ask('/');
  expect(pageWords(first.text)).toMatch(
    /: 3 changed, 402 accepted, 5 rejected, 4 deferred, 0(\.\d)? seconds?/,
  );
  expect(first.text).toContain(`/runs/${id}`);
});

test('an entity whose source was away is not read: its zeros are not shown', async () => {
  const { ask, state } = await openTestDashboard();
  const [partly = '', none = '', stopped = ''] = await addRuns(
    state,
    {
      outcome: 'failed',
      exitCode: 1,
      entities: { companies: report({ read: 7, new: 7 }), vacancies: report({ error: AWAY, pending: 2 }) },
    },
    { outcome: 'failed', exitCode: 1, entities: { companies: report({ error: AWAY, pending: 3 }) } },
    {
      outcome: 'aborted',
      exitCode: 5,
      entities: { companies: report({ error: { code: 'breaker-open', message: 'HTTP 503' } }) },
    },
  );
  const { text } = await ask('/runs');
  expect(rowOf(text, partly).slice(2)).toEqual(['7', '7', '0', '0', '0', '0', '0', '0', '0', '2']);
  expect(pageWords(text)).toContain('Not read: Vacancies.');
  expect(rowOf(text, none).slice(2)).toEqual(['not read', '–', '–', '–', '–', '0', '0', '0', '0', '3']);
  expect(rowOf(text, stopped)[2], 'the platform was away, not the source').toBe('0');
  expect(pageWords((await ask('/runs?lang=id')).text)).toContain('Tidak dibaca: Lowongan.');
});

test('a run that died counted nothing, and a run under way has not counted yet', async () => {
  const { ask, state } = await openTestDashboard();
  const [dead, running] = [randomUUID(), randomUUID()];
  await state.runs.start({ runId: dead, trigger: 'cron', holder: 'me' });
  await state.runs.start({ runId: running, trigger: 'manual', holder: 'me' });
  const { text } = await ask('/runs');
  for (const id of [dead, running]) expect(rowOf(text, id).slice(2)).toEqual(Array(10).fill('–'));
  expect(pageWords(text)).toContain('running');
});

test('quiet runs in a row are one line, which leads to all of them', async () => {
  const { ask, state } = await openTestDashboard();
  const ids = await addRuns(state, BUSY, ...Array<typeof QUIET>(37).fill(QUIET), BUSY, QUIET);
  const folded = await ask('/runs');
  expect(pageWords(folded.text)).toContain('37 quiet runs');
  expect(ids.filter((id) => folded.text.includes(`/runs/${id}`))).toEqual([ids[0], ids[38], ids[39]]);
  const all = await ask(linkTo(folded.text, '37 quiet runs'));
  expect(ids.filter((id) => all.text.includes(`/runs/${id}`))).toEqual(ids.slice(0, 38));
});

test('the history goes on page by page, without a gap and without a repetition', async () => {
  const { ask, state } = await openTestDashboard();
  await addRuns(state, ...Array<typeof BUSY>(3).fill(BUSY));
  // Equal times: the order must not depend on them alone.
  await state.sql(
    `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
     select gen_random_uuid(), 'cron', 'me', date_trunc('hour', now()) - (n / 7) * interval '1 minute', now(), 'complete', 0,
       (select counters from placement_sync.sync_run limit 1) from generate_series(1, 120) n`,
  );
  const seen: string[] = [];
  let path = '/runs';
  for (const size of [50, 50, 23]) {
    const { text } = await ask(path);
    const found = [...text.matchAll(/href="\/runs\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
    expect(found).toHaveLength(size);
    seen.push(...found);
    if (size === 50) path = linkTo(text, 'Older runs');
    else expect(text).not.toContain('Older runs');
  }
  expect(new Set(seen).size).toBe(123);
});

test('a long quiet time does not make a page read everything, and its end is reached', async () => {
  const { ask, state } = await openTestDashboard();
  const [oldest = ''] = await addRuns(state, BUSY);
  await addRuns(state, QUIET);
  await state.sql(
    `insert into placement_sync.sync_run (run_id, trigger, holder, started_at, finished_at, outcome, exit_code, counters)
     select gen_random_uuid(), 'cron', 'me', clock_timestamp(), clock_timestamp(), 'complete', 0,
       (select counters from placement_sync.sync_run where run_id <> $1) from generate_series(1, 700)`,
    [oldest],
  );
  const first = await ask('/runs');
  expect(pageWords(first.text)).toContain('499 quiet runs');
  expect(first.text).not.toContain(oldest);
  const second = await ask(linkTo(first.text, 'Older runs'));
  expect(pageWords(second.text)).toContain('201 quiet runs');
  expect(second.text).toContain(oldest);
});

test('the filter shows one outcome, keeps it from page to page, and refuses others', async () => {
  const { ask, state } = await openTestDashboard();
  const [busy = '', failed = '', quiet = ''] = await addRuns(
    state,
    BUSY,
    { outcome: 'failed', exitCode: 1, error: { code: 'lease-lost', message: 'gone' } },
    QUIET,
  );
  const { text } = await ask('/runs?outcome=failed');
  expect([busy, failed, quiet].filter((id) => text.includes(id))).toEqual([failed]);
  expect(text).toMatch(/<option value="failed" selected/);
  expect(pageWords((await ask('/runs?outcome=held')).text)).toContain('No run matches.');
  for (const path of ['/runs?outcome=odd', '/runs?before=1', "/runs?before='", `/runs?outcome=busy`])
    expect([path, (await ask(path)).status]).toEqual([path, 400]);
  expect((await ask(`/runs?before=${randomUUID()}`)).status, 'a run that was pruned').toBe(200);
});

test('only a run that ended by itself with nothing found, sent or left is quiet', () => {
  const run = (change: object = {}, counts: Partial<EntityReport> = {}) => ({
    runId: randomUUID(),
    trigger: 'cron' as const,
    holder: 'me',
    startedAt: new Date(0),
    finishedAt: new Date(1),
    outcome: 'complete',
    exitCode: 0,
    error: null,
    entities: { companies: report({ read: 5, unchanged: 5, ...counts }) },
    ...change,
  });
  const lines = (...runs: readonly ReturnType<typeof run>[]) =>
    foldRuns(runs, false).map(({ length }) => length);
  expect(lines(run(), run())).toEqual([2]);
  expect(lines(run({}, { invalid: 2 }), run({}, { invalid: 2 })), 'standing errors').toEqual([2]);
  for (const counts of [
    { new: 1 },
    { changed: 1 },
    { vanished: 1 },
    { sent: 1, accepted: 1 },
    { deferred: 1 },
    { pending: 1 },
    { held: true },
    { error: AWAY },
  ])
    expect([counts, lines(run({}, counts), run({}, counts))]).toEqual([counts, [1, 1]]);
  for (const change of [{ outcome: 'aborted' }, { outcome: null, finishedAt: null }, { error: AWAY }])
    expect([change, lines(run(change), run(change))]).toEqual([change, [1, 1]]);
  expect(lines(run(), run({ outcome: 'partial', exitCode: 3 })), 'they ended differently').toEqual([1, 1]);
  expect(foldRuns([run(), run(), run()], true).map(({ length }) => length)).toEqual([1, 2]);
});

test('a run that ended before an entity was reached did not read it', () => {
  const error = { code: 'interrupted', message: 'A signal stopped the run.' };
  const entities = { companies: report({ read: 5 }), vacancies: report() };
  const base = {
    runId: '',
    trigger: 'cron',
    holder: '',
    startedAt: new Date(),
    finishedAt: new Date(),
  } as const;
  const { unread, counts } = sumRun({ ...base, outcome: 'aborted', exitCode: 1, error, entities });
  expect([unread, counts.read]).toEqual([['vacancies'], 5]);
  const ended = sumRun({ ...base, outcome: 'complete', exitCode: 0, error: null, entities });
  expect([ended.unread, ended.counts.read], 'an empty entity').toEqual([[], 5]);
});
