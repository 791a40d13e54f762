import { Command } from 'commander';
import { readExpiring } from '../../sync/read-expiring.js';
import { readStatus } from '../../sync/read-status.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { entityPlans } from '../compose/entity-plans.js';
import { systemClock } from '../compose/system-clock.js';
import { openState } from '../compose/open-state.js';
import { printExpiring } from '../output/print-expiring.js';
import { printStatus } from '../output/print-status.js';
import { writeJson } from '../output/write.js';

/** How things stand. */
export function statusCommand(action: CommandAction): Command {
  return new Command('status')
    .description('per entity: counts by status, last success, oldest pending, held; what expires soon')
    .addHelpText('after', '\nExample: placement-sync status --json')
    .option('--json', 'print as one JSON object')
    .action(
      action(async ({ command }) => {
        const { config } = commandContext(command);
        const state = await openState(config);
        try {
          const report = await readStatus(state, [...config.entities.keys()]);
          const { timeZone } = config.settings.platform;
          const expiringSoon = await readExpiring(state, entityPlans(config), systemClock.now(), timeZone);
          if (command.opts<{ json?: boolean }>().json)
            // The promised shape stays as it is where there is nothing to list.
            writeJson(expiringSoon.length > 0 ? { ...report, expiringSoon } : report);
          else {
            await printStatus(state, report);
            printExpiring(expiringSoon);
          }
          return 0;
        } finally {
          await state.close();
        }
      }),
    );
}
