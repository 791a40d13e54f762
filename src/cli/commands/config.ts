import { Command } from 'commander';
import { configJsonSchema } from '../../config/json-schema.js';
import { checkSchedule } from '../../service/check-schedule.js';
import type { CommandAction } from '../command-action.js';
import { commandContext, withCommonOptions } from '../command-context.js';
import { writeOut } from '../output/write.js';

/** Checks and shows the configuration. */
export function configCommand(action: CommandAction): Command {
  const check = new Command('check')
    .description('report every problem of the configuration, with its line')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .action(
      action(({ command }) => {
        const { config } = commandContext(command);
        checkSchedule(config.settings.schedule);
        writeOut(`${config.file}: no problems. Entities: ${[...config.entities.keys()].join(', ')}.`);
        return Promise.resolve(0);
      }),
    );
  const print = new Command('print')
    .description('the configuration in effect, defaults included, secrets masked')
    .addHelpText('after', '\nExample: placement-sync config print --config my.yaml')
    .action(
      action(({ command }) => {
        writeOut(JSON.stringify(commandContext(command).config.masked(), null, 2));
        return Promise.resolve(0);
      }),
    );
  const schema = new Command('schema')
    .description('the JSON schema of the configuration, for editors')
    .addHelpText('after', '\nExample: placement-sync config schema > placement-sync.schema.json')
    .action(
      action(() => {
        writeOut(JSON.stringify(configJsonSchema(), null, 2));
        return Promise.resolve(0);
      }),
    );
  return new Command('config')
    .description('check or print the configuration, or its JSON schema')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .addCommand(withCommonOptions(check))
    .addCommand(withCommonOptions(print))
    .addCommand(withCommonOptions(schema, { config: false }));
}
