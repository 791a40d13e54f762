import { expect, test } from 'vitest';
import { untilThere } from '../../../src/cli/compose/fleet/open-fleet.js';
import { SyncError } from '../../../src/core/domain/errors.js';
import type { Emit } from '../../../src/core/domain/events.js';

const away = () => new SyncError('state-unavailable', 'The fleet’s database is away.', { scope: 'run' });

const wait = (work: () => Promise<string>, waitMs: number, stop = new AbortController()) => {
  const warnings: string[] = [];
  const emit: Emit = (event) => void (event.type === 'warning' && warnings.push(event.message));
  return { done: untilThere(work, { emit, signal: stop.signal, waitMs }), warnings };
};

test('a replica that starts while its database is away waits for it, and says so once', async () => {
  let tries = 0;
  const { done, warnings } = wait(
    () => (++tries < 3 ? Promise.reject(away()) : Promise.resolve('there')),
    60_000,
  );
  expect(await done).toBe('there');
  expect(warnings).toEqual(['The fleet’s database is away.']);
});

test('it gives up after its time with the reason, and at once where waiting does not help', async () => {
  await expect(wait(() => Promise.reject(away()), 10).done).rejects.toMatchObject({
    code: 'state-unavailable',
  });
  const refused = new SyncError('schema-not-migrated', 'Not up to date.', { scope: 'usage' });
  const { done, warnings } = wait(() => Promise.reject(refused), 60_000);
  await expect(done).rejects.toBe(refused);
  expect(warnings).toEqual([]);
});

test.each([
  ['between two tries', () => Promise.reject(away())],
  ['while the server is silent', () => new Promise<string>(() => undefined)],
])('a signal ends the wait at once, %s', async (_, work) => {
  const stop = new AbortController();
  const { done } = wait(work, 60_000, stop);
  setTimeout(() => stop.abort(), 50);
  const began = performance.now();
  await expect(done).rejects.toMatchObject({
    code: expect.stringMatching(/^(interrupted|state-unavailable)$/) as string,
  });
  expect(performance.now() - began).toBeLessThan(5_000);
});
