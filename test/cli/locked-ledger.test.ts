import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLockedWorld } from './locked-world.js';

const RECORD = '/record?entity=companies&key=c001';
const PAGES = ['/', '/records?entity=companies&status=synced', RECORD];

const PROBES = ['/metrics', '/readyz'];
const PATHS = [...PAGES, ...PROBES];

/** Null: the signal aborted before there was an answer. */
async function ask(address: string, signal: AbortSignal) {
  const answer = await fetch(address, { signal }).catch(() => null);
  return answer && `${answer.status} ${answer.headers.get('retry-after')} ${await answer.text()}`;
}

/** Connections for looking: two for pages, one each for metrics, probes and buttons. */
const LOOKING = 5;

test('behind a lock on the ledger pages use few connections, say so, and take none from the sync', async () => {
  const { world, worker, admin, lock, unlock, waiting } = await createLockedWorld();
  const before = await fetch(admin + RECORD);
  const [, form = ''] = /name="form"\s+value="([^"]*)"/.exec(await before.text()) ?? [];
  const cookie = before.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const backends = async () => {
    const [row] = await world.sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'placement-sync'`,
    );
    return row?.count ?? 0;
  };
  const press = () => {
    const body = new URLSearchParams({ form, entity: 'companies', status: 'rejected' });
    const signal = AbortSignal.timeout(500);
    return fetch(`${admin}/actions/retry`, { method: 'POST', headers: { cookie }, body, signal }).catch(
      () => null,
    );
  };
  const pressed = () => worker.stderr().split('"action":"retry"').length - 1;

  await lock('placement_sync.sync_state');
  const presses = Array.from({ length: 12 }, press);
  const answers = new Map(PATHS.map((path) => [path, new Set<string>()]));
  const leaving = new AbortController();
  const asked: Promise<unknown>[] = [];
  let most = 0;
  const until = performance.now() + 5_000;
  const answered = () => [...answers.values()].every(({ size }) => size > 0);
  for (; performance.now() < until || !answered(); await wait(100)) {
    for (const [path, texts] of answers)
      asked.push(ask(admin + path, leaving.signal).then((text) => text && texts.add(text)));
    most = Math.max(most, await backends());
  }
  leaving.abort();
  await Promise.all(asked);
  // The sync has eight of the ledger and four of the source at most.
  expect(most).toBeLessThanOrEqual(8 + 4 + LOOKING);
  for (const [path, texts] of answers) {
    const expected = PROBES.includes(path)
      ? /^200 null /
      : /^503 (?:5 [\s\S]*The database is busy|1 Too many requests)/;
    for (const text of texts) expect(text, path).toMatch(expected);
  }
  expect(pressed(), 'what a button began waits for the lock').toBe(0);
  await Promise.all(presses);

  await unlock();
  await expect.poll(async () => (await fetch(admin)).status, { timeout: 60_000 }).toBe(200);
  await expect.poll(pressed, { timeout: 60_000, message: 'it is done although clients left' }).toBe(12);
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  expect(worker.stderr()).not.toContain('lease-lost');
  worker.child.kill('SIGTERM');
  expect((await worker.done).exitCode, worker.stderr()).toBe(0);
}, 90_000);
