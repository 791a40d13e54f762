import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addCompanies, createCliWorld } from './cli-world.js';
import { createLockedWorld } from './locked-world.js';
import { runCli } from './run-cli.js';

describe('watch', () => {
  const shown = (text: string) => text.split('As of ').length - 1;

  test('on a pipe the status is printed again and again, and the first SIGINT ends it with exit code 0', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    await world.run();
    const running = world.start('status', '--watch');
    await expect.poll(() => shown(running.stdout()), { timeout: 60_000 }).toBeGreaterThan(1);
    running.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await running.done;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [first = '', second = ''] = stdout.split('\n\n');
    expect(first).toMatch(/^ +synced .*\ncompanies +2 /);
    expect(first).toMatch(/As of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d WIB\. Ctrl-C ends this\.$/);
    expect(second).toMatch(/^ +synced /);
    expect(stdout).not.toContain('\u001b');
  });

  test('a terminal is repainted in place, cut to its height, and shows what changed', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    await world.run();
    const stop = new AbortController();
    let changed = false;
    const { exitCode, stdout } = await runCli(['status', '--watch'], {
      env: { ...world.env, TERM: 'xterm' },
      terminal: { columns: 200, rows: 4 },
      signal: stop.signal,
      onOutput(text) {
        const count = text.split('\u001b[H').length - 1;
        if (count === 1 && !changed) {
          changed = true;
          void world.sql(
            `update placement_sync.sync_state set refused_hash = desired_hash where key = 'c002'`,
          );
        }
        if (count >= 2) stop.abort();
      },
    });
    expect(exitCode).toBe(0);
    const [, first = '', second = ''] = stdout.split('\u001b[H\u001b[J');
    for (const frame of [first, second]) {
      expect(frame.split('\n')).toHaveLength(4);
      expect(frame).toContain('more lines need a taller window.');
    }
    expect(first).not.toContain('\u001b[31m1\u001b[39m');
    expect(second).toContain('\u001b[31m1\u001b[39m');
  });

  test('a state database that goes away while one watches is shown, and the watch goes on', async () => {
    const world = await createCliWorld();
    const stop = new AbortController();
    let moved = false;
    const { exitCode, stdout } = await runCli(['status', '--watch', ...[]], {
      env: world.env,
      signal: stop.signal,
      onOutput(text) {
        if (shown(text) === 1 && !moved) {
          moved = true;
          void world.sql('alter table placement_sync.entity_state rename to moved');
        }
        if (shown(text) === 2)
          void world.sql('alter table if exists placement_sync.moved rename to entity_state');
        if (shown(text) >= 3) stop.abort();
      },
    });
    await wait(10);
    expect(exitCode).toBe(0);
    const [, second = '', third = ''] = stdout.split(/As of .*\n/);
    expect(second).toContain('It is tried again.');
    expect(third).toContain('companies');
  });
});

describe('abandoned pages', () => {
  const RECORD = '/record?entity=companies&key=c001';

  /** Asks for record pages, each on a connection of its own, and does not wait for them. */
  function askMany(admin: string): Socket[] {
    const { hostname, port, host } = new URL(admin);
    return Array.from({ length: 300 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(`GET ${RECORD} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return socket.resume();
    });
  }

  test('record pages that their readers have left hold no connection, and those that are waited for no process', async () => {
    const { lock, unlock, worker, admin, waiting } = await createLockedWorld();
    await lock('company');
    const sockets = askMany(admin);
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    sockets.forEach((socket) => socket.destroy());
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
    await unlock();
    const page = await fetch(admin + RECORD);
    expect([page.status, (await page.text()).includes('Company 1')]).toEqual([200, true]);
    expect(worker.stderr()).not.toMatch(/"level":"(error|warn)"/);
    worker.child.kill('SIGTERM');
    expect((await worker.done).exitCode).toBe(0);
  });

  test('SIGTERM ends a worker while many wait for a record page that cannot come', async () => {
    const { lock, worker, admin, waiting } = await createLockedWorld();
    await lock('company');
    const sockets = askMany(admin);
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2);
    worker.child.kill('SIGTERM');
    // The statements would wait for ten seconds each.
    expect((await worker.done).exitCode).toBe(0);
    expect(await waiting()).toBe(0);
  });
});
