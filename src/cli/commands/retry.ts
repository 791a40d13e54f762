import { usageError } from '../../core/domain/errors.js';
import { plural } from '../../core/domain/text.js';
import { refuseOtherEnvironment } from '../../core/run/environment.js';
import { type Meant, type RetriedStatus, retryRecords } from '../../features/actions/mark-records.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withRunContext } from '../compose/open-run.js';
import { withWork } from '../../core/leases.js';
import { noted, onlyEntity, reasonFor } from '../operator.js';
import { say } from '../output/write.js';
import { pushNow } from '../run-now.js';
import type { Handler } from '../common-options.js';

interface RetryFlags {
  readonly entity: string[];
  readonly status: 'rejected' | 'deferred';
  readonly since?: number;
  readonly preview?: boolean;
  readonly removed?: boolean;
  readonly key?: readonly string[];
  readonly search?: string;
  readonly matching?: string;
}

/**
 * Makes rejected records pending again (with `removed`, those that the platform took down), ends a pause that the platform asked for, and sends them unless another process is sending.
 */
export const retryCommand: Handler = async ({ command, signal }) => {
  const { entity, since, preview = false, removed = false, key, ...flags } = command.opts<RetryFlags>();
  const { search = null, matching = null } = flags;
  if (key !== undefined && entity.length !== 1)
    throw usageError(
      '--key requires exactly one --entity.',
      'For instance: placement-sync retry --entity vacancies --key 4711',
    );
  const isFiltered = search !== null || matching !== null;
  const status: RetriedStatus = removed ? 'removed' : flags.status;
  const which = removed ? 'taken down' : status;
  // What the platform took down counts as rejected, too.
  const filter = { status: removed ? ('rejected' as const) : flags.status, search, reason: matching };
  const meant: Meant =
    key !== undefined ? { keys: key } : isFiltered ? { filter, withTakenDown: removed } : {};
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  const action = removed ? 'retry --removed' : 'retry';
  const reason = preview ? null : reasonFor(command, action, config.settings.guards);
  return withRunContext(config, { emit, signal, entities }, async (context) => {
    await refuseOtherEnvironment(context);
    const mark = async () => {
      const counts: Record<string, number> = {};
      for (const { name } of entities) {
        const count = await withWork(emit, `Marking ${name}`, () =>
          retryRecords(context.state, name, meant, { preview, statuses: [status], sinceMs: since ?? null }),
        );
        counts[name] = count;
        say(
          `${name}: ${count} ${which} ${plural(count, 'record', 'records')} ${preview ? 'would be' : plural(count, 'is', 'are')} pending again`,
        );
      }
      return counts;
    };
    const markAndEnd = async () => {
      const counts = await mark();
      const areas = [...new Set(entities.map(({ area }) => area))];
      const known = await context.state.areaStates.all();
      const stopped = known.filter(({ area, stop }) => stop !== null && areas.includes(area));
      const ended = await context.state.areaStates.endPauses(areas);
      // What an outage deferred is due with the next request, too.
      for (const { name, area } of entities)
        if (stopped.some((one) => one.area === area)) await context.state.queue.retryBlameless(name);
      return {
        result: { counts, ended, stopped: stopped.length },
        counts: { ...counts, pauses: ended.length },
      };
    };
    const { counts, ended, stopped } = preview
      ? { counts: await mark(), ended: [], stopped: 0 }
      : await noted(context, { action, entity: onlyEntity(entities), keys: key, reason }, markAndEnd);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    for (const area of ended)
      say(
        `${area}: the pause that the platform asked for is ended. The next request shows whether it agrees.`,
      );
    const named = key !== undefined || isFiltered ? ' of those that you named' : '';
    const widen = since === undefined ? '' : ' A longer --since finds older ones.';
    const nothing = total === 0 && stopped === 0;
    if (nothing)
      say(
        `No record${named} is ${which}, so there is nothing to send again.${widen} placement-sync status shows the counts.`,
      );
    else if (preview) say('Nothing was changed. Without --preview, retry sends them again.');
    return preview || nothing ? 0 : pushNow(context);
  });
};
