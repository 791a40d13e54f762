import { approvalConsequences, NOTHING_HELD } from '../../core/domain/guard.js';
import { noteApproval } from '../../features/actions/action-store.js';
import { approvalEnd } from '../../features/actions/asked-action.js';
import { refuseOtherEnvironment } from '../../core/run/environment.js';
import { withWork } from '../../core/leases.js';
import { commandContext } from '../command-context.js';
import type { Handler } from '../common-options.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withRunContext } from '../compose/open-run.js';
import { isConfirmed } from '../io.js';
import { noted, reasonFor } from '../operator.js';
import { printHeld } from '../output/print-plan.js';
import { say } from '../output/write.js';
import { pushNow } from '../run-now.js';

export const approveCommand: Handler = async ({ command, signal, arguments: [entity = ''] }) => {
  const { yes = false } = command.opts<{ yes?: boolean }>();
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, [entity]);
  const reason = reasonFor(command, 'approve', config.settings.guards);
  return withRunContext(config, { emit, signal, entities }, async (context) => {
    const [configured] = entities;
    if (!configured) return 2;
    await refuseOtherEnvironment(context);
    const { entityStates, resendRequests } = context.state;
    const { hold, pushHold } = await entityStates.read(entity);
    if (!hold && !pushHold) {
      say(`${entity} is not held. There is nothing to approve.`);
      return 0;
    }
    const rejected = { status: 'rejected', sinceMs: null, preview: true } as const;
    const push = pushHold && { rejected: await resendRequests.retry(entity, rejected) };
    const sweep = hold?.counts ?? null;
    printHeld(entity, [hold, pushHold], approvalConsequences({ sweep, push }, configured));
    const asked = { what: 'approve', again: `placement-sync approve ${entity} --yes` };
    if (!yes && !(await isConfirmed(`Approve ${entity}?`, asked))) {
      say('Nothing was approved.');
      return 1;
    }

    const keys = [...new Set([hold, pushHold].flatMap((held) => held?.sampleKeys ?? []))];
    const done = await noted(context, { action: 'approve', entity, keys, reason }, async (id) => {
      const result = await withWork(emit, `Marking ${entity}`, () =>
        context.state.approve(entity, sweep ?? NOTHING_HELD, noteApproval(id)),
      );
      return { result, ...approvalEnd(result) };
    });
    if (done.grown) {
      say(
        `${entity}: a newer sweep found more than this, so it was not approved. Look again: placement-sync approve ${entity}`,
      );
    } else if (done.sweep) {
      const { vanished, invalid, changed, source } = done.sweep.counts;
      const rewritten = changed === undefined ? '' : `, ${changed} changed`;
      const taken = source === undefined ? '' : 'takes the other source, and ';
      say(
        `${entity}: approved. The next run ${taken}may apply up to ${vanished} vanished${rewritten} and ${invalid} newly invalid records, and the other changes that it finds.`,
      );
    }
    if (!done.push) return done.grown ? 4 : 0;
    say(`${entity}: sending goes on. ${done.rearmed} rejected records are pending again.`);
    return pushNow(context);
  });
};
