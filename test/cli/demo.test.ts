import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningCli, startCli } from './run-cli.js';

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
