import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Where a test file runs. `unit`: neither Postgres nor a process. `slow`: most of its time goes into processes, kills and
 * waits, so `npm run test:rest` has it. The opt-in ones need more than Node, or more than minutes, and have a script of
 * their own. All others are `integration`.
 */
export type Home = 'unit' | 'integration' | 'slow' | OptIn;
export type OptIn =
  'deploy' | 'browser' | 'pgbouncer' | 'fleet' | 'chaos' | 'soak' | 'rate' | 'model' | 'mutants';

/** Files, or folders with all below. */
export const OPT_IN: Readonly<Record<OptIn, readonly string[]>> = {
  // kubectl, promtool and the npm registry
  deploy: ['test/deploy-tools/'],
  browser: ['test/browser/'],
  pgbouncer: ['test/pgbouncer/'],
  // Node 22.12 or later, with the optional package pg-boss.
  fleet: ['test/fleet/engine/', 'test/fleet/processes/'],
  // Hundreds of kills, and the proof that they would notice; a few kills are in the slow lane.
  chaos: ['test/chaos/harness.test.ts'],
  // Twenty minutes.
  soak: ['test/soak/'],
  // A quarter of an hour at full load.
  rate: ['test/rate/full-load.test.ts', 'test/fleet/full-shared-load.test.ts'],
  // Every state within the whole budgets.
  model: ['test/model/whole-budgets.test.ts'],
  // A run of Vitest for each rule that is broken on purpose.
  mutants: ['test/mutants/mutants.test.ts'],
};

/** Of each area some files stay in `npm test`. */
export const SLOW: readonly string[] = [
  'test/chaos/kill-anywhere.test.ts',
  'test/cli/abandoned-pages.test.ts',
  'test/cli/certificate.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/first-contact.test.ts',
  'test/cli/locked-ledger.test.ts',
  'test/cli/other-replies.test.ts',
  'test/cli/probe.test.ts',
  'test/cli/replica.test.ts',
  'test/cli/report.test.ts',
  'test/cli/sandbox-data.test.ts',
  'test/cli/search-path.test.ts',
  'test/cli/transport.test.ts',
  'test/cli/watch.test.ts',
  'test/cli/worker-role.test.ts',
  'test/demo/postgres/start-postgres.test.ts',
  'test/demo/sample-maps.test.ts',
  'test/deviations/deviations.test.ts',
  'test/deviations/probe.test.ts',
  'test/deviations/reading-back.test.ts',
  'test/deviations/refusals.test.ts',
  'test/entities/sixth-entity.test.ts',
  'test/fleet/create-shared-rate-limit.test.ts',
  'test/fleet/short-shared-load.test.ts',
  'test/model/conformance.test.ts',
  'test/onboarding/doctor/problems.test.ts',
  'test/onboarding/doctor/surroundings.test.ts',
  'test/onboarding/init/counted-rows.test.ts',
  'test/onboarding/other-schemas.test.ts',
  'test/platform/create-rate-limit.test.ts',
  'test/rate/short-load.test.ts',
  'test/security/memory.test.ts',
  'test/service/run-worker.test.ts',
  'test/service/scheduled-verify.test.ts',
  'test/source/failures.test.ts',
  'test/source/search-path.test.ts',
  'test/state/database/in-schema.test.ts',
  'test/state/database/open-statements.test.ts',
  'test/state/inbox.test.ts',
  'test/state/inbox.test.ts',
  'test/state/lease/leases.test.ts',
  'test/state/search-path.test.ts',
  'test/state/silent-database.test.ts',
  'test/sync/accidents.test.ts',
  'test/sync/application-statuses.test.ts',
  'test/sync/area-trouble.test.ts',
  'test/sync/closing-and-deleting.test.ts',
  'test/sync/keys-and-queries.test.ts',
  'test/sync/lost-replies.test.ts',
  'test/sync/mapping-change.test.ts',
  'test/sync/mass-change.test.ts',
  'test/sync/plan/foretell.test.ts',
  'test/sync/plan/plan.test.ts',
  'test/sync/read-back/adopt-records.test.ts',
  'test/sync/read-back/other-shapes.test.ts',
  'test/sync/read-back/verify.test.ts',
  'test/sync/refresh.test.ts',
  'test/sync/refused-records.test.ts',
  'test/sync/restored-source.test.ts',
  'test/sync/restored-state.test.ts',
  'test/sync/run/last-success.test.ts',
  'test/sync/run/prune.test.ts',
  'test/sync/run/resync.test.ts',
  'test/sync/run/run-sync.test.ts',
  'test/sync/small-outage.test.ts',
  'test/sync/time-zone.test.ts',
  'test/sync/together.test.ts',
  'test/sync/vanished.test.ts',
];

/**
 * Tests of commands whose processes show nothing new: other files start the same commands as processes of their own.
 */
export const IN_PROCESS: readonly string[] = [
  'test/cli/adopt.test.ts',
  'test/cli/applicants.test.ts',
  'test/cli/approve.test.ts',
  'test/cli/guards.test.ts',
  'test/cli/keys.test.ts',
  'test/cli/notices.test.ts',
  'test/cli/other-refusals.test.ts',
  'test/cli/other-replies.test.ts',
  'test/cli/plan.test.ts',
  'test/cli/probe.test.ts',
  'test/cli/says-what-happened.test.ts',
  'test/cli/treat-as-success.test.ts',
  'test/cli/truths.test.ts',
  'test/cli/verify.test.ts',
];

/** What needs neither Postgres nor a process, but seconds: with the integration tests, so that the unit tests stay quick. */
export const LONG: readonly string[] = [
  'test/config/any-file.test.ts',
  'test/config/json-schema.test.ts',
  'test/contract/openapi/openapi-document.test.ts',
  'test/docs/stale.test.ts',
  'test/entities/any-row.test.ts',
  'test/entities/lookup-laws.test.ts',
  'test/entities/storable.test.ts',
  'test/model/push-protocol.test.ts',
  'test/model/world-state.test.ts',
  'test/onboarding/linear.test.ts',
  'test/platform/hostile-replies.test.ts',
  'test/platform/http-platform.test.ts',
  'test/runtime/http/open-listener.test.ts',
  'test/runtime/http/read-body.test.ts',
  'test/sandbox/faults/faults.test.ts',
  'test/service/schedule-loop.test.ts',
  'test/telemetry/mail-notice.test.ts',
  'test/telemetry/post-notice.test.ts',
];

/** What makes a file need Postgres or a process, in itself or in a helper that it imports. */
const NEEDS_MORE =
  /from '(pg|node:child_process|node:cluster|node:worker_threads|[./]+src\/demo\/postgres\/start-postgres\.js)'|\binject\(/;

const ROOT = join(import.meta.dirname, '..');

/** All test files, as `test/domain/issue.test.ts`. */
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
  if (isIn(SLOW)) return 'slow';
  if (isIn(LONG)) return 'integration';
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

/** Its commands run as processes of their own in the rest lane. */
export function hasProcesses(file: string): boolean {
  return file.startsWith('test/cli/') && !IN_PROCESS.includes(file);
}

/** Files of `npm test` in which it skips tests, and that run in no process of their own. */
export const SHORTENED: readonly string[] = filesOf('integration').filter(
  (file) => /\bDAILY\b/.test(textOf(file)) && !hasProcesses(file),
);
