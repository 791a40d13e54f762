import { Command, Option } from 'commander';
import { SIGNATURE_PROFILE_NAMES } from '../../contract/signature.js';
import { DEFAULT_CLIENT } from '../../sandbox/sandbox-options.js';
import type { CommandAction } from '../command-action.js';
import { withCommonOptions } from '../common-options.js';
import { wholeNumberArgument } from '../whole-number-argument.js';
import { sendApplicationUsage } from './send-application.js';

/**
 * How `sandbox` is called. Options are positional: those after the name of a subcommand belong to it, because both
 * commands have --client-id and --profile.
 */
export function sandboxUsage(action: CommandAction): Command {
  return new Command('sandbox')
    .description(
      'serve a local copy of the platform on this machine until Ctrl-C; it checks what the platform checks',
    )
    .addHelpText(
      'after',
      '\nExamples: placement-sync sandbox --port 8484\n          placement-sync sandbox --faults config/faults.example.yaml\n          placement-sync sandbox --deviations config/deviations.example.yaml',
    )
    .enablePositionalOptions()
    .addCommand(withCommonOptions(sendApplicationUsage(action)))
    .option(
      '-c, --config <file>',
      'take signature, time form, methods, paths and time zone of each area from this configuration',
    )
    .option(
      '--host <host>',
      'address to listen on; if other machines can reach it, anyone there can use and read the sandbox',
      '127.0.0.1',
    )
    .option(
      '--allow-host <name>',
      'another host name that it answers to; may be repeated',
      (name: string, names: readonly string[]) => [...names, name],
      [],
    )
    .option('--port <port>', 'port to listen on; 0: any free one', wholeNumberArgument, 8484)
    .option('--client-id <id>', 'client id that it accepts, for both areas', DEFAULT_CLIENT.clientId)
    .option('--client-secret <secret>', 'secret of this client id', DEFAULT_CLIENT.secret)
    .addOption(
      new Option('--profile <name>', 'signature profile')
        .choices(SIGNATURE_PROFILE_NAMES)
        .default('digest-lines'),
    )
    .option('--extra-fields', 'accept fields that the interface does not list, to rehearse extraFields')
    .option('--data <dir>', 'folder where it keeps its data; default: it forgets everything when it ends')
    .option(
      '--strict',
      'refuse what the strictest reading of the interface rules out, such as skills that are not snake_case',
      true,
    )
    .option('--lenient', 'accept all that; the same as --no-strict')
    .addOption(new Option('--no-strict').hideHelp())
    .option('--deviations <file>', 'how its answers differ from the interface: docs/sandbox.md')
    .option('--faults <file>', 'faults to make, and how often: docs/sandbox.md')
    .action(action(async () => (await import('../commands/sandbox.js')).sandboxCommand));
}
