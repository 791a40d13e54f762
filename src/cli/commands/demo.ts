import type { Emit } from '../../core/domain/events.js';
import { explainRecord } from '../../features/look/explain-record.js';
import type { RunReport } from '../../core/run/end.js';
import { runSync } from '../../core/run/run.js';
import { withWork } from '../../core/leases.js';
import { standardErrorListener } from '../command-context.js';
import { commonOptions, type Handler } from '../common-options.js';
import { startDemoWorld, type DemoWorld } from '../compose/demo-world.js';
import { withRunContext } from '../compose/open-run.js';
import { printRun } from '../output/print-run.js';
import { say, writeOut } from '../output/write.js';
import { startWorker } from './start.js';

export const demoCommand: Handler = async ({ command, signal }) => {
  const { quiet = false } = commonOptions(command);
  const { keep = false } = command.opts<{ keep?: boolean }>();
  say('Starting a Postgres with an invented HR database, and a local copy of the platform …');
  const emit = standardErrorListener({ level: 'error', format: 'pretty', quiet });
  const world = await withWork(emit, 'Starting', startDemoWorld);
  try {
    const exitCode = await playDemo(world, emit, signal);
    if (keep && !signal.aborted) await keepUp(world, emit, signal);
    return exitCode;
  } finally {
    await world.stop();
    say('Stopped. Nothing is left running or on disk.');
    if (!keep)
      say('To see its dashboard: npm run demo -- --keep (from the package: placement-sync demo --keep).');
  }
};

async function playDemo(world: DemoWorld, emit: Emit, signal: AbortSignal): Promise<number> {
  const broken = await withWork(emit, 'Filling the HR database', () => world.seed());
  say(
    `Postgres ${world.postgres.version} on port ${world.postgres.port}, the sandbox on ${world.sandbox.url}.\n`,
  );
  if (signal.aborted) return 1;

  say('1. First sync: everything is new.');
  const first = await sync(world, emit, signal, true);
  if (signal.aborted) return 1;
  if (!finishedAsExpected(first)) {
    say('\nThe first sync did not finish, so the demo ends here. The lines above say why.');
    return 1;
  }

  say('\n2. A morning passes at the HR department:');
  for (const { sentence } of await world.edit()) say(`   - ${sentence}`);

  say('\n3. Second sync: only that is sent.');
  world.sandbox.clearRequests();
  // The same records are still wrong, and the first sync named them.
  const second = await sync(world, emit, signal, false);
  if (signal.aborted) return 1;
  for (const { method, path, status } of world.sandbox.requests())
    say(`   ${method} ${path} → ${status ?? 'no reply'}`);

  say('\n4. Why the others were not sent: the sample has records that are wrong on purpose.');
  const shown = [...world.config.entities.keys()].flatMap(
    (name) => broken.find(({ entity, expect }) => entity === name && expect !== 'warning') ?? [],
  );
  await withRunContext(world.config, { emit: () => undefined, signal }, async (context) => {
    for (const { entity, key } of shown) {
      const configured = context.entities.find(({ name }) => name === entity);
      if (!configured) continue;
      const { status, reason } = await explainRecord(context, configured, key);
      say(`   placement-sync explain ${entity} ${key}\n     ${status}: ${reason}`);
    }
  });
  return demoExitCode(first, second);
}

function sync(
  { config }: DemoWorld,
  emit: Emit,
  signal: AbortSignal,
  attention: boolean,
): Promise<RunReport> {
  return withRunContext(config, { emit, signal, migrate: true }, async (context) => {
    const report = await runSync(context, { trigger: 'manual' });
    await printRun(context, report, false, { attention });
    return report;
  });
}

/** A worker, whose dashboard can be looked at, until the signal aborts. */
async function keepUp(world: DemoWorld, log: Emit, signal: AbortSignal): Promise<void> {
  const emit: Emit = (event) => {
    log(event);
    if (event.type === 'listening' && event.what === 'admin') printPlaces(world, event.url);
  };
  await startWorker(world.config, { emit, signal, migrate: false });
}

function printPlaces(world: DemoWorld, dashboard: string): void {
  const variables = Object.entries(world.environment).map(([name, value]) => `  export ${name}='${value}'`);
  // Lines are never wrapped, so that they can be copied.
  writeOut(
    [
      `\nThe worker runs. Its dashboard: ${dashboard}`,
      'Ctrl-C ends all. In another terminal:',
      ...variables,
      `  placement-sync status --config ${world.config.file}`,
      `  placement-sync explain vacancies KEY --config ${world.config.file}`,
      `  psql "$DEMO_DATABASE_URL"`,
      `What the platform holds: ${world.sandbox.url}/_sandbox/records/jobs/vacancies`,
    ].join('\n'),
  );
}

type SyncEnd = Pick<RunReport, 'exitCode'> & {
  readonly entities: Readonly<Record<string, { readonly accepted: number }>>;
};

/** Whether a sync of the sample ended as it must: it has broken records. */
function finishedAsExpected({ exitCode }: Pick<RunReport, 'exitCode'>): boolean {
  return exitCode === 3;
}

/** 0 when the demo did what it promises: the first sync sends the sample, the second only the few edits. */
export function demoExitCode(first: SyncEnd, second: SyncEnd): 0 | 1 {
  const sent = ({ entities }: SyncEnd) =>
    Object.values(entities).reduce((sum, { accepted }) => sum + accepted, 0);
  const finished = finishedAsExpected(first) && finishedAsExpected(second);
  return finished && sent(first) > 1_000 && sent(second) > 0 && sent(second) < 10 ? 0 : 1;
}
