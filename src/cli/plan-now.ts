import type { Command } from 'commander';
import { planSync } from '../sync/plan/plan-sync.js';
import { commandContext } from './command-context.js';
import { configuredEntities } from './compose/configured-entities.js';
import { withPlanning } from './compose/planning.js';
import { LISTED } from './output/listed.js';
import { planExitCode, printPlan } from './output/print-plan.js';

/** Prints what a run would do, writes nothing. Gives the exit code. */
export async function planNow(
  command: Command,
  signal: AbortSignal,
  options: {
    readonly entity: readonly string[];
    readonly json: boolean;
    /** Changes to list; absent: some for people, all for programs. */
    readonly limit?: number | undefined;
    readonly diff?: boolean;
    /** Exit code 10 when there is something to send. */
    readonly detailed?: boolean;
  },
): Promise<number> {
  const { entity, json, limit = json ? Infinity : LISTED, diff = false, detailed = false } = options;
  const { config, emit } = commandContext(command, { withoutCredentials: true });
  for (const [area, names] of config.unsetCredentials) {
    const message = `platform.${area}: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set. A plan sends nothing; run needs the credentials.`;
    emit({ type: 'warning', message });
  }
  const entities = configuredEntities(config, entity);
  return withPlanning(config, { emit, signal, entities }, async (context, missing) => {
    const report = await planSync(context, { limit, diff, invalidFirst: !json });
    printPlan(report, { json, missing });
    return planExitCode(report, detailed);
  });
}
