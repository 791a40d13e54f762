import { expect, test } from 'vitest';
import type { DeviationsInput } from '../../src/config/deviations.js';
import type { VerifyReport } from '../../src/sync/read-back/verify-report.js';
import { deviatingWorld, held, runUntilDone, set, WHOLE } from './deviating-world.js';

test.each<[string, DeviationsInput, string | null]>([
  ['as they were sent', { find: { shape: 'echo', region: 'reference' } }, null],
  ['under `result`', { replies: { envelope: 'result' } }, 'replies: { data: result }'],
  ['without an envelope', { replies: { envelope: 'none', meta: false } }, "replies: { data: '.' }"],
  ['although only 202 means that a Put was done', {}, 'replies: { accepted: [200, 202] }'],
])('verify compares records that a Find shows %s', { timeout: 60_000 }, async (_, deviations, setting) => {
  const world = await deviatingWorld({ deviations });
  if (setting !== null) set(world, setting);
  await runUntilDone(world);
  const { exitCode, stdout } = await world.cli('verify', '--all', '--json');
  const { entities } = JSON.parse(stdout) as VerifyReport;
  expect([exitCode, entities.companies, entities.vacancies]).toEqual([
    0,
    { checked: 3, same: 3, drifted: 0, missing: 0 },
    { checked: 2, same: 2, drifted: 0, missing: 0 },
  ]);
});

test('texts that a Find shortens are doubted, and never sent again', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { find: { shorten: 12 } } });
  await world.sql(`update company set about = 'A long text about company ' || id`);
  await runUntilDone(world);
  world.sandbox.clearRequests();
  const { stdout } = await world.cli('verify', '--all', '--repair', '--json');
  expect((JSON.parse(stdout) as VerifyReport).doubted).toMatchObject([
    { entity: 'companies', field: 'about', compared: 3, drifted: 3 },
  ]);
  expect(world.sandbox.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test.each<[string, DeviationsInput, string | null]>([
  ['200 and no data', { errors: { unknownId: { status: 200 } } }, null],
  [
    '400 and a word of its own',
    { errors: { unknownId: { status: 400, code: 'UNKNOWN_ID' } } },
    'replies: { judge: [{ status: 400, match: UNKNOWN_ID, as: missing }] }',
  ],
])(
  'an unknown id that is answered with %s is missing',
  { timeout: 60_000 },
  async (_, deviations, setting) => {
    const world = await deviatingWorld({ deviations });
    if (setting !== null) set(world, setting);
    const adopted = await world.cli('adopt', '--json');
    expect([adopted.exitCode, JSON.parse(adopted.stdout)]).toMatchObject([
      0,
      { entities: { companies: { checked: 3, adopted: 0, missing: 3 } } },
    ]);
    const probed = await world.cli('probe', '--company', 'c001', '--yes', '--json');
    const { checks } = JSON.parse(probed.stdout) as { checks: { id: string; result: string }[] };
    expect(checks.find(({ id }) => id === 'unknown-id')).toMatchObject({ result: 'confirmed' });
    await runUntilDone(world);
    expect(held(world).sort()).toEqual(WHOLE);
  },
);

test(
  'a platform that merges keeps a field until it gets null, and verify names the setting',
  { timeout: 60_000 },
  async () => {
    const world = await deviatingWorld({ deviations: { bodies: { merge: true } } });
    await world.sql(`update company set about = 'About ' || id where id = 'c002'`);
    await runUntilDone(world);
    await world.sql(`update company set about = null where id = 'c002'`);
    await runUntilDone(world);
    const about = () =>
      world.sandbox
        .records('jobs', 'companies')
        .map(({ body }) => (body as { about?: string | null }).about ?? null)
        .filter((text) => text !== null);
    expect(about()).toEqual(['About c002']);
    const verified = await world.cli('verify', '--all');
    expect([verified.exitCode, `${verified.stdout}${verified.stderr}`]).toEqual([
      3,
      expect.stringContaining('absent: { about: null }'),
    ]);
    set(world, 'absent: null');
    await runUntilDone(world);
    expect(about()).toEqual([]);
  },
);

test(
  'an application that the platform does not know is rejected alone, and sent once it does',
  { timeout: 60_000 },
  async () => {
    const id = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
    const world = await deviatingWorld({ deviations: { applications: { accept: 'sent' } } });
    world.write('statuses.sql', `select '${id}'::uuid as key, 'hired' as status, now() as timestamp\n`);
    world.configure(
      'entities:',
      'entities:\n  application-statuses: { query: statuses.sql, requireInbox: false }',
    );
    const { code, entities } = await world.run();
    expect([code, entities['application-statuses'], entities.companies]).toMatchObject([
      3,
      { sent: 1, rejected: 1 },
      { accepted: 3 },
    ]);
    world.sandbox.setDeviations({ applications: { accept: 'sent', known: [id] } });
    await world.cli('retry');
    await runUntilDone(world);
  },
);

test('a signature that is refused with 403 stops the area and no record', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { errors: { authentication: { status: 403 } } } });
  const secret = world.env.CLIENT_SECRET ?? '';
  world.env.CLIENT_SECRET = `${secret}-wrong`;
  const { code, entities } = await world.run();
  expect([code, entities.companies]).toMatchObject([5, { rejected: 0, pending: 3 }]);
  world.env.CLIENT_SECRET = secret;
  await runUntilDone(world);
  expect(held(world).sort()).toEqual(WHOLE);
});

test('a setting is named in the block of the area that has one', { timeout: 60_000 }, async () => {
  const world = await deviatingWorld({ deviations: { replies: { envelope: 'result' } } });
  world.configure('timeout: 1s', 'timeout: 1s\n    replies: {}');
  const { code, stderr } = await world.run();
  expect([code, stderr]).toEqual([5, expect.stringContaining('platform.jobs.replies.data')]);
});
