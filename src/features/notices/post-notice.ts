import { createHmac } from 'node:crypto';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { NoticeDelivery, Notifier } from './notifier.js';
import { withinTime } from '../../core/runtime/time.js';

export interface PostOptions {
  readonly url: string;
  /** Null: the messages are not signed. */
  readonly secret: string | null;
  readonly version: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** For the addresses of its host's name. Default: that of the system. */
  readonly lookup?: LookupFunction | undefined;
}

const TIMEOUT_MS = 3_000;

/**
 * Sends notices as JSON by POST. With a secret, `X-Placement-Sync-Signature` is `sha256=` and the HMAC-SHA256 in hex
 * of the time stamp, a full stop and the body's bytes; `X-Placement-Sync-Timestamp` has the time in Unix seconds.
 * Redirects are not followed. Only the status of the answer is read.
 */
export function createPostNotifier({ url, secret, version, now, lookup }: PostOptions): Notifier {
  return {
    way: 'url',
    receiver: new URL(url).host,
    async deliver(notice, signal) {
      const body = JSON.stringify(notice);
      try {
        const headers = {
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': `placement-sync/${version}`,
          ...(secret === null ? {} : signatureHeaders(secret, Math.floor(now() / 1000), body)),
        };
        const status = await withinTime(TIMEOUT_MS, signal, (limited) =>
          post(new URL(url), { headers, lookup }, body, limited),
        );
        return judgeStatus(status);
      } catch (error) {
        return explainFailure(error);
      }
    },
  };
}

/** The headers that prove where a message comes from. `seconds`: Unix time. */
export function signatureHeaders(secret: string, seconds: number, body: string): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'X-Placement-Sync-Timestamp': String(seconds), 'X-Placement-Sync-Signature': `sha256=${digest}` };
}

/**
 * The status of the answer. The connection is its own and is closed then. Not by `fetch`: after a connection that it
 * gave up it opens another one, and keeps it.
 */
function post(
  url: URL,
  {
    headers,
    ...options
  }: Pick<RequestOptions, 'lookup'> & { readonly headers: Readonly<Record<string, string>> },
  body: string,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url, {
      ...options,
      method: 'POST',
      headers: { ...headers, ...length },
      agent: false,
      signal,
    });
    const answered = ({ statusCode = 0 }: IncomingMessage) => {
      resolve(statusCode);
      sent.destroy();
    };
    sent.on('error', reject);
    sent.on('response', answered);
    // With a 101 Node hands the connection over.
    sent.on('upgrade', (response: IncomingMessage, socket: Socket) => {
      socket.destroy();
      answered(response);
    });
    sent.end(body);
  });
}

function judgeStatus(status: number): NoticeDelivery {
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: `it answered ${status}` };
  const failure = { inDoubt: false, reason: `it answered ${status}.` };
  if (status === 408 || status === 429 || status >= 500)
    return { ...failure, kind: 'failed', hint: 'The receiver has a problem; see its log.' };
  const refused = (hint: string): NoticeDelivery => ({ ...failure, kind: 'refused', hint });
  if (status >= 300 && status < 400)
    return refused('Redirects are not followed: set notify.url to the address it redirects to.');
  if (status === 401 || status === 403)
    return refused('Check notify.url, notify.secret and what the receiver requires of its callers.');
  if (status === 404 || status === 410)
    return refused('Check notify.url: the receiver has nothing at that address.');
  return refused('The receiver does not accept this message; docs/watch.md describes its form.');
}

const CHECK_URL = 'Check notify.url, and that this machine can reach it.';

function explainFailure(error: unknown): NoticeDelivery {
  const { code, name } = describeError(error);
  const failed = (reason: string, inDoubt = true, hint = CHECK_URL): NoticeDelivery => ({
    kind: 'failed',
    inDoubt,
    reason,
    hint,
  });
  if (name === 'TimeoutError') return failed(`it gave no answer within ${TIMEOUT_MS / 1000} s.`);
  if (name === 'AbortError') return failed('there was no time left.');
  if (/^(CERT|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return failed(
      `its certificate or its TLS is not accepted (${code}).`,
      false,
      'Fix the certificate of the receiver. To trust one of your own authority, set NODE_EXTRA_CA_CERTS to its file.',
    );
  if (code.startsWith('HPE_')) return failed(`its answer is not HTTP (${code}).`);
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return failed(`it closed the connection without an answer (${code}).`);
  const never = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];
  return failed(`it cannot be reached (${code}).`, !never.includes(code));
}

/** Codes only: messages may repeat the address, which may hold a secret. An abort has the name of its reason. */
function describeError(error: unknown): { code: string; name: string } {
  if (!(error instanceof Error)) return { code: 'unknown', name: '' };
  const { code, cause, name } = error as NodeJS.ErrnoException;
  const reason = name === 'AbortError' && cause instanceof Error ? cause.name : name;
  return { code: code ?? 'connection failed', name: reason };
}
