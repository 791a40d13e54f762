import { setTimeout as wait } from 'node:timers/promises';
import { checkLedger } from './check-ledger.js';
import type { ChaosWorld, Running } from './chaos-world.js';
import { editWhile, type Killed } from './kill-runs.js';
import { isLeaseLost } from './settle.js';
import type { Step } from './steps.js';

/** What a worker says that has both leases. */
const ACTIVE = 'This process sweeps and sends now';

/** How long a worker may go on before it is told that it never came by the step, milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Kills the `start` that works, step by step, while a second one stands by and takes over; the one that took over is the
 * next to be killed. At the end the last one is stopped, and nobody is at work.
 */
export async function killWorkers(world: ChaosWorld, steps: readonly Step[]): Promise<Killed> {
  const kills: Step[] = [];
  const problems: string[] = [];
  let active = await world.launch('start');
  await told(active, ACTIVE);
  const left = [...steps];
  for (let step = left.shift(); step && problems.length === 0; step = left.shift()) {
    const standby = await world.launch('start');
    await told(standby, 'Standing by');
    const most = step.at === 'random' ? 60 : 2;
    world.killSwitch.arm(active, step, world.random.integer(1, most));
    const timer =
      step.at === 'random' && step.when === 'time'
        ? setTimeout(() => void world.killSwitch.fire(), world.random.integer(0, 3_000))
        : undefined;
    const editing = editWhile(world, active);
    const code = await Promise.race([active.done, wait(PATIENCE_MS, 'alive' as const, { ref: false })]);
    clearTimeout(timer);
    world.killSwitch.disarm();
    if (code === null) {
      kills.push(step);
    } else if (code === 'alive' && isLeaseLost(active)) {
      // The machine is busy: the other one works by now, and this one stands by.
      left.push(step);
    } else {
      problems.push(`a worker did not die at "${step.name}" (${code}): ${active.stderr().slice(-2_000)}`);
    }
    if (code === 'alive') await active.kill();
    await editing;
    // It stands by for as long as the lease lasts; what is seen after that is not at rest.
    const found = await checkLedger(world, true);
    if (!standby.stderr().includes(ACTIVE)) problems.push(...found);
    active = standby;
    await told(active, ACTIVE);
  }
  const code = await active.stop();
  if (code !== 0) problems.push(`the last worker was stopped and ended with ${String(code)}`);
  return { kills, problems };
}

async function told(running: Running, text: string): Promise<void> {
  const ended = running.done.then((code) => {
    throw new Error(`a worker ended with ${String(code)} before it said "${text}": ${running.stderr()}`);
  });
  ended.catch(() => undefined);
  const seen = async () => {
    while (!running.stderr().includes(text)) await wait(20);
  };
  await Promise.race([seen(), ended]);
}
