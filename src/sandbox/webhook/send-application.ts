import { randomUUID } from 'node:crypto';
import type { SignatureProfile } from '../../contract/signature.js';
import { requestTimestamp } from '../../contract/time.js';
import { APPLIED_TO } from '../../contract/webhook/read-application.js';
import type { SandboxClient } from '../sandbox-options.js';
import { derivedId } from '../store.js';
import { type ApplicationLayout, applicationPayload } from './application-payload.js';

/** What is sent; everything but the address has a default. */
export interface ApplicationOptions {
  /** Address of the receiver. */
  readonly to: string;
  /** Default `applied-at`. */
  readonly layout?: ApplicationLayout | undefined;
  /** UUID; default: a new one. The same one again is a repeat. */
  readonly applicationId?: string | undefined;
  /** Id of the vacancy in the path of its Put: the job id becomes what the sandbox answered to that. */
  readonly vacancyId?: string | undefined;
  /** The platform's id of the vacancy, where `vacancyId` is not given; default: of no vacancy. */
  readonly jobId?: string | undefined;
  readonly jobTitle?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  /** Text to send instead of all that. */
  readonly body?: string | Uint8Array | undefined;
  readonly requestId?: string | undefined;
  readonly signedPath?: string | undefined;
}

/** Who sends. */
export interface Sender {
  readonly client: SandboxClient;
  readonly profile: SignatureProfile;
  readonly timeZone: string;
  now(): number;
}

export interface SentApplication {
  /** Null: the body was given. */
  readonly applicationId: string | null;
  readonly jobId: string | null;
  readonly requestId: string;
  readonly body: string;
  /** The receiver's answer. */
  readonly status: number;
  readonly reply: string;
}

/** What a sandbox answers as `id` to the Put of this vacancy, unless it forgot the vacancy. */
export function jobIdOf(vacancyId: string): string {
  return derivedId(`${APPLIED_TO.name}/id`, vacancyId.toLowerCase());
}

/** Sends one job application by webhook. Rejects with fetch's own error without an answer. */
export async function sendApplication(options: ApplicationOptions, sender: Sender): Promise<SentApplication> {
  const { to, requestId = randomUUID(), signedPath = null } = options;
  const applicationId = options.applicationId ?? randomUUID();
  const jobId =
    options.vacancyId === undefined ? (options.jobId ?? randomUUID()) : jobIdOf(options.vacancyId);
  const given = options.body === undefined ? null : Buffer.from(options.body);
  const payload = applicationPayload({
    layout: options.layout ?? 'applied-at',
    applicationId,
    job: { id: jobId, title: options.jobTitle ?? 'Staf Gudang' },
    email: options.email,
    name: options.name,
    nowMs: sender.now(),
    timeZone: sender.timeZone,
  });
  const body = given ?? Buffer.from(JSON.stringify(payload));
  const { client, profile } = sender;
  const nowMs = sender.now();
  const { status, text } = await sendWebhook({ to, body, client, profile, requestId, nowMs, signedPath });
  return {
    applicationId: given === null ? applicationId : null,
    jobId: given === null ? jobId : null,
    requestId,
    body: body.toString('utf8'),
    status,
    reply: text,
  };
}

interface WebhookToSend {
  /** Address of the receiver. */
  readonly to: string;
  /** The bytes to sign and send. */
  readonly body: Uint8Array;
  readonly client: SandboxClient;
  readonly profile: SignatureProfile;
  readonly requestId: string;
  /** Time of sending, milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** The path that is signed; null: that of the address. */
  readonly signedPath: string | null;
}

interface WebhookReply {
  readonly status: number;
  readonly text: string;
}

/** Longest wait for the receiver's answer. */
const TIMEOUT_MS = 30_000;

/** Sends one webhook as the platform does (interface §5, §6). Rejects with fetch's own error without an answer. */
async function sendWebhook(webhook: WebhookToSend): Promise<WebhookReply> {
  const { to, body, client, profile, requestId } = webhook;
  const timestamp = requestTimestamp(webhook.nowMs);
  const signature = profile.signature(
    {
      method: 'POST',
      clientId: client.clientId,
      requestId,
      timestamp,
      requestTarget: webhook.signedPath ?? new URL(to).pathname,
      body,
    },
    client.secret,
  );
  const response = await fetch(to, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Client-Id': client.clientId,
      'Request-Id': requestId,
      'Request-Timestamp': timestamp,
      Signature: signature,
    },
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}
