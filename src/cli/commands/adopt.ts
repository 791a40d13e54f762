import { Command } from 'commander';
import { ERROR_CODES, SyncError } from '../../domain/errors.js';
import { adoptEnvironment } from '../../sync/environment/adopt-environment.js';
import { adoptRecords, type AdoptReport } from '../../sync/read-back/adopt-records.js';
import type { CommandAction } from '../command-action.js';
import { closeProgress, commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { findEnabled } from '../compose/find-enabled.js';
import { withSession } from '../compose/session.js';
import { entityOption } from '../entity-option.js';
import { printAdopt } from '../output/print-adopt.js';
import { writeJson, tell } from '../output/write.js';

interface AdoptFlags {
  readonly entity: string[];
  readonly json?: boolean;
  readonly environment?: boolean;
  readonly keep?: boolean;
  readonly reset?: boolean;
}

/** Builds the ledger from what the platform holds; with `--environment`, settles a changed environment. */
export function adoptCommand(action: CommandAction): Command {
  return new Command('adopt')
    .description(
      'build the ledger from what the platform already holds, sending nothing; or tell which platform it belongs to now',
    )
    .addHelpText(
      'after',
      '\nExamples: placement-sync adopt --entity companies\n          placement-sync adopt --environment --keep',
    )
    .addOption(entityOption())
    .option('--json', 'print the result as one JSON object')
    .option('--environment', 'base address, client id or id namespace changed')
    .option('--keep', 'the same platform under a new address or client id')
    .option('--reset', 'another platform: forget what was sent to the former one')
    .action(
      action(async ({ command, signal }) => {
        const { entity, json = false, environment, keep, reset } = command.opts<AdoptFlags>();
        if (!environment && !keep && !reset) return adoptHeld(command, signal, entity, json);
        if (!environment || Boolean(keep) === Boolean(reset) || entity.length > 0 || json) {
          throw new SyncError(
            'usage',
            'Say which: adopt --environment --keep, or adopt --environment --reset.',
            {
              scope: 'usage',
              hint: '--keep: the same platform under a new address or client id. --reset: another platform. Both concern all entities; without --environment, adopt reads what the platform holds.',
            },
          );
        }
        const { config, emit } = commandContext(command);
        return withSession(config, { emit, signal }, async (context) => {
          tell(await adoptEnvironment(context, keep ? 'keep' : 'reset'));
          return 0;
        });
      }),
    );
}

async function adoptHeld(
  command: Command,
  signal: AbortSignal,
  entity: readonly string[],
  json: boolean,
): Promise<number> {
  const { config, emit } = commandContext(command);
  const entities = configuredEntities(config, entity);
  try {
    return await withSession(config, { emit, signal, entities }, async (context) => {
      const { report, exitCode } = await adoptRecords(context, findEnabled(config));
      // A signal may have come in the middle of a sweep, whose bar would stand before the table.
      closeProgress();
      if (json) writeJson(report);
      else printAdopt(report, exitCode, signal.aborted);
      return exitCode;
    });
  } catch (error) {
    const usage = error instanceof SyncError && ERROR_CODES[error.code] === ERROR_CODES.usage;
    if (json && !usage) writeJson({ entities: {} } satisfies AdoptReport);
    throw error;
  }
}
