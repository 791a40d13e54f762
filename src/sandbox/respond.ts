import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import type { Delivery } from './verdict.js';

const PIECES = 20;

export interface Respond {
  readonly outgoing: ServerResponse;
  /** By the sandbox's own clock, which a client compares with its own. */
  readonly nowMs: number;
  /** Waits so many milliseconds; rejects when the sandbox closes. */
  sleep(ms: number): Promise<void>;
}

/** Sends an answer: whole, in pieces, or cut. */
export async function respond(
  answer: Answer,
  delivery: Delivery | undefined,
  { outgoing, nowMs, sleep }: Respond,
): Promise<Response> {
  const { body } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const empty = [204, 205, 304].includes(answer.status) || text === '';
  const headers: Record<string, string> = {
    ...(empty ? {} : { 'content-type': contentType(body) }),
    date: new Date(nowMs).toUTCString(),
  };
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers[name.toLowerCase()] = value;
  if (delivery === undefined) {
    return new Response(empty ? null : text, { status: answer.status, headers });
  }

  const bytes = Buffer.from(text);
  const kept =
    delivery.kind === 'cut' ? bytes.subarray(0, Math.floor(bytes.length * delivery.keptShare)) : bytes;
  const announced = delivery.kind === 'cut' && delivery.announced === 'kept' ? kept : bytes;
  outgoing.writeHead(answer.status, { ...headers, 'content-length': announced.length });
  outgoing.flushHeaders();
  if (delivery.kind === 'slow') await trickle(outgoing, bytes, delivery.overMs, sleep);
  else if (announced === kept) outgoing.end(kept);
  // The connection ends when what was sent has left, and not before.
  else outgoing.write(kept.length === 0 ? '' : kept, () => outgoing.socket?.destroySoon());
  return RESPONSE_ALREADY_SENT;
}

async function trickle(
  outgoing: ServerResponse,
  bytes: Buffer,
  overMs: number,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  const pieces = Math.ceil(bytes.length / size);
  for (let piece = 0; piece < pieces && !outgoing.destroyed; piece++) {
    await sleep(overMs / pieces);
    outgoing.write(bytes.subarray(piece * size, (piece + 1) * size));
  }
  outgoing.end();
}

function contentType(body: object | string): string {
  if (typeof body === 'object') return 'application/json';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
}
