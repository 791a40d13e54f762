import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunReport } from '../../src/sync/run/end.js';
import { startRawServer } from '../platform/raw-server.js';
import { DAILY } from '../slow.js';
import { addCompanies, createCliWorld } from './cli-world.js';

test('a run whose platform changes the protocol (101) ends, with nothing accepted or rejected', async ({
  skip,
}) => {
  skip(DAILY);
  const world = await createCliWorld();
  await addCompanies(world, 12);
  const server = await startRawServer((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  );
  onTestFinished(() => server.close());
  world.env.BASE_URL = `http://127.0.0.1:${server.port}`;

  const { exitCode, stdout, stderr } = await world.start('run', '--json').done;
  await server.leftAlone();
  expect(exitCode, stderr).toBe(5);
  expect(JSON.parse(stdout) as RunReport).toMatchObject({
    exitCode: 5,
    outcome: 'aborted',
    entities: { companies: { accepted: 0, rejected: 0, error: { code: 'breaker-open' } } },
  });
  expect(stderr).toContain('HTTP 101: the server changed to another protocol');
  // By itself, not by force.
  expect(stderr).not.toContain('did not end by itself');
  const [company] = await world.sql(
    'select confirm_at, refused_hash, last_status_code from placement_sync.sync_state order by key limit 1',
  );
  expect(company).toMatchObject({
    confirm_at: expect.any(Date) as Date,
    refused_hash: null,
    last_status_code: 101,
  });
});

test('a command that left something open ends all the same, with its exit code and all that it printed', async () => {
  const world = await createCliWorld();
  const preload = join(world.folder, 'leak.mjs');
  // A timer and a connection that nobody ends. The wait for them to end is shortened, which nothing else here needs.
  writeFileSync(
    preload,
    `import { connect, createServer } from 'node:net';
const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms >= 5000 ? 50 : ms, ...rest);
setInterval(() => undefined, 2 ** 30);
const server = createServer().listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1'));
`,
  );
  world.env.NODE_OPTIONS = `--import=${preload}`;

  const usual = await world.cli('config', 'print');
  expect(usual).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\{[^]*\}\n$/) as string });
  const [line] = usual.stderr.trim().split('\n').slice(-1);
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'warn',
    message: expect.stringMatching(/did not end by itself .* 1 TCPServerWrap/) as string,
  });

  const failed = await world.cli('explain', 'companies');
  expect(failed.exitCode).toBe(2);
  expect(failed.stderr).toContain('warning: The process did not end by itself');
});
