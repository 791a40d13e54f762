import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { IncomingMessage } from 'node:http';
import { UUID_PATTERN } from '../contract/field-types.js';
import { refusal, type Answer } from './answer.js';
import { checkAuthentication, checkHeaders, headerOf } from './check-request.js';
import type { Match } from './find-operation.js';
import { carryOut, type Outcome } from './intercept.js';
import type { JournalEntry } from './journal.js';
import { readBody } from './read-body.js';
import type { Sandbox } from './sandbox-state.js';
import { SERVED_OPERATIONS } from './served-operations.js';

/**
 * Answers one request to the platform's interface: checks in the order headers (400, 401, 406, 415), size (413),
 * authentication (401), repeated Request-Id (409), route (404), JSON (400); then what `intercept` wants; then
 * the operation itself (404, 422, 200). Every request is in the journal from its arrival on.
 */
export async function answerRequest(sandbox: Sandbox, { incoming }: HttpBindings): Promise<Response> {
  const method = incoming.method ?? '';
  const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
  const match = sandbox.findOperation(method, path);
  const entry: JournalEntry = {
    atMs: sandbox.now(),
    area: match?.operation.area ?? null,
    method,
    path,
    requestId: headerOf(incoming.headers, 'Request-Id'),
    status: null,
    message: null,
  };
  sandbox.journal.add(entry);

  const outcome = await settle(sandbox, incoming, path, match);
  if (outcome.kind === 'answer') entry.status = outcome.answer.status;
  entry.message = outcome.kind === 'answer' ? outcome.answer.message : outcome.message;
  sandbox.onRequest(entry);

  if (outcome.kind === 'answer') return respond(sandbox, outcome.answer);
  incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function settle(
  sandbox: Sandbox,
  incoming: IncomingMessage,
  path: string,
  match: Match | null,
): Promise<Outcome> {
  try {
    return await decide(sandbox, incoming, path, match);
  } catch (error) {
    // The client is gone, or an `intercept` failed: its author reads the message in the answer.
    return answered(refusal(500, error instanceof Error ? error.message : 'unexpected error'));
  }
}

async function decide(
  sandbox: Sandbox,
  incoming: IncomingMessage,
  path: string,
  match: Match | null,
): Promise<Outcome> {
  const { headers } = incoming;
  const method = incoming.method ?? '';
  const bytes = await readBody(incoming);
  const badHeaders = checkHeaders(headers, bytes !== null);
  if (badHeaders !== null) return answered(badHeaders);
  if (bytes === 'too-large') return answered(refusal(413, 'The body is larger than 1 MiB'));

  const clients = match === null ? Object.values(sandbox.clients) : [sandbox.clients[match.operation.area]];
  const nowMs = sandbox.now();
  const { profile, toleranceSeconds } = sandbox;
  const unauthentic = checkAuthentication({
    method,
    path,
    headers,
    body: bytes,
    nowMs,
    clients,
    profile,
    toleranceSeconds,
  });
  if (unauthentic !== null) return answered(unauthentic);

  const clientId = headerOf(headers, 'Client-Id') ?? '';
  const requestId = headerOf(headers, 'Request-Id') ?? '';
  if (!sandbox.requestIds.claim(clientId, requestId)) {
    return answered(refusal(409, 'Request-Id was used before'));
  }
  let applied = false;
  try {
    const outcome = await proceed(sandbox, match, { incoming, path, clientId, bytes });
    applied = outcome.applied;
    return outcome;
  } finally {
    // A request that was never processed may come again under the same id.
    if (!applied) sandbox.requestIds.release(clientId, requestId);
  }
}

interface Authentic {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly clientId: string;
  readonly bytes: Buffer | null;
}

async function proceed(sandbox: Sandbox, match: Match | null, request: Authentic): Promise<Outcome> {
  const { incoming, path, clientId, bytes } = request;
  if (match === null) return answered(refusal(404, 'No such route'));
  const { operation, id } = match;
  const process = SERVED_OPERATIONS[operation.name];
  if (process === undefined) return answered(refusal(404, `${operation.title} is not served`));
  const body = operation.hasBody ? parseJson(bytes) : undefined;
  if (operation.hasBody && body === undefined) return answered(refusal(400, 'The body is not JSON'));

  const apply = (): Answer => {
    if (!UUID_PATTERN.test(id)) return refusal(404, 'The id in the path is not a UUID');
    return process({
      id,
      body,
      store: sandbox.store,
      nowMs: sandbox.now(),
      clientId,
      clientIp: incoming.socket.remoteAddress ?? '127.0.0.1',
      timeZone: sandbox.timeZone,
      acceptExtraFields: sandbox.acceptExtraFields,
    });
  };
  if (sandbox.latencyMs > 0) await sandbox.sleep(sandbox.latencyMs);
  if (sandbox.intercept === null) return { kind: 'answer', answer: apply(), applied: true };
  const verdict = await sandbox.intercept({
    operation: operation.name,
    method: operation.method,
    path,
    area: operation.area,
    id,
    body,
    count: sandbox.countRequest(operation.method, path),
  });
  return await carryOut(verdict ?? {}, apply, sandbox.sleep);
}

function answered(answer: Answer): Outcome {
  return { kind: 'answer', answer, applied: false };
}

/** Undefined when it is no JSON. */
function parseJson(bytes: Buffer | null): unknown {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function respond(sandbox: Sandbox, answer: Answer): Response {
  const asText = typeof answer.body === 'string';
  const html = typeof answer.body === 'string' && answer.body.trimStart().startsWith('<');
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  const headers: Record<string, string> = {
    'content-type': html
      ? 'text/html; charset=utf-8'
      : asText
        ? 'text/plain; charset=utf-8'
        : 'application/json',
    // By the sandbox's own clock, which a client compares with its own.
    date: new Date(sandbox.now()).toUTCString(),
  };
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers[name.toLowerCase()] = value;
  const empty = answer.status === 204 || answer.status === 304;
  return new Response(empty ? null : text, { status: answer.status, headers });
}
