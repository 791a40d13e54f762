import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { filledWorld, NAMED, others, probe } from './other-platform.js';
import { type RunningCli, startCli } from './run-cli.js';

describe('first contact', () => {
  vi.setConfig({ testTimeout: 60_000 });

  test('at the sandbox everything is confirmed, with few requests, and the next run sends the other records only', async () => {
    const world = await filledWorld();
    const probed = await probe(world, ...NAMED);
    expect(others(probed), JSON.stringify(probed.checks, null, 1)).toEqual({});
    expect(probed.exitCode).toBe(0);
    expect(Object.keys(probed.results)).toEqual([
      ...['reachable', 'clock', 'wrong-signature', 'unknown-id', 'put-status', 'envelope', 'reference'],
      ...['find-shape', 'same-reference', 'parent-reference', 'rate-headers'],
    ]);
    expect(Object.keys(probed.checks.reachable)).toEqual(['id', 'assumption', 'result', 'seen', 'setting']);
    const requests = world.sandbox.requests();
    expect(requests.length).toBeLessThanOrEqual(20);
    expect(
      requests.filter(({ status }) => status === 401),
      'one wrong signature',
    ).toHaveLength(1);
    expect(world.sandbox.records('jobs', 'companies').map(({ body }) => body)).toMatchObject([
      { name: 'Company 1', about: 'What Company c001 does' },
    ]);
    expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(1);

    world.sandbox.clearRequests();
    const run = await world.run();
    expect(run).toMatchObject({
      code: 0,
      entities: {
        companies: { read: 3, unchanged: 1, new: 2, sent: 2 },
        vacancies: { read: 2, unchanged: 1, new: 1, sent: 1 },
      },
    });
    expect(world.sandbox.requests()).toHaveLength(3);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 0 } } });
  });
});

describe('demo', () => {
  /** A demo with a temporary folder of its own, whose name is in the command line of all its processes. */
  function startDemo(): { demo: RunningCli; folder: string } {
    const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
    // Started by root, Postgres runs as another user.
    chmodSync(folder, 0o777);
    const demo = startCli(['demo'], { env: { TMPDIR: folder } });
    onTestFinished(() => {
      demo.child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    return { demo, folder };
  }

  function processesNaming(text: string): string[] {
    return execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(text));
  }

  async function printed(demo: RunningCli, text: string): Promise<void> {
    while (!demo.stdout().includes(text)) {
      if (demo.child.exitCode !== null) throw new Error(`the demo ended without printing ${text}`);
      await wait(20);
    }
  }

  test('the demo shows the main job and leaves nothing behind', async () => {
    const { demo, folder } = startDemo();
    await printed(demo, 'First sync');
    expect(processesNaming(folder), 'the check below would see the server').not.toEqual([]);
    const { exitCode, stdout, stderr } = await demo.done;
    expect(stderr).not.toMatch(/error|\n {4}at /i);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Second sync: only that is sent.');
    expect(stdout).toMatch(/invalid: .*name is required/);
    const listed = stdout.match(/^ {2}\S+: [\d,]+ invalid/gm) ?? [];
    expect(listed).not.toEqual([]);
    expect(new Set(listed).size, 'each is listed once').toBe(listed.length);
    expect(processesNaming(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('Ctrl-C in the middle of the demo leaves nothing behind either', async () => {
    const { demo, folder } = startDemo();
    await printed(demo, 'First sync');
    await wait(1_500);
    demo.child.kill('SIGINT');
    const { exitCode } = await demo.done;
    expect(exitCode).toBe(1);
    expect(processesNaming(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
