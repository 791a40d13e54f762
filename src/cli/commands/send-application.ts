import type { Command } from 'commander';
import { signatureProfile } from '../../core/contract/signature.js';
import { APPLIED_TO } from '../../features/webhook/contract/read-application.js';
import { SyncError } from '../../core/domain/errors.js';
import { platformId, uuidText } from '../../core/domain/key.js';
import { visibleText } from '../../core/domain/text.js';
import { DEFAULT_CLIENT } from '../../features/sandbox/sandbox-options.js';
import type { ApplicationLayout } from '../../features/sandbox/webhook/application-payload.js';
import {
  sendApplication,
  type Sender,
  type SentApplication,
} from '../../features/sandbox/webhook/send-application.js';
import { commandContext } from '../command-context.js';
import { readBody } from '../io.js';
import { rehearsedPlatform } from '../compose/open-platforms.js';
import { writeJson, writeOut } from '../output/write.js';
import type { Handler } from '../common-options.js';

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

export const sendApplicationCommand: Handler = async ({ command }) => {
  const flags = command.opts<SendFlags>();
  const sent = await sendAll(flags, vacancyIdOf(flags.vacancy, command), rehearsedPlatform(command));
  if (flags.json) writeJson({ sent });
  else writeOut(visibleText(sent.map((each) => describe(flags.to, each)).join('\n')));
  return sent.every(({ status }) => status === 200) ? 0 : 1;
};

async function sendAll(
  flags: SendFlags,
  vacancyId: string | undefined,
  platform: ReturnType<typeof rehearsedPlatform>,
): Promise<SentApplication[]> {
  const { to, layout, email, name, signedPath, requestId } = flags;
  const now = Date.now();
  const sender: Sender = {
    client: {
      clientId: flags.clientId,
      secret: flags.secret ?? platform.webhook?.secrets[0] ?? DEFAULT_CLIENT.secret,
    },
    profile: signatureProfile(platform.dialects.jobs.profile),
    timeZone: platform.timeZone,
    now: () => now,
  };
  const application = {
    to,
    layout,
    vacancyId,
    jobId: flags.job,
    jobTitle: flags.title,
    email,
    name,
    signedPath,
    requestId,
    applicationId: flags.id,
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

/** The id in the path of the vacancy's Put: the key itself if it is a UUID. */
function vacancyIdOf(key: string | undefined, command: Command): string | undefined {
  if (key === undefined) return undefined;
  return (
    uuidText(key) ?? platformId(APPLIED_TO.name, key, commandContext(command).config.settings.ids.namespace)
  );
}

function noReply(to: string, error: unknown): SyncError {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  const why = cause?.code ?? cause?.message ?? message;
  return new SyncError('unexpected', `No answer from ${to}: ${why}.`, {
    scope: 'run',
    hint: 'Check the address, and whether the worker listens there (http.public, webhook.path).',
    cause: error,
  });
}
