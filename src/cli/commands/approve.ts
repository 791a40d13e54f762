import { Command } from 'commander';
import { refuseOtherEnvironment } from '../../sync/environment/check-environment.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withSession } from '../compose/session.js';
import { entityArgument } from '../entity-option.js';
import { tell } from '../output/write.js';
import { withWork } from '../../sync/run/with-work.js';
import { pushNow } from '../push-now.js';

/** A human permits what a guard stopped. */
export function approveCommand(action: CommandAction): Command {
  return new Command('approve')
    .description('permit a held entity: its next sweep, or the push that refusals stopped')
    .addHelpText('after', '\nExample: placement-sync approve companies')
    .addArgument(entityArgument())
    .action(
      action(async ({ command, signal, arguments: [entity = ''] }) => {
        const { config, emit } = commandContext(command);
        const entities = configuredEntities(config, [entity]);
        return withSession(config, { emit, signal, entities }, async (context) => {
          const [configured] = entities;
          if (!configured) return 2;
          await refuseOtherEnvironment(context);
          const { sweep, push, rearmed } = await withWork(emit, `Re-arming ${entity}`, () =>
            context.state.entityStates.approve(configured.name),
          );
          if (!sweep && !push) tell(`${entity} is not held; there is nothing to approve.`);
          if (sweep) {
            const { vanished, invalid } = sweep.counts;
            tell(
              `${entity}: the next sweep may be applied with up to ${vanished} vanished and ${invalid} newly invalid records. (${sweep.message}) It comes with the next run.`,
            );
          }
          if (!push) return 0;
          tell(`${entity}: sending goes on; ${rearmed} refused records are pending again.`);
          return pushNow(context);
        });
      }),
    );
}
