import { Command, InvalidArgumentError, Option } from 'commander';
import { SIGNATURE_PROFILE_NAMES } from '../../contract/signature.js';
import { DEFAULT_CLIENT } from '../../sandbox/sandbox-options.js';
import { APPLICATION_LAYOUTS } from '../../sandbox/webhook/application-payload.js';
import { uuidText } from '../../domain/key.js';
import type { CommandAction } from '../command-action.js';

const HELP = `
No sandbox needs to run. The job id of --vacancy is the one that every sandbox answers for that vacancy. A key that is
not a UUID needs the configuration, for ids.namespace. --repeat sends the same body again, with a new Request-Id unless
--request-id sets one. Everybody on this machine can read a command line, so take a real secret from --config.
Exit code 0: every reply was 200; 1: another reply, or none.

Example: placement-sync sandbox send-application --to http://127.0.0.1:8080/webhooks/job-applications --vacancy 17`;

/** How `send-application` is called. */
export function sendApplicationUsage(action: CommandAction): Command {
  return new Command('send-application')
    .description('send a signed job application with invented data to a webhook, and print the reply')
    .addHelpText('after', HELP)
    .requiredOption('--to <url>', 'address of the webhook', address)
    .addOption(
      new Option('--layout <name>', 'layout of the payload (cancelled: an assumed cancelled-notification)')
        .choices(APPLICATION_LAYOUTS)
        .default('applied-at'),
    )
    .option('--vacancy <key>', 'your key of the vacancy applied for')
    .addOption(
      new Option('--job <uuid>', 'the platform’s id of the vacancy, instead of --vacancy')
        .argParser(uuid)
        .conflicts('vacancy'),
    )
    .option('--title <text>', 'title of the vacancy')
    .option('--id <uuid>', 'application id; default: a new one', uuid)
    .option('--email <address>', 'e-mail address of the applicant')
    .option('--name <text>', 'name of the applicant')
    .option('--body <file>', 'send this file unchanged; -: standard input')
    .option('--client-id <id>', 'client id', DEFAULT_CLIENT.clientId)
    .option(
      '--secret <secret>',
      'secret that signs the webhook (default: the first of webhook.secrets with --config)',
    )
    .addOption(
      new Option('--profile <name>', 'signature profile')
        .choices(SIGNATURE_PROFILE_NAMES)
        .default('digest-lines'),
    )
    .option('--signed-path <path>', 'path that is signed; default: the path of --to')
    .option('--request-id <id>', 'Request-Id; default: a new UUID')
    .option('--repeat', 'send it twice')
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/send-application.js')).sendApplicationCommand));
}

function address(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new InvalidArgumentError('Expected an http:// or https:// address.');
  return value;
}

function uuid(value: string): string {
  const text = uuidText(value);
  if (text === null) throw new InvalidArgumentError('Expected a UUID.');
  return text;
}
