import { Command } from 'commander';
import { SyncError } from '../../domain/errors.js';
import { adoptEnvironment } from '../../sync/adopt-environment.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { runSettings } from '../compose/run-settings.js';
import { withSession } from '../compose/session.js';
import { writeOut } from '../output/write.js';

/** Cures a changed environment. */
export function adoptCommand(action: CommandAction): Command {
  return new Command('adopt')
    .description('tell the ledger which platform it belongs to now')
    .addHelpText('after', '\nExample: placement-sync adopt --environment --keep')
    .option('--environment', 'base address, client id or id namespace changed')
    .option('--keep', 'the same platform under a new address or client id')
    .option('--reset', 'another platform: forget what was sent to the former one')
    .action(
      action(async ({ command, signal }) => {
        const { environment, keep, reset } = command.opts<{
          environment?: boolean;
          keep?: boolean;
          reset?: boolean;
        }>();
        if (!environment || Boolean(keep) === Boolean(reset)) {
          throw new SyncError(
            'usage',
            'Say which: adopt --environment --keep, or adopt --environment --reset.',
            {
              scope: 'usage',
              hint: '--keep: the same platform under a new address or client id. --reset: another platform.',
            },
          );
        }
        const { config, emit } = commandContext(command);
        return withSession(config, { emit, signal }, async (dependencies) => {
          writeOut(await adoptEnvironment(dependencies, runSettings(config), keep ? 'keep' : 'reset'));
          return 0;
        });
      }),
    );
}
