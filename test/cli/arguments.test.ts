import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createCliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';

describe('arguments', () => {
  const PATH = '/api/v1/employers/6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11/company';

  test('sign refuses what is no request, and signs the path as the worker does', async () => {
    const world = await createCliWorld();
    world.configure('baseUrl: ${BASE_URL}', 'baseUrl: ${BASE_URL}/gateway');
    for (const args of [
      ['FETCH', PATH],
      ['GET', PATH.slice(1)],
      ['GET', PATH, '--timestamp', '2022-09-22 01:51'],
      ['GET', PATH, '--timestamp', '2022-13-22T01:51:00Z'],
      ['GET', PATH, '--request-id', ''],
    ]) {
      expect(await world.cli('sign', ...args), args.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    }
    const options = ['--request-id', 'r1', '--timestamp', '2022-09-22T01:51:00Z'];
    const signed = await world.cli('sign', 'get', `${PATH}?page=2`, ...options);
    expect(signed.exitCode).toBe(0);
    expect(signed.stdout).toContain(`Request: GET /gateway${PATH}\n`);
    expect(signed.stdout).toContain(`Request-Target:/gateway${PATH}\n`);
  });

  test('help offers only what a command heeds', async () => {
    const demo = (await runCli(['demo', '--help'])).stdout;
    expect(demo).not.toContain('--config');
    expect(demo).toContain('--quiet');
    expect((await runCli(['status', '--help'])).stdout).toContain('--config');
    expect((await runCli(['resync', '--help'])).stdout).not.toContain('[]');
  });

  test('the sandbox says how to be reached, and which ports there are', async () => {
    const { exitCode, stderr } = await runCli(['sandbox', '--port', '99999']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Port 99999 does not exist; 0 to 65535.');
  });

  test('config schema prints what ships beside the example, and needs no configuration', async () => {
    const { exitCode, stdout } = await runCli(['config', 'schema']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse(readFileSync('config/placement-sync.schema.json', 'utf8')) as object,
    );
  });
});
