import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startPostgres } from '../../../../src/features/demo/postgres/start-postgres.js';

const LAUNCHER = path.resolve(
  import.meta.dirname,
  '../../../../src/features/demo/postgres/start-postgres.ts',
);

describe('a Postgres of our own', () => {
  test('takes the password only, speaks UTF-8 and UTC, and is gone after stop', async () => {
    const postgres = await startPostgres({ env: process.env, settings: { TimeZone: 'Asia/Jakarta' } });
    try {
      const client = new pg.Client({ connectionString: postgres.superUrl });
      await client.connect();
      const { rows } = await client.query(
        `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
           current_setting('log_timezone') as log_zone, current_setting('listen_addresses') as addresses`,
      );
      await client.end();
      expect(rows).toEqual([
        { encoding: 'UTF8', zone: 'Asia/Jakarta', log_zone: 'UTC', addresses: '127.0.0.1' },
      ]);
      const wrong = new URL(postgres.url('postgres'));
      wrong.password = 'guessed';
      await expect(new pg.Client({ connectionString: wrong.href }).connect()).rejects.toMatchObject({
        code: '28P01',
      });
      expect(readdirSync(postgres.dir)).not.toContain('password');
    } finally {
      await Promise.all([postgres.stop(), postgres.stop()]);
    }
    expect(existsSync(postgres.dir)).toBe(false);
    expect(isAlive(postgres.pid)).toBe(false);
  });

  test('says what was looked for when there is none that runs, and leaves no folder', async () => {
    const tempDir = mkdtempSync(path.join(os.tmpdir(), 'start-postgres-'));
    // As root the folder is used only when other users can get there.
    chmodSync(tempDir, 0o755);
    try {
      await expect(startPostgres({ binDir: '/nowhere/bin', env: {}, tempDir })).rejects.toThrow(
        /No working Postgres was found.*Searched: binDir \(\/nowhere\/bin\)/s,
      );
      expect(readdirSync(tempDir)).toEqual([]);
    } finally {
      rmSync(tempDir, { recursive: true });
    }
  });

  test('shows the server’s own words when it does not start', async () => {
    const settings = { shared_buffers: 'plenty' };
    await expect(startPostgres({ env: process.env, settings })).rejects.toThrow(
      /did not start.*"shared_buffers"/s,
    );
  });
});

describe('a process that started a Postgres and did not stop it', () => {
  test.each([
    ['ends', 'undefined', null],
    ['fails', `setTimeout(() => { throw new Error('boom'); }, 10)`, null],
    ['is terminated', 'setInterval(() => undefined, 1000)', 'SIGTERM'],
    ['is killed', 'setInterval(() => undefined, 1000)', 'SIGKILL'],
  ] as const)('leaves no server and no folder when it %s', async (_, then, signal) => {
    const script = `
      import { startPostgres } from ${JSON.stringify(LAUNCHER)};
      const postgres = await startPostgres({ env: process.env });
      process.stdout.write(JSON.stringify({ pid: postgres.pid, dir: postgres.dir }) + '\\n', () => { ${then} });
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const { pid, dir } = await firstLine(child);
    if (signal) child.kill(signal);
    await exited;
    const deadline = Date.now() + 10_000;
    while ((existsSync(dir) || isAlive(pid)) && Date.now() < deadline) await sleep(50);
    expect({ folder: existsSync(dir), server: isAlive(pid) }).toEqual({ folder: false, server: false });
  });
});

async function firstLine(child: ChildProcess): Promise<{ pid: number; dir: string }> {
  let output = '';
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  for await (const data of child.stdout ?? []) {
    output += String(data);
    if (output.includes('\n')) return JSON.parse(output) as { pid: number; dir: string };
  }
  throw new Error(`the process ended early: ${errors}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
