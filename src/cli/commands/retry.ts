import { refuseOtherEnvironment } from '../../sync/environment/check-environment.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withSession } from '../compose/session.js';
import { withWork } from '../../sync/run/with-work.js';
import { tell } from '../output/write.js';
import { pushNow } from '../push-now.js';
import type { Handler } from '../command-action.js';

interface RetryFlags {
  readonly entity: string[];
  readonly status: 'rejected' | 'deferred';
  /** Milliseconds. */
  readonly since?: number;
  readonly preview?: boolean;
}

function nothingToRetry(status: RetryFlags['status'], narrowed: boolean): string {
  const widen = narrowed ? ' A longer --since finds older ones.' : '';
  return `No record is ${status}, so there is nothing to send again.${widen} placement-sync status tells what is.`;
}

/** Re-arms rejected records, and sends them when nobody else is sending. */
export const retryCommand: Handler = async ({ command, signal }) => {
  const { entity, status, since, preview = false } = command.opts<RetryFlags>();
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  return withSession(config, { emit, signal, entities }, async (context) => {
    await refuseOtherEnvironment(context);
    let total = 0;
    for (const { name } of entities) {
      const options = { preview, status, sinceMs: since ?? null };
      const count = await withWork(emit, `Re-arming ${name}`, () =>
        context.state.resendRequests.retry(name, options),
      );
      total += count;
      tell(
        `${name}: ${count} ${status} ${count === 1 ? 'record' : 'records'} ${preview ? 'would be' : count === 1 ? 'is' : 'are'} re-armed`,
      );
    }
    if (total === 0) tell(nothingToRetry(status, since !== undefined));
    else if (preview) tell('Nothing was changed; without --preview they are sent again.');
    return preview || total === 0 ? 0 : pushNow(context);
  });
};
