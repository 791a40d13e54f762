import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { chooseSignature, SIGNATURE_PROFILE_NAMES } from '../../contract/signature-profiles.js';
import { APPLIED_TO } from '../../contract/webhook/applied-to.js';
import { SyncError } from '../../domain/errors.js';
import { platformId } from '../../domain/key/platform-id.js';
import { uuidText } from '../../domain/key/uuid-text.js';
import { visibleText } from '../../domain/visible-text.js';
import { DEFAULT_CLIENT } from '../../sandbox/sandbox-options.js';
import { APPLICATION_LAYOUTS, type ApplicationLayout } from '../../sandbox/webhook/application-payload.js';
import {
  sendApplication,
  type Sender,
  type SentApplication,
} from '../../sandbox/webhook/send-application.js';
import type { CommandAction } from '../command-action.js';
import { commandContext } from '../command-context.js';
import { rehearsedPlatform, type RehearsedPlatform } from '../compose/rehearsed-platform.js';
import { writeJson, writeOut } from '../output/write.js';

interface SendFlags {
  readonly to: string;
  readonly layout: ApplicationLayout;
  readonly vacancy?: string;
  readonly job?: string;
  readonly title?: string;
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
  readonly body?: string;
  readonly clientId: string;
  readonly secret?: string;
  readonly signedPath?: string;
  readonly requestId?: string;
  readonly repeat?: boolean;
  readonly json?: boolean;
}

const HELP = `
Needs no sandbox that runs. The vacancy of --vacancy gets the job id that every sandbox answers for it; a key that is
no UUID needs the configuration, for ids.namespace. --repeat sends the same body again, with a new Request-Id unless
--request-id fixes it. A command line can be read by everybody on this machine: name a real secret by --config.
Exit code 0: every reply was 200; 1: another reply, or none.

Example: placement-sync sandbox send-application --to http://127.0.0.1:8080/webhooks/job-applications --vacancy 17`;

/** Plays the platform towards the webhook: one signed job application with invented data. */
export function sendApplicationCommand(action: CommandAction): Command {
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
      new Option('--job <uuid>', 'the platform’s id of it instead').argParser(uuid).conflicts('vacancy'),
    )
    .option('--title <text>', 'title of the vacancy')
    .option('--id <uuid>', 'application id; default: a new one', uuid)
    .option('--email <address>', 'of the applicant')
    .option('--name <text>', 'of the applicant')
    .option('--body <file>', 'send this file as it is, - for standard input')
    .option('--client-id <id>', 'client id', DEFAULT_CLIENT.clientId)
    .option('--secret <secret>', 'signs the webhook (default: the first of webhook.secrets with --config)')
    .addOption(
      new Option('--profile <name>', 'signature profile')
        .choices(SIGNATURE_PROFILE_NAMES)
        .default('digest-lines'),
    )
    .option('--signed-path <path>', 'path that is signed; default: that of the address')
    .option('--request-id <id>', 'Request-Id; default: a new UUID')
    .option('--repeat', 'send it twice')
    .option('--json', 'print as one JSON object')
    .action(
      action(async ({ command }) => {
        const flags = command.opts<SendFlags>();
        const sent = await sendAll(flags, vacancyIdOf(flags.vacancy, command), rehearsedPlatform(command));
        if (flags.json) writeJson({ sent });
        else writeOut(visibleText(sent.map((each) => describe(flags.to, each)).join('\n')));
        return sent.every(({ status }) => status === 200) ? 0 : 1;
      }),
    );
}

async function sendAll(
  flags: SendFlags,
  vacancyId: string | undefined,
  platform: RehearsedPlatform,
): Promise<SentApplication[]> {
  const { to, layout, job, title, email, name, signedPath, requestId } = flags;
  const now = Date.now();
  const sender: Sender = {
    client: {
      clientId: flags.clientId,
      secret: flags.secret ?? platform.webhookSecret ?? DEFAULT_CLIENT.secret,
    },
    profile: chooseSignature(platform.signature),
    timeZone: platform.timeZone,
    now: () => now,
  };
  const application = {
    ...{ to, layout, vacancyId, jobId: job, jobTitle: title, email, name, signedPath, requestId },
    applicationId: flags.id ?? randomUUID(),
    body: flags.body === undefined ? undefined : readBody(flags.body),
  };
  const sent: SentApplication[] = [];
  try {
    sent.push(await sendApplication(application, sender));
    const [first] = sent;
    if (flags.repeat && first) {
      const second = await sendApplication({ ...application, body: first.body }, sender);
      sent.push({ ...second, applicationId: first.applicationId, jobId: first.jobId });
    }
  } catch (error) {
    throw noReply(to, error);
  }
  return sent;
}

function describe(to: string, { applicationId, jobId, requestId, status, reply }: SentApplication): string {
  const application = applicationId === null ? '' : `, application ${applicationId}, job ${jobId}`;
  return `POST ${to} (Request-Id ${requestId}${application})\n  ${status} ${reply.slice(0, 500)}`;
}

/** The id in the path of the vacancy's Put, which is the key itself where that is a UUID. */
function vacancyIdOf(key: string | undefined, command: Command): string | undefined {
  if (key === undefined) return undefined;
  return (
    uuidText(key) ?? platformId(APPLIED_TO.name, key, commandContext(command).config.settings.ids.namespace)
  );
}

function readBody(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new SyncError('usage', `The body ${file} cannot be read: ${(error as Error).message}`, {
      scope: 'usage',
    });
  }
}

function noReply(to: string, error: unknown): SyncError {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  const why = cause?.code ?? cause?.message ?? message;
  return new SyncError('unexpected', `Nobody answered at ${to}: ${why}.`, {
    scope: 'run',
    hint: 'Check the address, and that the worker listens there (http.public, webhook.path).',
    cause: error,
  });
}

function address(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new InvalidArgumentError('An http:// or https:// address is wanted.');
  return value;
}

function uuid(value: string): string {
  const text = uuidText(value);
  if (text === null) throw new InvalidArgumentError('A UUID is wanted.');
  return text;
}
