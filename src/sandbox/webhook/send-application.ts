import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { AreaDeviations } from '../../config/deviations.js';
import { HEADER_NAMES, type HeaderNames } from '../../contract/request-headers.js';
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
  /** Default: those of the interface. */
  readonly headerNames?: HeaderNames | undefined;
  /** How what it sends differs from the interface; default: not at all. */
  readonly deviations?: AreaDeviations['webhooks'] | undefined;
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
  const { encoding, signed, ids, headerNames } = sender.deviations ?? NO_DEVIATION;
  const newId = ids === 'number' ? randomNumber : randomUUID;
  const applicationId = options.applicationId ?? newId();
  const jobId = options.vacancyId === undefined ? (options.jobId ?? newId()) : jobIdOf(options.vacancyId);
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
  const bytes = encoding === 'gzip' ? gzipSync(body) : body;
  const { clientId, secret } = sender.client;
  const timestamp = requestTimestamp(sender.now());
  const requestTarget = options.signedPath ?? new URL(to).pathname;
  const signature = sender.profile.signature(
    {
      method: 'POST',
      clientId,
      requestId,
      timestamp,
      requestTarget,
      body: signed === 'sent' ? bytes : body,
    },
    secret,
  );
  const names = headerNames ?? sender.headerNames ?? HEADER_NAMES;
  const response = await fetch(to, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(encoding === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
      [names.clientId]: clientId,
      [names.requestId]: requestId,
      [names.timestamp]: timestamp,
      [names.signature]: signature,
    },
    body: new Uint8Array(bytes),
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

const NO_DEVIATION: AreaDeviations['webhooks'] = { encoding: 'identity', signed: 'sent', ids: 'uuid' };

/** Most have more digits than a number of JavaScript keeps. */
function randomNumber(): string {
  return BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 15)}`).toString();
}

/** Ids of digits as numbers of JSON. */
function withNumbers(json: string, ids: readonly string[]): string {
  const numbers = ids.filter((id) => /^\d+$/.test(id));
  return numbers.reduce((text, id) => text.replaceAll(`"id":"${id}"`, `"id":${id}`), json);
}
