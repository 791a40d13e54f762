import { usageError } from '../../core/domain/errors.js';
import { exitOutcome } from '../../features/actions/operator-actions.js';
import { matchingKeys } from '../../features/look/list-records.js';
import { resync } from '../../features/actions/resync.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withRunContext } from '../compose/open-run.js';
import { noted, onlyEntity, reasonFor } from '../operator.js';
import { printRun } from '../output/print-run.js';
import { say } from '../output/write.js';
import { withSummary } from '../run-now.js';
import type { Handler } from '../common-options.js';

interface ResyncFlags {
  readonly entity: string[];
  readonly key?: string[];
  readonly search?: string;
  readonly matching?: string;
  readonly json?: boolean;
}

export const resyncCommand: Handler = async ({ command, signal }) => {
  const flags = command.opts<ResyncFlags>();
  const { entity, key = [], search = null, matching = null, json = false } = flags;
  const isFiltered = search !== null || matching !== null;
  return withSummary(json, async (noteEntities) => {
    if ((key.length > 0 || isFiltered) && entity.length !== 1) {
      throw usageError(
        `${key.length > 0 ? '--key' : search === null ? '--matching' : '--search'} requires exactly one --entity.`,
        'For instance: placement-sync resync --entity vacancies --key 4711',
      );
    }
    const { config, emit } = commandContext(command);
    const entities = configuredEntities(config, entity);
    noteEntities(entities);
    const reason = reasonFor(command, 'resync', config.settings.guards);
    return withRunContext(config, { emit, signal, entities }, async (context) => {
      const [first] = entities;
      const matched: string[] | null = isFiltered && first !== undefined ? [] : null;
      if (matched !== null && first !== undefined)
        for await (const found of matchingKeys(context.state.recordLists, first.name, {
          ...{ status: null, search, reason: matching },
        }))
          matched.push(...found);
      if (matched?.length === 0)
        throw usageError(
          `No record of ${entity.join()} matches, so nothing is sent again.`,
          'placement-sync records --search and --reason list what matches.',
        );
      const keys = matched ?? (key.length > 0 ? key : null);
      const named = entity.length > 0;
      const asked = { action: 'resync', entity: onlyEntity(entities), keys: key, reason } as const;
      const report = await noted(context, asked, async () => {
        const result = await resync(context, keys, named);
        const counts = Object.fromEntries(
          Object.entries(result.entities).map(([name, { sent }]) => [name, sent]),
        );
        return { result, outcome: exitOutcome(result.exitCode), counts };
      });
      const { heldBy } = report.aside;
      if (heldBy && !json)
        say(
          heldBy.own
            ? 'Marked. The next run reads and sends them.'
            : `Marked. ${heldBy.holder} is running; it reads and sends them.`,
        );
      else await printRun(context, report, json);
      return report.exitCode;
    });
  });
};
