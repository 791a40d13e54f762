import { expect, test } from 'vitest';
import type { RunReport } from '../../src/core/run/end.js';
import { addCompanies, createCliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';

/** A company without a name: exit code 3, run after run. */
async function worldWithInvalidRow() {
  const world = await createCliWorld();
  await addCompanies(world, 2);
  await world.sql(`update company set name = null where id = 'c002'`);
  return world;
}

test('a run ends with 0 where its exit code is in the list, and the summary keeps the true one', async () => {
  const world = await worldWithInvalidRow();
  expect((await world.cli('run')).exitCode, 'without the option').toBe(3);
  const json = await world.cli('run', '--json', '--treat-as-success', '3,6');
  expect(json.exitCode).toBe(0);
  expect((JSON.parse(json.stdout) as RunReport).exitCode).toBe(3);
  const people = await world.cli('run', '--treat-as-success', ' 3 ');
  expect(people.exitCode).toBe(0);
  expect(people.stdout).toMatch(/Exit code 3,/);
  expect(people.stdout).toContain('Exit code 3 is treated as success: the process ends with 0.');
  const { lastRun } = JSON.parse((await world.cli('status', '--json')).stdout) as {
    lastRun: { exitCode: number };
  };
  expect(lastRun.exitCode, 'what is stored').toBe(3);
});

test('a code that is not in the list ends the process as ever', async () => {
  const world = await worldWithInvalidRow();
  const { exitCode, stdout } = await world.cli('run', '--treat-as-success', '4,5,6');
  expect(exitCode).toBe(3);
  expect(stdout).not.toContain('treated as success');
  world.write('companies.sql', 'select nothing from nowhere');
  expect((await world.cli('run', '--treat-as-success', '3,6')).exitCode).toBe(1);
});

test('a run that is not alone ends with 0 where 6 is in the list', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 8);
  const release = world.holdReplies();
  const first = world.start('run', '--json');
  await world.requested(1);
  const { exitCode, stdout } = await world.cli('run', '--json', '--treat-as-success', '3,6');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'busy', exitCode: 6 });
  release();
  expect((await first.done).exitCode).toBe(0);
});

test.each(['1', '2', '0', '3;6', '3,,6', '', 'three', '33'])(
  'the list %j is refused before anything is done',
  async (list) => {
    const { exitCode, stdout, stderr } = await runCli(['run', '--treat-as-success', list]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Expected exit codes among 3, 4, 5, 6');
  },
);
