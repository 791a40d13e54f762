import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addCompanies, createCliWorld } from './cli-world.js';

const NIL = '00000000-0000-0000-0000-000000000000';

function linesOf(stderr: string): { level: string; message: string; code?: string }[] {
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; message: string; code?: string });
}

test('with format json every line is JSON: warnings of the configuration, and the error that ends a command', async () => {
  const world = await createCliWorld({ migrated: false });
  world.configure('6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11', NIL);
  const { exitCode, stderr } = await world.cli('status');
  expect(exitCode).toBe(2);
  const [warning, error, ...more] = linesOf(stderr);
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ level: 'warn', message: expect.stringContaining('nil UUID') as string });
  expect(error).toMatchObject({
    level: 'error',
    code: 'schema-not-migrated',
    hint: expect.stringContaining('placement-sync migrate') as string,
  });
  expect(error?.message).toBe('The state schema "placement_sync" has no tables yet.');
});

test('with format json a stop by a signal is a line of JSON too', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 20);
  world.intercept = () => ({ delayMs: 300 });
  const run = world.start('run', '--json');
  await world.requested(1);
  run.child.kill('SIGTERM');
  const { exitCode, stderr } = await run.done;
  expect(exitCode).toBe(1);
  expect(linesOf(stderr).map(({ message }) => message)).toContainEqual(expect.stringContaining('Stopping'));
});

test('--quiet silences warnings, but no error', async () => {
  const world = await createCliWorld({ migrated: false });
  world.configure('6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11', NIL);
  const { stderr } = await world.cli('status', '--quiet');
  expect(linesOf(stderr)).toMatchObject([{ level: 'error' }]);
});

test('with format pretty an error is for people, with what to do on a line of its own', async () => {
  const world = await createCliWorld({ migrated: false });
  world.configure('entities:', 'logging: { format: pretty }\nentities:');
  const { stderr } = await world.cli('status');
  expect(stderr).toMatch(/^error: The state schema .*\n {2}→ Run: placement-sync migrate/);
});

test.runIf(existsSync('/dev/full'))('a full disk is one clear line and exit code 1', async () => {
  const world = await createCliWorld();
  const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [main, 'config', 'print'], {
    env: { PATH: process.env.PATH, ...world.env },
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr.split('\n')[0]).toBe(
    'error: The result could not be written to standard output: the disk is full.',
  );
  expect(stderr).not.toMatch(/ {4}at /);
});

test('the error names a state database that does not exist', async () => {
  const world = await createCliWorld();
  const url = new URL(world.env.SOURCE_DATABASE_URL ?? '');
  url.pathname = '/no_such_database';
  world.configure('state: {', `state: { url: '${url.href}',`);
  const { exitCode, stderr } = await world.cli('status');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Check the name of the database in state.url');
});
