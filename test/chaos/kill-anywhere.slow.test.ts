import { expect, test } from 'vitest';
import { BUILT } from './chaos-world.js';
import { chaos } from './chaos.js';
import { STEPS } from './steps.js';

/**
 * In the whole suite some of the steps, other ones each time, and none that something has to be brought about for first;
 * `npm run test:hard -- --project chaos` sets more.
 */
const KILLS = Number(process.env.CHAOS_KILLS ?? 12);
const WORKER_KILLS = Number(process.env.CHAOS_WORKER_KILLS ?? 1);
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 100_000);

test(`a process that is killed at any step loses nothing, repeats little and blocks nobody (seed ${SEED})`, async () => {
  const report = await chaos({
    seed: SEED,
    kills: KILLS,
    workerKills: WORKER_KILLS,
    ...(KILLS < STEPS.length ? { timeoutMs: 2_500, steps: STEPS.filter(({ needs }) => !needs) } : {}),
    main: BUILT,
    onProgress: (line) => process.stdout.write(`${line}\n`),
  });
  const width = Math.max(...STEPS.map(({ name }) => name.length));
  const table = STEPS.map(
    ({ name }) => `${name.padEnd(width)} ${count(report.run, name)} ${count(report.start, name)}`,
  );
  process.stdout.write(`Seed ${SEED}. Kills of run, of start:\n${table.join('\n')}\n`);
  const edits = [...report.edits].sort().map(([kind, times]) => `${kind}: ${times}`);
  process.stdout.write(`Edits meanwhile: ${edits.join('; ')}\n`);
  expect(report.problems, `CHAOS_SEED=${SEED} CHAOS_KILLS=${KILLS}`).toEqual([]);
  const least = Math.floor(KILLS / STEPS.length);
  expect(STEPS.filter(({ name }) => (report.run.get(name) ?? 0) < least).map(({ name }) => name)).toEqual([]);
  expect([...report.start.values()].reduce((sum, kills) => sum + kills, 0)).toBe(WORKER_KILLS);
}, 3_600_000);

function count(kills: ReadonlyMap<string, number>, name: string): string {
  return String(kills.get(name) ?? 0).padStart(4);
}
