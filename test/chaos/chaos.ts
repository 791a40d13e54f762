import { createRandom } from '../random.js';
import { type ChaosWorld, createChaosWorld } from './chaos-world.js';
import { killRun, killWorkers, type Slots } from './kill-runs.js';
import { settle } from './settle.js';
import { STEPS, type Step } from './steps.js';

export interface ChaosOptions {
  readonly seed: number;
  /** Kills of `run`; every step gets its equal share, the rest goes anywhere. */
  readonly kills: number;
  /** Kills of `start` with a second one standing by. */
  readonly workerKills: number;
  /** Of one request, milliseconds; default: of one half of the partners short, of the other long. */
  readonly timeoutMs?: number;
  /** Of a partner at the start; default a few. */
  readonly vacancies?: number;
  /** Only these steps; default all. */
  readonly steps?: readonly Step[];
  readonly main: string;
  /** Told whenever a world has come to rest. */
  readonly onProgress?: (line: string) => void;
}

export interface ChaosReport {
  /** Kills by the name of the step. */
  readonly run: ReadonlyMap<string, number>;
  readonly start: ReadonlyMap<string, number>;
  /** Edits of the source by their kind. */
  readonly edits: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

/** Partners side by side, and processes at a time: the one waits for leases while the other works. */
const WORLDS = 4;
const PROCESSES = 2;

/** Kills between two rests. */
const KILLS_BETWEEN_RESTS = 12;

/** Kills the built process at every step, and checks what must hold after each kill and whenever the dust has settled. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills, workerKills, main, onProgress = () => undefined } = options;
  const random = createRandom(seed);
  const steps = options.steps ?? STEPS;
  const share = Math.max(1, Math.floor(kills / steps.length));
  const tasks = random.shuffle(steps.flatMap((step) => Array.from({ length: share }, () => step)));
  const anywhere = steps.filter(({ at }) => at === 'random');
  while (tasks.length < kills) tasks.push(random.pick(anywhere.length > 0 ? anywhere : steps));
  tasks.length = kills;

  const run = new Map<string, number>();
  const start = new Map<string, number>();
  const problems: string[] = [];
  const edits = new Map<string, number>();
  const count = (table: Map<string, number>, step: Step) =>
    table.set(step.name, (table.get(step.name) ?? 0) + 1);
  const slots = createSlots(PROCESSES);

  const inWorld = async (index: number, work: (world: ChaosWorld) => Promise<void>): Promise<void> => {
    const world = await createChaosWorld({
      seed: seed * 100 + index,
      vacancies: options.vacancies,
      deletes: index % 2 === 1,
      // The longer one leaves more time for a late request to be overtaken, and takes longer to come to rest.
      timeoutMs: options.timeoutMs ?? (index % 4 < 2 ? 2_500 : 5_000),
      main,
    });
    try {
      world.faulty = true;
      await work(world);
    } finally {
      for (const [kind, times] of world.edits.counts) edits.set(kind, (edits.get(kind) ?? 0) + times);
      await world.close();
    }
  };
  const rest = async (world: ChaosWorld): Promise<void> => {
    problems.push(...(await settle(world, slots)));
    const all = [...run.values(), ...start.values()].reduce((sum, one) => sum + one, 0);
    onProgress(`${world.name}: at rest, ${world.witness.requests.length} requests; ${all} kills in all`);
  };
  const kill = (index: number) =>
    inWorld(index, async (world) => {
      let killed = 0;
      for (let step = tasks.pop(); step && problems.length === 0; step = tasks.pop()) {
        const result = await killRun(world, step, steps, slots);
        result.kills.forEach((one) => count(run, one));
        problems.push(...result.problems);
        killed += 1;
        if (killed % KILLS_BETWEEN_RESTS === 0 && problems.length === 0) await rest(world);
      }
      if (problems.length === 0) await rest(world);
    });
  const onTheWay = steps.filter(
    ({ runOnly, needs }) => !runOnly && needs !== 'open-claims' && needs !== 'confirmation',
  );
  const left = Array.from({ length: workerKills }, (_, index) => onTheWay[index % onTheWay.length]).filter(
    (step) => step !== undefined,
  );
  const killAllWorkers = async () => {
    for (let index = 0; left.length > 0 && problems.length === 0; index += 1) {
      await inWorld(WORLDS + index, async (world) => {
        const now = random.shuffle(left.splice(0, KILLS_BETWEEN_RESTS));
        // One of the two that work takes a place; the other one stands by.
        const result = await slots(() => killWorkers(world, now));
        result.kills.forEach((one) => count(start, one));
        problems.push(...result.problems);
        if (problems.length === 0) await rest(world);
      });
    }
  };
  const worlds = Math.min(WORLDS, Math.ceil(kills / 8));
  await Promise.all([killAllWorkers(), ...Array.from({ length: worlds }, (_, index) => kill(index))]);
  return { run, start, edits, problems };
}

function createSlots(places: number): Slots {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
