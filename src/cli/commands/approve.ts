import { refuseOtherEnvironment } from '../../sync/environment/check-environment.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withSession } from '../compose/session.js';
import { say } from '../output/write.js';
import { withWork } from '../../sync/run/with-work.js';
import { pushNow } from '../push-now.js';
import type { Handler } from '../command-action.js';

/** Approves what a guard or a series of rejections stopped. */
export const approveCommand: Handler = async ({ command, signal, arguments: [entity = ''] }) => {
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, [entity]);
  return withSession(config, { emit, signal, entities }, async (context) => {
    const [configured] = entities;
    if (!configured) return 2;
    await refuseOtherEnvironment(context);
    const { sweep, push, rearmed } = await withWork(emit, `Marking ${entity}`, () =>
      context.state.entityStates.approve(configured.name),
    );
    if (!sweep && !push) say(`${entity} is not held. There is nothing to approve.`);
    if (sweep) {
      const { vanished, invalid } = sweep.counts;
      say(
        `${entity}: approved. The next run may apply up to ${vanished} vanished and ${invalid} newly invalid records. (${sweep.message})`,
      );
    }
    if (!push) return 0;
    say(`${entity}: sending goes on. ${rearmed} rejected records are pending again.`);
    return pushNow(context);
  });
};
