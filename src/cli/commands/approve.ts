import { refuseOtherEnvironment } from '../../sync/environment/check-environment.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withSession } from '../compose/session.js';
import { tell } from '../output/write.js';
import { withWork } from '../../sync/run/with-work.js';
import { pushNow } from '../push-now.js';
import type { Handler } from '../command-action.js';

/** A human permits what a guard stopped. */
export const approveCommand: Handler = async ({ command, signal, arguments: [entity = ''] }) => {
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
};
