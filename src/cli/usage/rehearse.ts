import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { OPERATION_METHODS } from '../../core/contract/operation.js';
import { SIGNATURE_PROFILE_NAMES } from '../../core/contract/signature.js';
import { readRequestTimestamp } from '../../core/contract/time.js';
import { uuidText } from '../../core/domain/key.js';
import { AREAS } from '../../core/domain/names.js';
import { DEFAULT_CLIENT } from '../../features/sandbox/sandbox-options.js';
import { APPLICATION_LAYOUTS } from '../../features/sandbox/webhook/application-payload.js';
import { wholeNumberArgument } from '../arguments.js';
import { type CommandAction, withCommonOptions } from '../common-options.js';

/* How the commands are called that rehearse: sandbox, demo, signatures. Only words and options: the action loads the work. */

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
      '\nExamples: placement-sync sandbox --port 8484\n          placement-sync sandbox --faults config/faults.example.yaml',
    )
    .enablePositionalOptions()
    .addCommand(
      withCommonOptions(sendApplicationUsage(action), {
        config:
          'configuration whose webhook secret signs (default: none; --vacancy reads the usual one for its id)',
      }),
    )
    .option(
      '-c, --config <file>',
      'take signature, methods, paths and time zone of each area from this configuration',
    )
    .option(
      '--host <host>',
      'address to listen on; if other machines can reach it, anyone there can use and read the sandbox',
      '127.0.0.1',
    )
    .option('--port <port>', 'port to listen on; 0: any free one', wholeNumberArgument, 8484)
    .option('--client-id <id>', 'client id that it accepts, for both areas', DEFAULT_CLIENT.clientId)
    .option('--client-secret <secret>', 'secret of this client id', DEFAULT_CLIENT.secret)
    .addOption(profileOption())
    .option(
      '--strict',
      'refuse what the strictest reading of the interface rules out, such as skills that are not snake_case',
      true,
    )
    .option(
      '--lenient',
      'accept all that, and fields that the interface does not list; the same as --no-strict',
    )
    .addOption(new Option('--no-strict').hideHelp())
    .option('--faults <file>', 'faults to make, and how often: docs/adapter.md')
    .action(action(async () => (await import('../commands/sandbox.js')).sandboxCommand));
}

const HELP = `
No sandbox needs to run. The job id of --vacancy is the one that every sandbox answers for that vacancy. A key that is
not a UUID needs the configuration, for ids.namespace. --repeat sends the same body again, with a new Request-Id unless
--request-id sets one; --id with other data sends a further version. Everybody on this machine can read a command line, so take a real secret from --config.
Exit code 0: every reply was 200; 1: another reply, or none.

Example: placement-sync sandbox send-application --to http://127.0.0.1:8080/webhooks/job-applications --vacancy 17`;

function sendApplicationUsage(action: CommandAction): Command {
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
    .option('--id <id>', 'application id, a UUID or a number; default: a new one', idArgument)
    .option('--email <address>', 'e-mail address of the applicant')
    .option('--name <text>', 'name of the applicant')
    .option('--body <file>', 'send this file unchanged; -: standard input')
    .option('--client-id <id>', 'client id', DEFAULT_CLIENT.clientId)
    .option(
      '--secret <secret>',
      'secret that signs the webhook (default: the first of webhook.secrets with --config)',
    )
    .addOption(profileOption())
    .option('--signed-path <path>', 'path that is signed; default: the path of --to')
    .option('--request-id <id>', 'Request-Id; default: a new UUID')
    .option('--repeat', 'send it twice')
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/send-application.js')).sendApplicationCommand));
}

function profileOption(): Option {
  return new Option('--profile <name>', 'signature profile')
    .choices(SIGNATURE_PROFILE_NAMES)
    .default('digest-lines');
}

function address(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new InvalidArgumentError('Expected an http:// or https:// address.');
  return value;
}

function idArgument(value: string): string {
  return /^\d{1,39}$/.test(value) ? value : uuid(value);
}

function uuid(value: string): string {
  const text = uuidText(value);
  if (text === null) throw new InvalidArgumentError('Expected a UUID.');
  return text;
}

const METHODS: readonly string[] = OPERATION_METHODS;

export function signUsage(action: CommandAction): Command {
  return new Command('sign')
    .description('print the string to sign and the headers of a request; never the secret')
    .addHelpText(
      'after',
      '\nExample: placement-sync sign PUT /api/v1/employers/0b7c.../company --body company.json',
    )
    .addArgument(
      new Argument('<method>', 'method of the request, in upper or lower case')
        .choices(METHODS)
        .argParser(methodArgument),
    )
    .argument(
      '<path>',
      'path without host, such as /api/v1/employers/{id}/company; the path of the base address comes before it',
    )
    .addOption(new Option('--area <area>', 'area whose credentials sign').choices(AREAS).default('jobs'))
    .option('--body <file>', 'file with the body; -: standard input')
    .option('--request-id <id>', 'default: a new UUID', requestIdArgument)
    .option('--timestamp <time>', 'such as 2022-09-22T01:51:00Z; default: now', timestampArgument)
    .option('--json', 'print as one JSON object')
    .action(action(async () => (await import('../commands/sign.js')).signCommand));
}

function methodArgument(value: string): string {
  const method = value.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError(`Expected one of ${METHODS.join(', ')}.`);
  return method;
}

function requestIdArgument(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new InvalidArgumentError('Expected one or more ASCII characters without blanks.');
  return value;
}

function timestampArgument(value: string): string {
  if (readRequestTimestamp(value) === null)
    throw new InvalidArgumentError('Expected a time in UTC, such as 2022-09-22T01:51:00Z.');
  return value;
}

export function demoUsage(action: CommandAction): Command {
  return new Command('demo')
    .description('the main job on an embedded Postgres with sample data and a local copy of the platform')
    .addHelpText('after', '\nExample: placement-sync demo --keep')
    .option(
      '--keep',
      'then start the worker, and print its dashboard’s address and how to look around, until Ctrl-C',
    )
    .action(action(async () => (await import('../commands/demo.js')).demoCommand));
}
