import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { UUID_PATTERN } from '../../core/contract/fields.js';
import type { Area } from '../../core/domain/names.js';
import { type Answer, type Delivery, refusal, type Verdict } from './answer.js';
import { checkAuthentication, checkHeaders } from './check-request.js';
import { type FaultRequest, faultVerdict } from './faults.js';
import type { Match } from './find-operation.js';
import type { JournalEntry } from './journal.js';
import { headerOf } from './request.js';
import type { RequestContext, Sandbox } from './sandbox-state.js';
import { serveOperation } from './serve-operation.js';
import { readBody, respond } from './wire.js';

/**
 * Answers one request to the platform's interface: checks in the order headers (400, 401, 406, 415), size (413),
 * authentication (401), repeated Request-Id (409), route (404), JSON (400); then what the faults and `intercept` want;
 * then the operation itself (404, 422, 200). Every request is in the journal from its arrival on.
 */
export async function answerRequest(
  sandbox: Sandbox,
  { incoming, outgoing }: HttpBindings,
): Promise<Response> {
  const method = incoming.method ?? '';
  const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
  const match = sandbox.findOperation(method, path);
  const clock =
    match === null ? { offsetMs: 0, names: [] } : sandbox.faults.clockOffset(faultRequestOf(match));
  const now = (): number => sandbox.now() + clock.offsetMs;
  const entry: JournalEntry = {
    atMs: sandbox.now(),
    area: match?.operation.area ?? null,
    method,
    path,
    requestId: headerOf(incoming.headers, 'Request-Id'),
    status: null,
    message: null,
    faults: clock.names,
  };
  sandbox.journal.add(entry);

  const outcome = await settle(sandbox, { incoming, path, match, entry, now });
  if (outcome.kind === 'answer') entry.status = outcome.answer.status;
  entry.message = outcome.kind === 'answer' ? outcome.answer.message : outcome.message;
  sandbox.onRequest(entry);

  if (outcome.kind === 'answer')
    return await respond(outgoing, outcome.answer, outcome.delivery, now(), sandbox.sleep);
  if (outcome.kind === 'silence') await ended(incoming.socket);
  else incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** A request on its way through the checks. */
interface Arrived {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly match: Match | null;
  readonly entry: JournalEntry;
  /** The clock by which it is judged and answered. */
  readonly now: () => number;
}

/** The outcome of a request: an answer, a broken connection, or nothing. */
type Outcome =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly applied: boolean;
      /** Undefined: at once and whole. */
      readonly delivery?: Delivery | undefined;
    }
  | {
      readonly kind: 'drop';
      readonly message: string;
      readonly applied: boolean;
      /** The request takes effect later, by this time. */
      readonly applyAfterMs?: number | undefined;
    }
  | { readonly kind: 'silence'; readonly message: string; readonly applied: boolean };

async function settle(sandbox: Sandbox, arrived: Arrived): Promise<Outcome> {
  try {
    return await decide(sandbox, arrived);
  } catch (error) {
    // The client is gone, or an `intercept` failed: the answer shows its author the message.
    return answered(refusal(500, error instanceof Error ? error.message : 'unexpected error'));
  }
}

function answered(answer: Answer): Outcome {
  return { kind: 'answer', answer, applied: false };
}

async function decide(sandbox: Sandbox, arrived: Arrived): Promise<Outcome> {
  const { incoming, path, match, entry } = arrived;
  const { headers } = incoming;
  const area = areaOf(match);
  const bytes = await readBody(incoming);
  const badHeaders = checkHeaders(headers, bytes !== null);
  if (badHeaders !== null) return answered(badHeaders);
  if (bytes === 'too-large') return answered(refusal(413, 'The body is larger than 1 MiB'));

  const unauthentic = checkAuthentication({
    method: incoming.method ?? '',
    path,
    headers,
    body: bytes,
    nowMs: arrived.now(),
    clients: match === null ? Object.values(sandbox.clients) : [sandbox.clients[area]],
    profile: sandbox.profiles[area],
  });
  if (unauthentic !== null) return answered(unauthentic);

  const clientId = headerOf(headers, 'Client-Id') ?? '';
  const requestId = headerOf(headers, 'Request-Id') ?? '';
  const claim = (): boolean => sandbox.requestIds.claim(clientId, requestId);
  if (!claim()) return answered(refusal(409, 'Request-Id was used before'));
  let applied = false;
  try {
    const { outcome, apply } = await proceed(sandbox, arrived, bytes);
    applied = outcome.applied;
    if (outcome.kind === 'drop' && outcome.applyAfterMs !== undefined && apply !== null) {
      // The same Request-Id may be processed in the meantime.
      const late = () => (claim() ? apply() : refusal(409, 'Request-Id was used before'));
      sandbox.faults.late(applyLater(sandbox, entry, outcome.applyAfterMs, late));
    }
    return outcome;
  } finally {
    // A request that was never processed may come again under the same id.
    if (!applied) sandbox.requestIds.release(clientId, requestId);
  }
}

/** `apply` processes the request; null: it cannot be processed. */
async function proceed(
  sandbox: Sandbox,
  arrived: Arrived,
  bytes: Buffer | null,
): Promise<{ readonly outcome: Outcome; readonly apply: (() => Answer) | null }> {
  const { path, match, entry, now } = arrived;
  const refused = (answer: Answer) => ({ outcome: answered(answer), apply: null });
  if (match === null) return refused(refusal(404, 'No such route'));
  const { operation, id } = match;
  const body = operation.hasBody ? parseJson(bytes) : undefined;
  if (operation.hasBody && body === undefined) return refused(refusal(400, 'The body is not JSON'));

  const apply = (): Answer => {
    if (!UUID_PATTERN.test(id)) return refusal(404, 'The id in the path is not a UUID');
    return serveOperation(contextOf(sandbox, match, arrived, body));
  };
  const chosen = sandbox.faults.choose(faultRequestOf(match));
  entry.faults = [...entry.faults, ...chosen.names];
  if (chosen.latencyMs > 0) await sandbox.sleep(chosen.latencyMs);
  const verdict =
    chosen.rule === null
      ? await sandbox.intercept?.({
          operation: operation.name,
          method: operation.method,
          path,
          area: operation.area,
          id,
          body,
          count: sandbox.countRequest(operation.method, path),
        })
      : faultVerdict(chosen.rule, now());
  return { outcome: await carryOut(verdict ?? {}, apply, sandbox.sleep), apply };
}

/** Undefined when it is not JSON. */
function parseJson(bytes: Buffer | null): unknown {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function contextOf(
  sandbox: Sandbox,
  { operation, id }: Match,
  { incoming, now }: Arrived,
  body: unknown,
): RequestContext {
  return {
    ...sandbox,
    operation,
    id,
    body,
    nowMs: now(),
    clientId: headerOf(incoming.headers, 'Client-Id') ?? '',
    clientIp: incoming.socket.remoteAddress ?? '127.0.0.1',
  };
}

function faultRequestOf({ operation, id }: Match): FaultRequest {
  return { operation: operation.name, area: operation.area, id };
}

/** A path that is not known belongs to no area; the sandbox takes the first. */
function areaOf(match: Match | null): Area {
  return match?.operation.area ?? 'jobs';
}

/** Never rejects: when the sandbox closes first, the request got lost on its way. */
async function applyLater(
  sandbox: Sandbox,
  entry: JournalEntry,
  afterMs: number,
  apply: () => Answer,
): Promise<void> {
  try {
    await sandbox.sleep(afterMs);
  } catch {
    return;
  }
  const { message, status } = apply();
  const came = message === null ? 'processed' : `refused with ${status}: ${message}`;
  entry.message = `connection dropped, ${came} ${afterMs} ms later`;
}

/** Until the client, or the sandbox that closes, ends the connection. */
async function ended(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** @param apply processes the request; called once or not at all */
async function carryOut(
  verdict: Verdict,
  apply: () => Answer,
  sleep: (ms: number) => Promise<void>,
): Promise<Outcome> {
  const applies = appliesRequest(verdict);
  const late = verdict.applyAfterDelay === true;
  let answer = applies && !late ? apply() : null;
  if (verdict.delayMs !== undefined) await sleep(verdict.delayMs);
  if (applies && late) answer = apply();

  if (verdict.silent === true)
    return { kind: 'silence', message: `not answered${applies ? ', but processed' : ''}`, applied: applies };
  if (verdict.drop !== undefined) return dropped(verdict, verdict.drop);
  const given = verdict.status !== undefined || answer === null ? answerOf(verdict) : answer;
  const headers = { ...given.headers, ...verdict.headers };
  return { kind: 'answer', answer: { ...given, headers }, applied: applies, delivery: verdict.delivery };
}

function appliesRequest({ drop, silent, status, apply }: Verdict): boolean {
  if (drop !== undefined) return drop === 'after';
  return (silent !== true && status === undefined) || apply === true;
}

function dropped({ applyAfterDropMs }: Verdict, drop: 'before' | 'after'): Outcome {
  const later = drop === 'before' && applyAfterDropMs !== undefined;
  return {
    kind: 'drop',
    message: later
      ? `connection dropped, to be processed ${applyAfterDropMs} ms later`
      : `connection dropped ${drop} processing`,
    applied: drop === 'after',
    applyAfterMs: later ? applyAfterDropMs : undefined,
  };
}

function answerOf({ status = 500, body }: Verdict): Answer {
  const message = `intercepted with ${status}`;
  return { status, body: body ?? { message }, message };
}
