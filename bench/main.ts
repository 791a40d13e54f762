import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../src/features/demo/postgres/start-postgres.js';
import { BENCHMARKS } from './benchmarks.js';
import { helpText } from './help-text.js';
import { machine } from './measure/machine.js';
import { readOptions, type Options } from './options.js';
import type { Figure } from './results/figure.js';
import { printFigure } from './results/print-figure.js';
import { growth } from './results/growth.js';
import { saveResults } from './results/save-results.js';
import { openSweepWorld, type SweepWorld } from './world/open-sweep-world.js';
import { startPlatform } from './world/start-platform.js';

/** Whatever hangs, it ends after this time. */
const LONGEST_MS = 4 * 3_600_000;

const names = BENCHMARKS.map(({ name }) => name);
const options = optionsOrExit();
if (options.help) console.log(helpText(BENCHMARKS));
else await runBenchmarks();

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2), names);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** On a server of their own, which is removed with its databases however this ends. */
async function runBenchmarks(): Promise<void> {
  const { only, rounds, command, write } = options;
  const folder = mkdtempSync(join(tmpdir(), 'placement-sync-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  setTimeout(() => {
    console.error('This takes too long.');
    process.exit(1);
  }, LONGEST_MS).unref();
  // The exit ends what was started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const postgres = await startPostgres({
    env: process.env,
    // What runs by itself would disturb some rounds and not others. Each benchmark vacuums when its state should be so.
    settings: { autovacuum: 'off', max_wal_size: '4GB' },
  });
  const platform = await startPlatform();
  platform.answer(401);
  const worlds = new Map<number, SweepWorld>();
  const world = async (rows: number): Promise<SweepWorld> => {
    const made =
      worlds.get(rows) ?? (await openSweepWorld({ rows, postgres, folder, baseUrl: platform.url }));
    worlds.set(rows, made);
    return made;
  };
  try {
    for (const { name, grows, missing, once, measure } of BENCHMARKS) {
      if (only.length > 0 && !only.includes(name)) continue;
      console.log(`\n${name}`);
      const reason = missing?.() ?? null;
      if (reason !== null) {
        console.log(`Left out. ${reason}`);
        continue;
      }
      const load = Math.round(10 * (loadavg()[0] ?? 0)) / 10;
      const figures: Figure[] = [];
      for await (const figure of measure({ options, postgres, platform, folder, world })) {
        printFigure(figure);
        figures.push(figure);
      }
      if (grows) {
        const grown = growth(figures);
        grown.forEach(printFigure);
        figures.push(...grown);
      }
      const date = new Date().toISOString().slice(0, 10);
      const measured = {
        name,
        date,
        command,
        rounds: once ? 1 : rounds,
        machine: machine(postgres.version),
        load,
        figures,
      };
      if (write) await saveResults(measured, names);
    }
  } finally {
    platform.stop();
    await postgres.stop();
  }
}
