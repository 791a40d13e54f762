import { describe, expect, test, vi } from 'vitest';
import { type FetchMetadata, isForeignEmbed } from '../../src/dashboard/start-admin.js';
import { openTestDashboard } from './open-test-dashboard.js';
import { addCompanies, createWorld } from '../core/world.js';

describe('is foreign embed', () => {
  const SILENT: FetchMetadata = {
    site: undefined,
    mode: undefined,
    dest: undefined,
    purpose: undefined,
    origin: undefined,
    host: 'localhost:9090',
  };

  test.each<[string, Partial<FetchMetadata>, boolean]>([
    ['a bookmark', { site: 'none', mode: 'navigate', dest: 'document' }, false],
    [
      'a link in a mail that is read in a browser',
      { site: 'cross-site', mode: 'navigate', dest: 'document' },
      false,
    ],
    [
      'a link of another service of this machine',
      { site: 'same-site', mode: 'navigate', dest: 'document' },
      false,
    ],
    ['our own script', { site: 'same-origin', mode: 'cors', dest: 'empty' }, false],
    ['our own style sheet', { site: 'same-origin', mode: 'no-cors', dest: 'style' }, false],
    ['a program', {}, false],
    ['an image', { site: 'cross-site', mode: 'no-cors', dest: 'image' }, true],
    [
      'an image of another service of this machine',
      { site: 'same-site', mode: 'no-cors', dest: 'image' },
      true,
    ],
    ['a script', { site: 'cross-site', mode: 'no-cors', dest: 'script' }, true],
    ['a fetch', { site: 'cross-site', mode: 'cors', dest: 'empty' }, true],
    [
      'a prefetch by a link',
      { site: 'cross-site', mode: 'no-cors', dest: 'empty', purpose: 'prefetch' },
      true,
    ],
    ['a frame', { site: 'cross-site', mode: 'navigate', dest: 'iframe' }, true],
    ['an object', { site: 'cross-site', mode: 'navigate', dest: 'object' }, true],
    [
      'a page drawn ahead',
      { site: 'cross-site', mode: 'navigate', dest: 'document', purpose: 'prefetch;prerender' },
      true,
    ],
    ['a web socket', { site: 'cross-site', mode: 'websocket', dest: 'websocket' }, true],
    ['a fetch of an older browser', { origin: 'https://elsewhere.example' }, true],
    ['a fetch of an older browser, from a frame without origin', { origin: 'null' }, true],
    ['our own form behind a proxy with TLS', { origin: 'https://localhost:9090' }, false],
  ])('a request by %s (%j) is embedded in a page of elsewhere: %s', (_what, said, expected) => {
    expect(isForeignEmbed({ ...SILENT, ...said })).toBe(expected);
  });

  const HEADERS = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  test('what a page of elsewhere embeds is refused before anything is read, whatever the path; links work', async () => {
    let reads = 0;
    const { ask } = await openTestDashboard({
      looking(state) {
        reads += 1;
        return state;
      },
    });
    const paths = [
      '/',
      '/records?entity=companies&status=synced',
      '/record?entity=companies&key=a',
      '/metrics',
      '/readyz',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'HEAD'])
        expect([path, (await ask(path, { method, headers: HEADERS })).status]).toEqual([path, 403]);
    }
    expect(reads).toBe(0);
    expect((await ask('/', { headers: LINK })).status).toBe(200);
    expect(reads).toBeGreaterThan(0);
  });
});

describe('unread replies', () => {
  vi.setConfig({ testTimeout: 60_000 });

  test('a worker tries an area whose replies it did not understand again by itself, and sends the rest', async () => {
    const world = await createWorld();
    await addCompanies(world, 4);
    world.intercept = () => ({ status: 200, body: { ok: true } });
    const worker = world.work();
    await world.state.schedules.setDueNow('sync');
    const stopped = () => worker.events.filter((event) => event.type === 'area-stopped');
    await expect.poll(() => stopped().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    expect(stopped()[0]).toMatchObject({
      code: 'reply-not-understood',
      hint: expect.stringContaining('function reply of platform.adapter') as string,
    });
    expect(worker.events).toContainEqual(expect.objectContaining({ type: 'area-retry', area: 'jobs' }));
    expect(await world.status()).toMatchObject({ stoppedAreas: [{ code: 'reply-not-understood' }] });

    world.intercept = null;
    const synced = async () => (await world.status()).entities.companies?.synced;
    await expect.poll(synced, { timeout: 30_000 }).toBe(4);
    await worker.stop();
    expect((await world.status()).stoppedAreas).toBeUndefined();
  });
});
