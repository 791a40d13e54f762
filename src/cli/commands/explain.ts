import { Command } from 'commander';
import { explainRecord } from '../../sync/explain/explain-record.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { configuredEntities } from '../compose/configured-entities.js';
import { withSession } from '../compose/session.js';
import { entityArgument } from '../entity-option.js';
import { printExplanation } from '../output/print-explanation.js';
import { writeJson } from '../output/write.js';

/** Everything about one record. */
export function explainCommand(action: CommandAction): Command {
  return new Command('explain')
    .description('one record: row, payload, validation, decision and why, last reply, what it waits for')
    .addHelpText('after', '\nExample: placement-sync explain vacancies 4711')
    .addArgument(entityArgument())
    .argument(
      '<key>',
      'the record’s key, as the query returns it; of an application status also the application’s id',
    )
    .option('--json', 'print as one JSON object')
    .action(
      action(async ({ command, signal, arguments: [entity = '', key = ''] }) => {
        const { config, emit } = commandContext(command);
        const [configured] = configuredEntities(config, [entity]);
        return withSession(config, { emit, signal }, async (context) => {
          if (!configured) return 2;
          const explanation = await explainRecord(context, configured, key);
          if (command.opts<{ json?: boolean }>().json) writeJson(explanation);
          else printExplanation(explanation);
          return 0;
        });
      }),
    );
}
