import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emptyReport } from '../../src/entities/index.js';
import type { Source, SourceReader } from '../../src/ports/source.js';
import { wants } from '../state/open-test-state.js';
import { openTestDashboard } from './open-test-dashboard.js';

/** What a reader sees, on one line. */
function words(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

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
  expect(words(page)).toContain(
    'synced It is no longer in the source. The hold of its entity keeps that from being applied.',
  );
  expect(words(page)).not.toContain('The platform holds the desired data');
  expect(words((await ask('/')).text)).toContain(
    '5 records are no longer in the source. The hold keeps that from being applied, so the counts are as before.',
  );
  expect(words((await ask('/?lang=id')).text)).toContain('5 data sudah tidak ada di sumber.');
});

test.each([
  ['authentication-refused', 'The platform refused our credentials'],
  ['redirected', 'Sending is stopped'],
  ['long-pause', 'Sending is stopped'],
  ['breaker-open', 'The platform does not answer'],
] as const)('an area that stopped with %s has the verdict “%s”', async (code, verdict) => {
  const { ask, state, watch } = await openTestDashboard();
  await state.publish('companies', wants('a', '1'));
  watch.note({ type: 'area-stopped', area: 'jobs', code, message: 'HTTP 401', hint: 'Check it.' });
  const { text } = await ask('/');
  expect(words(/<h1>.*?<\/h1>/s.exec(text)?.[0] ?? '')).toContain(verdict);
  if (code !== 'breaker-open')
    expect(words(text)).not.toMatch(/cannot be reached|unreachable|does not answer/);
});

test.each(['HTTP 503: maintenance', 'Not reached: connect ECONNREFUSED (ECONNREFUSED)'])(
  'after “%s” the page says that the platform does not answer, which is true of both',
  async (last) => {
    const { ask, state, watch } = await openTestDashboard();
    await state.publish('companies', wants('a', '1'));
    const message = `One request failed; the last one: ${last}`;
    watch.note({ type: 'area-stopped', area: 'jobs', code: 'breaker-open', message, hint: '' });
    for (const [language, phrase] of [
      ['en', /does not answer/],
      ['id', /tidak menjawab/],
    ] as const) {
      const text = words((await ask(`/?lang=${language}`)).text);
      expect(text).toMatch(phrase);
      expect(text).not.toMatch(/cannot be reached|unreachable|dijangkau|terjangkau/);
    }
  },
);

test('the page of a standby says that it stands by, and who holds the leases', async () => {
  const { ask, state } = await openTestDashboard();
  // In the tests' state this process holds both leases.
  expect(words((await ask('/')).text)).not.toContain('stands by');
  await state.sql(`update placement_sync.lease set holder = 'db-host pid 7'`);
  // A reading is shared for a second.
  await expect
    .poll(async () => words((await ask('/')).text), { timeout: 60_000 })
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
  expect(words((await ask('/')).text)).toContain('not read – – – –');
});
