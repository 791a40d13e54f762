import type { CheckedAssumption, CheckId } from '../../src/domain/probe/checks.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { startOtherPlatform, type Deviations, type OtherPlatform } from './other-platform.js';

/** One company and its vacancy. */
export const NAMED = ['--company', 'c001', '--vacancy', 'v001'];

export interface Probed {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly checks: Readonly<Record<CheckId, CheckedAssumption>>;
  readonly results: Readonly<Record<string, string>>;
}

export async function probe(world: CliWorld, ...args: string[]): Promise<Probed> {
  const { exitCode, stdout, stderr } = await world.cli('probe', '--yes', '--json', ...args);
  const { checks } = JSON.parse(stdout) as { checks: CheckedAssumption[] };
  return {
    exitCode,
    stderr,
    checks: Object.fromEntries(checks.map((check) => [check.id, check])) as Probed['checks'],
    results: Object.fromEntries(checks.map(({ id, result }) => [id, result])),
  };
}

/** Checks that are not confirmed. */
export const others = ({ results }: Probed) =>
  Object.fromEntries(Object.entries(results).filter(([, result]) => result !== 'confirmed'));

export async function filledWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.sql(`update company set about = 'What Company ' || id || ' does'`);
  return world;
}

export async function otherWorld(
  deviations: Deviations,
): Promise<{ world: CliWorld; platform: OtherPlatform }> {
  const world = await filledWorld();
  const platform = await startOtherPlatform(deviations);
  world.env.BASE_URL = platform.url;
  return { world, platform };
}

export const row = async (world: CliWorld, key: string) =>
  (await world.sql(`select * from placement_sync.sync_state where key = $1`, [key]))[0];

/** Changes what the platform answers to a Put that it takes. */
export function onPut(change: (reply: { status: number; body: unknown }) => unknown): Deviations['reply'] {
  return (reply, { method }) => {
    if (method === 'PUT' && reply.status === 200) change(reply);
  };
}
