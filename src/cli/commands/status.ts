import { Command } from 'commander';
import { readStatus } from '../../sync/read-status.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { openState } from '../compose/open-state.js';
import { printStatus } from '../output/print-status.js';
import { writeJson } from '../output/write.js';

/** How things stand. */
export function statusCommand(action: CommandAction): Command {
  return new Command('status')
    .description('per entity: counts by status, last success, oldest pending, held')
    .addHelpText('after', '\nExample: placement-sync status --json')
    .option('--json', 'print as one JSON object')
    .action(
      action(async ({ command }) => {
        const { config } = commandContext(command);
        const state = await openState(config);
        try {
          const report = await readStatus(state, [...config.entities.keys()]);
          if (command.opts<{ json?: boolean }>().json) writeJson(report);
          else await printStatus(state, report);
          return 0;
        } finally {
          await state.close();
        }
      }),
    );
}
