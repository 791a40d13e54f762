import { randomUUID } from 'node:crypto';
import { HEADER_NAMES } from '../../../core/contract/request-headers.js';
import type { SignatureProfile } from '../../../core/contract/signature.js';
import { requestTimestamp } from '../../../core/contract/time.js';
import { APPLIED_TO } from '../../webhook/contract/read-application.js';
import type { SandboxClient } from '../sandbox-options.js';
import { derivedId } from '../store.js';
import { type ApplicationLayout, applicationPayload } from './application-payload.js';

/** What is sent; everything but the address has a default. */
export interface ApplicationOptions {
  /** Address of the receiver. */
  readonly to: string;
  /** Default `applied-at`. */
  readonly layout?: ApplicationLayout | undefined;
  /** UUID or digits; default: a new one. The same one again is a repeat, or with other data a further version. */
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
  /** The path that is signed; default: that of the address. */
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

/** Longest wait for the receiver's answer. */
const TIMEOUT_MS = 30_000;

/** Sends one job application by webhook, as the platform does (interface §5, §6). Rejects with fetch's own error without an answer. */
export async function sendApplication(options: ApplicationOptions, sender: Sender): Promise<SentApplication> {
  const { to, requestId = randomUUID() } = options;
  const { applicationId = randomUUID() } = options;
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
  const body = given ?? Buffer.from(withNumbers(JSON.stringify(payload), [applicationId, jobId]));
  const { clientId, secret } = sender.client;
  const timestamp = requestTimestamp(sender.now());
  const requestTarget = options.signedPath ?? new URL(to).pathname;
  const signature = sender.profile.signature(
    { method: 'POST', clientId, requestId, timestamp, requestTarget, body },
    secret,
  );
  const response = await fetch(to, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [HEADER_NAMES.clientId]: clientId,
      [HEADER_NAMES.requestId]: requestId,
      [HEADER_NAMES.timestamp]: timestamp,
      [HEADER_NAMES.signature]: signature,
    },
    body: new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return {
    applicationId: given === null ? applicationId : null,
    jobId: given === null ? jobId : null,
    requestId,
    body: body.toString('utf8'),
    status: response.status,
    reply: await response.text(),
  };
}

/** Ids of digits as numbers of JSON. */
function withNumbers(json: string, ids: readonly string[]): string {
  const numbers = ids.filter((id) => /^\d+$/.test(id));
  return numbers.reduce((text, id) => text.replaceAll(`"id":"${id}"`, `"id":${id}`), json);
}
