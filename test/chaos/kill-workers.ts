import { setTimeout as wait } from 'node:timers/promises';
import { checkLedger } from './check-ledger.js';
import type { ChaosWorld, Running } from './chaos-world.js';
import { editWhile, type Killed } from './kill-runs.js';
import type { Step } from './steps.js';

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
  await told(active, 'This process sweeps and sends now');
  for (const step of steps) {
    const standby = await world.launch('start');
    await told(standby, 'Standing by');
    world.killSwitch.arm(active, step, step.at === 'random' ? world.random.integer(1, 60) : world.random.integer(1, 2));
    const timer =
      step.at === 'random' && step.when === 'time'
        ? setTimeout(() => void world.killSwitch.fire(), world.random.integer(0, 3_000))
        : undefined;
    const editing = editWhile(world, active);
    const code = await Promise.race([active.done, wait(PATIENCE_MS, 'alive' as const, { ref: false })]);
    clearTimeout(timer);
    world.killSwitch.disarm();
    if (code === 'alive') {
      problems.push(`a worker never came by "${step.name}": ${active.stderr().slice(-2_000)}`);
      await active.kill();
    } else if (code !== null) {
      problems.push(`a worker ended with ${code}: ${active.stderr().slice(-2_000)}`);
    } else {
      kills.push(step);
    }
    await editing;
    // Before the other one takes over: it stands by for as long as the lease lasts.
    problems.push(...(await checkLedger(world, true, true)));
    active = standby;
    await told(active, 'This process sweeps and sends now');
    if (problems.length > 0) break;
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
