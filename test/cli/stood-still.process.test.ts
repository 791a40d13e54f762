import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createRandom } from '../random.js';
import { addCompanies, createCliWorld } from './cli-world.js';

/** Longer than the time of a request (5 s), and than the time for which a lease of 8 s lets a process send. */
const STOP_MS = 7_000;

test('a process that stood still for longer than its lease sends nothing when it goes on', async () => {
  const random = createRandom(43);
  const stopOnce = async () => {
    const world = await createCliWorld();
    await addCompanies(world, 300);
    world.intercept = () => wait(10);
    const run = world.start('run', '--json');
    await world.requested(20);
    await wait(random.integer(0, 20));
    run.child.kill('SIGSTOP');
    await wait(STOP_MS);
    const stopped = world.sandbox.requests().length;
    run.child.kill('SIGCONT');
    const { exitCode, stderr } = await run.done;
    expect(world.sandbox.requests().length - stopped, 'requests after it').toBe(0);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('"code":"lease-lost"');
    // Of a process that lost it, the lease ends by itself.
    await wait(9_000 - STOP_MS);
    world.intercept = null;
    // What had no reply waits until it is due.
    await vi.waitFor(async () => expect(await world.run()).toMatchObject({ outcome: 'complete' }), 60_000);
    expect(world.sandbox.records('jobs', 'companies')).toHaveLength(300);
  };
  await Promise.all([stopOnce(), stopOnce(), stopOnce()]);
}, 240_000);
