import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Where a test file runs: what it imports and its name say so.
 *
 * `unit`: neither Postgres nor a process. `integration`: all others of `npm test`, which runs commands in its own process.
 * `slow`: most of the time of a `*.slow.test.ts` goes into processes, kills, waits and many databases, so
 * `npm run test:full` has it; also a `*.process.test.ts`, whose commands run each night as processes of their own. The opt-in
 * ones need more than Node, or more than minutes: `fleet`, `deploy`, `browser` and `sources` with pgbouncer have a script
 * each, the others are projects of `npm run test:hard`.
 */
export type Home = 'unit' | 'integration' | 'slow' | OptIn;
export type OptIn =
  | 'deploy'
  | 'browser'
  | 'pgbouncer'
  | 'sources'
  | 'fleet'
  | 'chaos'
  | 'processes'
  | 'soak'
  | 'rate'
  | 'model'
  | 'mutants';

/** Files, or folders with all below. */
export const OPT_IN: Readonly<Record<OptIn, readonly string[]>> = {
  // kubectl, promtool and the npm registry
  deploy: ['test/deploy-tools/'],
  browser: ['test/browser/'],
  pgbouncer: ['test/pgbouncer/'],
  // MariaDB, and a Postgres that reads it.
  sources: ['test/sources/'],
  // Node 22.12 or later, with the optional package pg-boss.
  fleet: ['test/features/fleet/engine/', 'test/features/fleet/processes/'],
  // Hundreds of kills, and the proof that they would notice; a few kills are in the slow lane.
  chaos: ['test/chaos/harness.test.ts'],
  // None of its own: those of `hasProcesses`, once more.
  processes: [],
  // Twenty minutes.
  soak: ['test/soak/'],
  // A quarter of an hour at full load.
  rate: ['test/rate/full-load.test.ts', 'test/features/fleet/full-shared-load.test.ts'],
  // Every state within the whole budgets.
  model: ['test/model/whole-budgets.test.ts'],
  // A run of Vitest for each rule that is broken on purpose.
  mutants: ['test/mutants/mutants.test.ts'],
};

/** What makes a file need Postgres or a process, in itself or in a helper that it imports. */
const NEEDS_MORE =
  /from '(pg|node:child_process|node:cluster|node:worker_threads|[./]+src\/features\/demo\/postgres\/start-postgres\.js)'|\binject\(/;

const ROOT = join(import.meta.dirname, '..');

/** All test files, as `test/core/domain/scrub-text.test.ts`. */
export const TEST_FILES: readonly string[] = readdirSync(join(ROOT, 'test'), { recursive: true })
  .map((name) => `test/${String(name).replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
  .sort();

export function homeOf(file: string): Home {
  const home = homes.get(file) ?? findHome(file);
  homes.set(file, home);
  return home;
}

const homes = new Map<string, Home>();

function findHome(file: string): Home {
  const isIn = (places: readonly string[]) => places.some((place) => file.startsWith(place));
  for (const [lane, places] of Object.entries(OPT_IN)) if (isIn(places)) return lane as OptIn;
  if (/\.(slow|process)\.test\.ts$/.test(file)) return 'slow';
  return helpersOf(file).some((path) => NEEDS_MORE.test(textOf(path))) ? 'integration' : 'unit';
}

export function filesOf(...homes: readonly Home[]): string[] {
  return TEST_FILES.filter((file) => homes.includes(homeOf(file)));
}

/** The file, and what it imports below `test`, directly or not. */
function helpersOf(file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return [];
  found.add(file);
  for (const [, name = ''] of textOf(file).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)) {
    const path = relative(ROOT, join(ROOT, dirname(file), name))
      .replaceAll('\\', '/')
      .replace(/\.js$/, '.ts');
    if (path.startsWith('test/')) helpersOf(path, found);
  }
  return [...found];
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

/** Its commands run as processes of their own in `npm run test:hard -- --project processes`. */
export function hasProcesses(file: string): boolean {
  return file.endsWith('.process.test.ts');
}

/** Files of `npm test` in which it skips tests. */
export const SHORTENED: readonly string[] = filesOf('integration').filter((file) =>
  /\bDAILY\b/.test(textOf(file)),
);

/**
 * The zones that the process of the tests lives in: the one of servers, the platform's, and one with an odd offset and
 * daylight saving.
 */
export const TIME_ZONES = ['UTC', 'Asia/Jakarta', 'America/St_Johns'] as const;

/** Those that `npm test`, in the zone of the machine, has not run in. */
export const OTHER_ZONES: readonly string[] = TIME_ZONES.filter(
  (zone) => zone !== Intl.DateTimeFormat().resolvedOptions().timeZone,
);

/** The tests whose outcome could depend on that zone: dates and times, schedules, settings, the signature's clock. */
export const ZONE_TESTS: readonly string[] = [
  'test/core/config/duration.test.ts',
  'test/core/config/load.test.ts',
  'test/core/config/rules.test.ts',
  'test/core/contract/schema-fields.test.ts',
  'test/core/contract/signature.test.ts',
  'test/features/webhook/contract/read-application.test.ts',
  'test/core/domain/reply/reply.test.ts',
  'test/core/entities/maps.test.ts',
  'test/core/entities/values.test.ts',
  'test/core/entities/whole-bodies.test.ts',
  'test/core/run/schedule.test.ts',
  'test/core/source/values.test.ts',
];
