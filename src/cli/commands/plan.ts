import type { Command } from 'commander';
import { plural } from '../../core/domain/text.js';
import { planSync } from '../../features/plan/plan-sync.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { warnOfChance, warnOfOpenQuestions } from '../compose/open-questions.js';
import { withPlanContext } from '../compose/open-run.js';
import { planExitCode, printPlan } from '../output/print-plan.js';
import { LISTED } from '../output/write.js';

interface PlanFlags {
  readonly entity: readonly string[];
  readonly json?: boolean;
  /** Changes to list; absent: some for people, all for programs. */
  readonly limit?: number;
  readonly diff?: boolean;
  /** Records of each entity to show whole. */
  readonly sample?: number;
  /** Exit code 10 when there is something to send. */
  readonly detailedExitcode?: boolean;
}

export const planCommand: Handler = ({ command, signal }) =>
  planNow(command, signal, command.opts<PlanFlags>());

/** Prints what a run would do, writes nothing. Gives the exit code. */
export async function planNow(command: Command, signal: AbortSignal, flags: PlanFlags): Promise<number> {
  const { entity, json = false, diff = false, sample = 0, detailedExitcode = false } = flags;
  const { limit = json ? Infinity : LISTED } = flags;
  const { config, emit } = commandContext(command, { withoutCredentials: true });
  for (const [area, names] of config.unsetCredentials) {
    const message = `platform.${area}: ${names.join(' and ')} ${plural(names.length, 'is', 'are')} not set. A plan sends nothing; run needs the credentials.`;
    emit({ type: 'warning', message });
  }
  const entities = configuredEntities(config, entity);
  await warnOfOpenQuestions(entities, emit);
  await warnOfChance(entities, emit);
  return withPlanContext(config, { emit, signal, entities }, async (context, missing) => {
    const report = await planSync(context, { limit, diff, invalidFirst: !json, samples: sample });
    printPlan(report, { json, missing });
    return planExitCode(report, detailedExitcode);
  });
}
