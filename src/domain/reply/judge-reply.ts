import type { JsonObject } from '../json.js';
import type { Judgement } from './judgement.js';
import type { Reply } from './reply.js';
import { clockSkew, describeClockSkew } from './clock-skew.js';
import { oneLine } from './one-line.js';
import { isObject, readRefusal } from './refusal.js';
import { retryAfterDelay } from './retry-after.js';

type Answer = Extract<Reply, { kind: 'answered' }>;

export interface JudgeContext {
  readonly method: 'PUT' | 'PATCH' | 'GET' | 'DELETE';
  /** Our clock, milliseconds since the epoch. */
  readonly now: number;
  /** An earlier attempt under the same Request-Id got no reply. */
  readonly reused?: boolean;
}

/**
 * What a reply means for the record and for its area. Total: every status and every body has a judgement.
 *
 * The interface shows only 200 (interface §7), so the rest is the meaning of HTTP, read with one question in
 * mind: is it still known what the platform holds? Only a reply of the application itself says so; a gateway's
 * error page, a time-out or a lost connection may have come after the write.
 *
 * A 409 says that the Request-Id was used before (assumed). Where it is one that an unanswered attempt was sent under,
 * that attempt was processed.
 */
export function judgeReply(reply: Reply, context: JudgeContext): Judgement {
  switch (reply.kind) {
    case 'unreachable':
      return deferred(true, null, `Not reached: ${reply.message} (${reply.code})`);
    case 'silent':
      return deferred(false, null, `No complete reply: ${reply.message} (${reply.code})`);
    case 'answered':
      return judgeAnswer(reply, context);
  }
}

function judgeAnswer(reply: Answer, context: JudgeContext): Judgement {
  const { status } = reply;
  if (status === 200) return judgeSuccess(reply, context);
  if (status >= 300 && status <= 399) return redirected(reply);
  if (status === 401 || status === 403) return authenticationRefused(reply);
  if (status === 429) return paused(reply, true, pauseOf(reply, context));
  if (status === 503 && pauseOf(reply, context) !== null) {
    return paused(reply, isObject(reply.json), pauseOf(reply, context));
  }
  // What was to be deleted is not there: that is what was wanted. A web page says nothing about the record.
  if (status === 404 && context.method === 'DELETE' && !reply.html) {
    return accepted(reply, null, null);
  }
  if (status === 409 && context.method === 'PATCH' && context.reused === true)
    return accepted(reply, null, null);
  if (status === 425) return deferred(true, status, describe(reply));
  if (status === 409 && (context.method === 'PUT' || context.method === 'PATCH')) {
    return deferred(true, status, describe(reply));
  }
  if (status === 408) return deferred(false, status, describe(reply));
  if (status >= 400 && status <= 499) return refused(reply);
  const fromApplication = (status === 500 || status === 503) && isObject(reply.json);
  // Other 2xx and a 101 land here too: success is 200 (interface §1), so nobody knows what a 202 or 204 has done.
  return deferred(fromApplication, status, describe(reply));
}

function judgeSuccess(reply: Answer, { method }: JudgeContext): Judgement {
  if (reply.result === null) {
    const why = reply.malformed ?? (reply.html ? 'a web page' : 'no result');
    return deferred(false, reply.status, `HTTP 200 without a valid result: ${why}`);
  }
  const { id, reference } = reply.result;
  return method === 'PUT' ? accepted(reply, reference, id) : accepted(reply, null, null);
}

function accepted(reply: Answer, reference: string | null, remoteId: string | null): Judgement {
  return { kind: 'accepted', reference, remoteId, details: detailsOf(reply.json), statusCode: reply.status };
}

/** Of an application's result: its status and when it was hired. Nothing personal. */
function detailsOf(json: unknown): JsonObject | null {
  const data = isObject(json) && isObject(json.data) ? json.data : {};
  // One reply with what the ledger cannot hold, such as U+0000, would lose the outcomes of all beside it.
  const kept = Object.entries(data).flatMap(([field, value]) =>
    ['status', 'hired_at'].includes(field) && typeof value === 'string'
      ? [[field, oneLine(value)] as const]
      : [],
  );
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function deferred(known: boolean, statusCode: number | null, message: string): Judgement {
  return { kind: 'deferred', known, statusCode, message: oneLine(message) };
}

function refused(reply: Answer): Judgement {
  const { message, issues } = readRefusal(reply.json);
  return { kind: 'refused', statusCode: reply.status, message: message ?? describe(reply), issues };
}

function pauseOf(reply: Answer, context: JudgeContext): number | null {
  return retryAfterDelay(reply.retryAfter, reply.date, context.now);
}

function paused(reply: Answer, known: boolean, delayMs: number | null): Judgement {
  return { kind: 'paused', known, delayMs, statusCode: reply.status, message: describe(reply) };
}

function authenticationRefused(reply: Answer): Judgement {
  return {
    kind: 'stopped',
    code: 'authentication-refused',
    statusCode: reply.status,
    message: describe(reply),
    hint: causeOfRefusal(reply),
  };
}

function causeOfRefusal(reply: Answer): string {
  const skew = describeClockSkew(clockSkew(reply.date, reply.receivedAt));
  if (skew !== null) {
    return `The signature carries the time, and ${skew}: correct this machine's clock (NTP), then run again.`;
  }
  if (reply.html) {
    return (
      'The answer is a web page, so it comes from the edge in front of the platform (CDN or firewall), not from ' +
      'the platform: ask its operator whether the address you send from is allowed.'
    );
  }
  return (
    'Check client id and secret, that they belong to the environment of the base URL (sandbox and production ' +
    'have separate ones), and the signature profile.'
  );
}

function redirected(reply: Answer): Judgement {
  const target = targetOf(reply.location);
  return {
    kind: 'stopped',
    code: 'redirected',
    statusCode: reply.status,
    message: describe(reply),
    hint: oneLine(
      `Signed requests never follow a redirect${target === null ? '' : ` (to ${target})`}: set the base URL to ` +
        'the address that answers directly.',
    ),
  };
}

/** Scheme and host only: path and query of a redirect may carry tokens. */
function targetOf(location: string | null): string | null {
  if (location === null) return null;
  if (location.startsWith('/') && !location.startsWith('//')) return 'another path of the same host';
  const absolute = location.startsWith('//') ? `https:${location}` : location;
  if (!URL.canParse(absolute)) return null;
  const { protocol, host } = new URL(absolute);
  return host === '' ? null : `${protocol}//${host}`;
}

function describe(reply: Answer): string {
  const { message } = readRefusal(reply.json);
  const said = message ?? (reply.html ? 'a web page' : reply.malformed);
  return oneLine(said === null ? `HTTP ${reply.status}` : `HTTP ${reply.status}: ${said}`);
}
