import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { filesOf, hasProcesses, OTHER_ZONES, SHORTENED, ZONE_TESTS, type OptIn } from './test/lanes.js';

type Lane = NonNullable<ViteUserConfig['test']>;

const POSTGRES = 'test/postgres/global-setup.ts';
/** Databases end with the file whose tests made them. */
const DATABASES = 'test/postgres/drop-databases.ts';
/** A failure shows the values that it compares, instead of `[ 'a', …(15) ]`; the bound keeps a list that runs away readable. */
const chaiConfig = { truncateThreshold: 4_000 };
const common = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // The default of one second is too short for a busy machine.
  expect: { poll: { timeout: 60_000 } },
  chaiConfig,
  setupFiles: ['test/security/watch-output.ts', DATABASES],
  // Files after each other in one process: loading the modules anew for each took a fifth of the time. None leaves
  // anything behind; `--isolate` shows whether one needs what another left.
  isolate: false,
};

const project = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  test: { ...common, ...test },
});
const unit = project({ name: 'unit', include: filesOf('unit') });
const integration = project({ name: 'integration', include: filesOf('integration') });
const slow = project({ name: 'slow', include: filesOf('slow') });
/** Without tests and budgets that take long. */
const daily = project({ ...integration.test, env: { LANE: 'daily' } });
/** Counts what arrives in a second: a process that waits for a core would send late, so nothing else keeps it from one. */
const isMeasured = (file: string): boolean => /\/(shared-rate|short-load|short-shared-load)\./.test(file);
const measured = project({
  name: 'measured',
  include: filesOf('slow').filter(isMeasured),
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
});
/** What `npm test` leaves out. */
const left = project({
  name: 'left',
  include: [...filesOf('slow').filter((file) => !isMeasured(file)), ...SHORTENED],
});
/** What depends on the zone of the process. */
const zones = OTHER_ZONES.map((zone) =>
  // A slash in the name could not be selected by `--project`.
  project({ name: zone.replace('/', '-'), include: [...ZONE_TESTS], env: { TZ: zone } }),
);

/** Real replicas. What is measured is measured alone; the others mostly wait. */
const sharedRate = project({
  name: 'fleet rate',
  include: filesOf('fleet').filter(isMeasured),
  testTimeout: 180_000,
  maxWorkers: 1,
  sequence: { groupOrder: 0 },
});
const replicas = project({
  name: 'fleet',
  include: filesOf('fleet').filter((file) => !isMeasured(file)),
  testTimeout: 180_000,
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
});

/** On one Postgres server. */
const together = (...projects: TestProjectInlineConfiguration[]): Lane => ({
  globalSetup: [POSTGRES],
  projects,
});

/** One file after the other. */
const alone = (
  name: OptIn,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include: filesOf(name),
    setupFiles: [DATABASES],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    chaiConfig,
    ...test,
  },
});
const chaos = alone('chaos', {
  include: [...filesOf('chaos'), 'test/chaos/kill-anywhere.slow.test.ts'],
  env: {
    CHAOS_KILLS: process.env.CHAOS_KILLS ?? '380',
    CHAOS_WORKER_KILLS: process.env.CHAOS_WORKER_KILLS ?? '30',
  },
});
// The minutes themselves, and those that the end may take.
const soak = alone('soak', { testTimeout: (Number(process.env.SOAK_MINUTES ?? 20) + 10) * 60_000 });
// Each has a server and a client process, and the busiest need a core between them.
const rate = alone('rate', { maxConcurrency: 3, testTimeout: 600_000 });

/** Every command as a process of its own, where the other lanes run most in one. */
const processes = alone('processes', {
  ...common,
  include: filesOf('slow').filter(hasProcesses),
  env: { CLI_PROCESSES: '1' },
  maxWorkers: 2,
});

/** By `--mode`; package.json has a script for each. Without one: each file that needs only Node. */
const LANES: Readonly<Record<string, Lane>> = {
  test: together(unit, integration, slow),
  unit: { projects: [unit] },
  daily: {
    ...together(unit, daily),
    maxWorkers: 4,
    globalSetup: [POSTGRES, 'test/features/fleet/engine/say-left-out.ts'],
  },
  full: { ...together(left, ...zones, measured), maxWorkers: 3 },
  fleet: {
    globalSetup: ['test/features/fleet/engine/check-engine.ts', POSTGRES],
    projects: [sharedRate, replicas],
  },
  deploy: together(alone('deploy', { globalSetup: ['test/deploy-tools/check-tools.ts'], maxWorkers: 2 })),
  // One test opens every page several times: over a minute on two busy cores.
  browser: together(alone('browser', { globalSetup: ['test/browser/check-browser.ts'], maxWorkers: 2 })),
  sources: together(
    alone('sources', {}),
    alone('pgbouncer', { globalSetup: ['test/pgbouncer/check-pgbouncer.ts'] }),
  ),
  hard: together(
    chaos,
    processes,
    soak,
    rate,
    alone('model', { testTimeout: 3_600_000 }),
    alone('mutants', {}),
  ),
};

export default defineConfig(({ mode }) => {
  const lane = LANES[mode];
  if (lane === undefined) throw new Error(`--mode ${mode}: one of ${Object.keys(LANES).join(', ')}`);
  return {
    // For two cores. A lane whose files wait for Postgres and for processes has more.
    test: { maxWorkers: 2, reporters: ['default', 'test/slowest-files.ts'], chaiConfig, ...lane },
  };
});
