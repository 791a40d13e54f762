import { expect, test, vi } from 'vitest';
import { type Asked, type OtherPlatform, type Said, startOtherPlatform } from '../sync/other-worlds.js';
import { addCompanies, addVacancies, createCliWorld, SECRET, type CliWorld } from './cli-world.js';

vi.setConfig({ testTimeout: 60_000 });

const okay = ({ number }: Asked): Said => ({
  status: 200,
  body: { data: { id: `p-${number}`, reference: `r-${number}` } },
});

async function worldAt(
  answer: OtherPlatform['answer'],
): Promise<{ world: CliWorld; platform: OtherPlatform }> {
  const world = await createCliWorld();
  const platform = await startOtherPlatform(answer);
  world.env.BASE_URL = platform.url;
  await addCompanies(world, 3);
  return { world, platform };
}

/** An adapter whose `reply` has this body. */
function adapt(world: CliWorld, lines: string): void {
  world.write('adapter.mjs', `export default { reply({ status, text, json }, about) { ${lines} } };\n`);
  world.configure('platform:\n', 'platform:\n  adapter: adapter.mjs\n');
}

test.each<[string, unknown, string]>([
  [
    'an error with a message',
    { error: { code: 'E_REGION', message: 'no such region' } },
    'no such region (E_REGION)',
  ],
  [
    'a list of errors',
    { errors: [{ path: ['region', 'id'], message: 'is unknown' }] },
    'region.id: is unknown.',
  ],
  [
    'problem details',
    { title: 'Bad input', detail: 'region is unknown', status: 422 },
    'Bad input: region is unknown',
  ],
  ['plain words', 'REGION UNKNOWN', 'HTTP 422: REGION UNKNOWN'],
])('the words of %s reach explain, the list of troubles and the log', async (_, body, words) => {
  const { world } = await worldAt(() => ({ status: 422, body }));
  const run = await world.cli('run');
  // Nothing passes, and nothing was ever accepted: nobody is rejected.
  expect(run.exitCode).toBe(5);
  expect(run.stdout).toContain(words);
  expect((await world.cli('explain', 'companies', 'c001')).stdout).toContain(words);
  expect(JSON.parse((await world.cli('explain', 'companies', 'c001', '--json')).stdout)).toMatchObject({
    status: 'pending',
    lastReply: { statusCode: 422, error: words },
  });
});

test('a platform that repeats our secret and signature does not bring them into the state, the log or the output', async () => {
  const world = await createCliWorld();
  const platform = await startOtherPlatform(() => ({
    status: 422,
    body: { message: `secret ${SECRET} is old` },
  }));
  world.env.BASE_URL = platform.url;
  await addCompanies(world, 1);
  // The world searches everything that is printed or stored.
  expect((await world.cli('run')).stdout).toContain('secret *** is old');
});

test('an adapter stops the area at a 400 that is about everything, with its own words, and nothing is rejected', async () => {
  const signature = { status: 400, body: { code: 'INVALID_SIGNATURE', text: 'Tanda tangan salah' } };
  const { world, platform } = await worldAt(() => signature);
  expect(await world.run(), 'without the adapter').toMatchObject({
    code: 5,
    entities: { companies: { rejected: 0, pending: 3, error: { code: 'same-refusal' } } },
  });
  adapt(
    world,
    `if (json?.code === 'INVALID_SIGNATURE') return { stop: { message: 'Refused: ' + json.text } };`,
  );
  const run = await world.run();
  expect(run).toMatchObject({
    code: 5,
    outcome: 'aborted',
    entities: { companies: { sent: 0, rejected: 0, pending: 3, error: { code: 'request-refused' } } },
  });
  expect(run.entities.companies?.error?.message).toContain('Refused: Tanda tangan salah');
  const { stdout } = await world.cli('status');
  expect(stdout).toContain(
    'Stopped: the platform refuses the way of asking. 3 records are waiting to be sent.',
  );
  expect(stdout).not.toMatch(/signal|unreachable|cannot be reached|does not answer/);

  platform.answer = okay;
  expect(await world.run()).toMatchObject({
    code: 0,
    outcome: 'complete',
    entities: { companies: { accepted: 3 } },
  });
});

test('warnings beside a success are kept and shown by explain, until the record is accepted without any', async () => {
  const body = { data: { id: 'p-1', reference: 'r-1' }, warnings: ['skill ignored, ask ani@example.com'] };
  const { world, platform } = await worldAt(() => ({ status: 200, body }));
  expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { accepted: 3 } } });
  const explained = (await world.cli('explain', 'companies', 'c001')).stdout;
  expect(explained).toContain('companies c001 is synced');
  expect(explained).toContain('skill ignored, ask <email>');
  platform.answer = okay;
  await world.cli('resync', '--entity', 'companies', '--key', 'c001');
  const quiet = (await world.cli('explain', 'companies', 'c001', '--json')).stdout;
  expect(JSON.parse(quiet)).toMatchObject({ status: 'synced', lastReply: { statusCode: 200, body: null } });
});

test('an adapter reads a 200 with an error as a rejection, and a 409 as accepted', async () => {
  const { world, platform } = await worldAt((asked) => {
    if (asked.number === 1)
      return { status: 200, body: { success: false, message: 'name is taken', data: {} } };
    return asked.number === 2 ? { status: 409, body: { message: 'already there' } } : okay(asked);
  });
  adapt(
    world,
    `if (json?.success === false) return { rejected: { message: json.message } };
    if (status === 409 && text.includes('already')) return { accepted: { reference: about.platformId } };`,
  );
  expect(await world.run()).toMatchObject({
    code: 3,
    entities: { companies: { sent: 3, accepted: 2, rejected: 1, deferred: 0 } },
  });
  const { reason } = JSON.parse((await world.cli('explain', 'companies', 'c001', '--json')).stdout) as {
    reason: string;
  };
  // The order in which they arrive is not fixed.
  const rejected = JSON.parse((await world.cli('records', '--status', 'rejected', '--json')).stdout) as {
    records: { key: string; reason: string }[];
  };
  expect(rejected.records).toMatchObject([{ reason: expect.stringContaining('name is taken') as string }]);
  expect(reason).not.toContain('retry.maxAttempts');
  const [one] = rejected.records;
  expect((await world.cli('explain', 'companies', one?.key ?? '')).stdout).toContain(
    'The platform refused this payload: name is taken',
  );
  platform.requests();
  expect(await world.run()).toMatchObject({ code: 3, entities: { companies: { sent: 0 } } });
  expect(platform.requests()).toEqual([]);
});

test('a first wrong secret never reads as a signal or an outage, whatever the command', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 1);
  world.env.CLIENT_SECRET = 'wrong';
  const never = /signal|unreachable|cannot be reached|does not answer/i;
  const adopt = await world.cli('adopt');
  expect(adopt.exitCode).toBe(5);
  expect(`${adopt.stdout}${adopt.stderr}`).not.toMatch(never);
  expect(adopt.stderr).toContain('401');
  const run = await world.cli('run');
  expect(run.exitCode).toBe(5);
  expect(`${run.stdout}${run.stderr}`).not.toMatch(never);
  world.env.CLIENT_SECRET = SECRET;
  expect((await world.run()).code).toBe(0);
  world.env.CLIENT_SECRET = 'wrong';
  const verify = await world.cli('verify');
  expect(verify.exitCode).toBe(5);
  expect(`${verify.stdout}${verify.stderr}`).not.toMatch(never);
  expect(verify.stderr).toContain('Check client id and secret');
});
