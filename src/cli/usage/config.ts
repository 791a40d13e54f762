import { Command } from 'commander';
import type { CommandAction } from '../command-action.js';
import { withCommonOptions } from '../common-options.js';

/** How `config` is called. */
export function configUsage(action: CommandAction): Command {
  const check = new Command('check')
    .description('report every problem of the configuration, with its line')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .action(action(async () => (await import('../commands/config.js')).configCheck));
  const print = new Command('print')
    .description('the configuration in effect, defaults included, secrets masked')
    .addHelpText('after', '\nExample: placement-sync config print --config my.yaml')
    .action(action(async () => (await import('../commands/config.js')).configPrint));
  const schema = new Command('schema')
    .description('the JSON schema of the configuration, for editors')
    .addHelpText('after', '\nExample: placement-sync config schema > placement-sync.schema.json')
    .action(action(async () => (await import('../commands/config.js')).configSchema));
  const init = new Command('init')
    .description(
      'write the example configuration, queries and lookups to start from; never overwrites a file',
    )
    .addHelpText('after', '\nExample: placement-sync config init --out /etc/placement-sync')
    .option('-o, --out <dir>', 'folder to write to', 'config')
    .action(action(async () => (await import('../commands/config-init.js')).configInit));
  return new Command('config')
    .description('check, print or begin the configuration, or print its JSON schema')
    .addHelpText('after', '\nExample: placement-sync config check --config my.yaml')
    .addCommand(withCommonOptions(init, { config: false }))
    .addCommand(withCommonOptions(check))
    .addCommand(withCommonOptions(print))
    .addCommand(withCommonOptions(schema, { config: false }));
}
