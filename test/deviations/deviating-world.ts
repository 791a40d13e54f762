import { setTimeout as wait } from 'node:timers/promises';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from '../cli/cli-world.js';
import type { Row } from './rows.js';

/** A partner with three companies and two vacancies, before a platform that differs; nothing is sent yet. */
export async function deviatingWorld({
  deviations,
  basePath,
}: Pick<Row, 'deviations' | 'basePath'>): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  // What fails is due again at once, and two failures in a row stop an area.
  world.configure('entities:', 'retry: { baseDelay: 1ms, maxDelay: 10ms, breakerAfter: 2 }\nentities:');
  world.configure('timeout: 5s', 'timeout: 1s');
  world.env.BASE_URL = `${world.sandbox.url}${basePath ?? ''}`;
  world.sandbox.setDeviations(deviations);
  return world;
}

/** Adds lines to the block `platform:`. */
export function set(world: CliWorld, setting: string): void {
  world.configure('retry: {', `  ${setting}\nretry: {`);
}

/** Everything that an operator reads after a run. */
export async function words(world: CliWorld): Promise<string> {
  const run = await world.cli('run');
  const status = await world.cli('status');
  const json = await world.cli('status', '--json');
  return [run, status, json].map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n');
}

/** What the platform holds, by name or title. */
export function held(world: CliWorld): string[] {
  const bodies = ['companies', 'vacancies'].flatMap((kind) => world.sandbox.records('jobs', kind));
  return bodies.map(({ body }) => {
    const { name, title } = body as { name?: string; title?: string };
    return name ?? title ?? '';
  });
}

export const WHOLE = ['Company 1', 'Company 2', 'Company 3', 'Vacancy 1', 'Vacancy 2'];

/** Runs until nothing is left to do, also no confirmation that is not due yet, as the schedule would. */
export async function runUntilDone(world: CliWorld): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { code } = await world.run();
    const [left] = await world.sql<{ count: string }>(
      `select count(*) from placement_sync.record join placement_sync.sync_state using (entity, platform_id)
       where record.status <> 'synced' or sync_state.confirm_at is not null`,
    );
    if (code === 0 && left?.count === '0') return;
    if (Date.now() > until) throw new Error(`still ${String(left?.count)} records are not settled`);
    await wait(50);
  }
}
