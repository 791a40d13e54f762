import { setTimeout as wait } from 'node:timers/promises';
import type { ChaosWorld, Running } from './chaos-world.js';
import { checkLedger } from './check-ledger.js';
import { isLeaseLost, leasesFree, readReport } from './settle.js';
import type { Need, Step } from './steps.js';

/** Does work while one of the few places for processes is taken. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/** Tries until a step is told to be out of reach. */
const TRIES = 6;

/** So long after the start a process that is killed at any time lives at the longest, milliseconds. */
const LONGEST_LIFE_MS = 3_000;

/** What a reply takes when the lease is to be renewed meanwhile, milliseconds. */
const SLOW_MS = 500;

interface Killed {
  /** How many processes were killed; more than one when something had to be brought about first. */
  readonly kills: readonly Step[];
  readonly problems: readonly string[];
}

/** Starts `run` again and again, with edits before and meanwhile, until one was killed at the step. */
export async function killRun(
  world: ChaosWorld,
  step: Step,
  steps: readonly Step[],
  slots: Slots,
): Promise<Killed> {
  const kills: Step[] = [];
  const problems: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (step.needs) {
      const before = await bringAbout(world, step.needs, steps, slots);
      kills.push(...before.kills);
      problems.push(...before.problems);
    }
    const most = step.at === 'random' ? 80 : step.needs || tries > 0 ? 1 : 3;
    const drawn = world.random.integer(1, most);
    const occurrence = (step.at === 'platform' ? step.occurrence : undefined) ?? drawn;
    // Whatever is edited is sent for that, and not to be confirmed.
    if (step.needs !== 'confirmation') await world.edits.some(8);
    // Waited for before a place is taken: the others work meanwhile.
    await leasesFree(world);
    const ended = await slots(() => attempt(world, step, occurrence));
    if (ended.killed) kills.push(step);
    problems.push(...ended.problems);
    if (ended.killed || problems.length > 0) return { kills, problems };
  }
  return { kills, problems: [`${world.name}: no process came by "${step.name}" in ${TRIES} runs`] };
}

async function attempt(world: ChaosWorld, step: Step, occurrence: number) {
  const { killSwitch, platform, random } = world;
  platform.delayMs = step.needs === 'slow-platform' ? SLOW_MS : 0;
  const running = await world.launch('run', '--json');
  killSwitch.arm(running, step, occurrence);
  const editing = step.needs === 'confirmation' ? null : editWhile(world, running);
  if (step.at === 'random' && step.when === 'time') {
    const timer = setTimeout(() => void killSwitch.fire(), random.integer(200, LONGEST_LIFE_MS));
    void running.done.then(() => clearTimeout(timer));
  }
  const code = await running.done;
  const killed = code === null;
  killSwitch.disarm();
  await editing;
  if (killed && step.at === 'platform' && step.when === 'late')
    for (const { id } of platform.heldBack()) await world.edits.of(id);
  return { killed, problems: [...strange(running, code), ...(await checkLedger(world))] };
}

/**
 * A run may be left with something to do, but it never fails. One whose only requests got no reply says that nobody answers,
 * and one whose only request of a kind (a Find after a conflict, a delete) got a strange reply says that: here replies are
 * cut off and distorted, and `runFor: 0s` ends the run at once.
 */
function strange(running: Running, code: number | null): string[] {
  if (code === null || code === 0 || code === 3 || isLeaseLost(running)) return [];
  if (code === 5 && /breaker-open|reply-not-understood/.test(running.stderr())) return [];
  const told = readReport(running);
  return [`a run ended with ${code}: ${told ? JSON.stringify(told) : ''} ${running.stderr()}`];
}

/** Until the process ends, the partner's people work on. */
async function editWhile(world: ChaosWorld, running: Pick<Running, 'done'>): Promise<void> {
  let over = false;
  void running.done.then(() => (over = true));
  while (!over) {
    await Promise.race([running.done, wait(world.random.integer(50, 400))]);
    await world.edits.some(1);
  }
}

/** What has to be there before the process can come by the step. */
async function bringAbout(
  world: ChaosWorld,
  need: Need,
  steps: readonly Step[],
  slots: Slots,
): Promise<Killed> {
  if (need === 'slow-platform') return { kills: [], problems: [] };
  const kills: Step[] = [];
  const problems: string[] = [];
  const count = async (condition: string) => {
    const rows = await world.database.query(`select 1 from placement_sync.sync_state where ${condition}`);
    return rows.length;
  };
  const cutOff = steps.find(({ at, when }) => at === 'platform' && when === 'replied');
  const open = await count('claim_token is not null');
  const unsure = await count('confirm_at is not null and sendable');
  if (cutOff && open === 0 && (need === 'open-claims' || unsure === 0)) {
    const first = await killRun(world, cutOff, steps, slots);
    kills.push(...first.kills);
    problems.push(...first.problems);
  }
  if (need === 'confirmation') {
    // What is invalid or refused is not sent, so it is not confirmed either.
    await world.edits.mend();
    // Left alone, a run sends what was cut off; what is left is the confirmation. Without it both are one request.
    if (world.random.chance(0.5)) {
      await leasesFree(world);
      const ended = await slots(async () => {
        const running = await world.launch('run', '--json');
        return { running, code: await running.done };
      });
      problems.push(...strange(ended.running, ended.code));
    }
    const [due] = await world.database.query<{ ms: number | null }>(
      `select cast(extract(epoch from max(coalesce(confirm_at, attempted_at + $1 * interval '1 millisecond')) - clock_timestamp()) * 1000 as double precision) as ms
       from placement_sync.sync_state where confirm_at is not null or claim_token is not null`,
      [2 * world.timeoutMs],
    );
    await wait(Math.max(0, due?.ms ?? 0) + 5);
  }
  return { kills, problems };
}

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
