import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Answer, Delivery } from './answer.js';

/**
 * The bytes of a request as sent; null without a body; `too-large` as soon as that is known, with the rest unread.
 * Read from Node's own stream: the signature is over these bytes, and it costs less than a web stream.
 * Rejects when the client breaks the connection.
 */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | null | 'too-large'> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too-large';
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      incoming.off('data', onData);
      resolve('too-large');
    };
    incoming.on('data', onData);
    incoming.once('end', () => {
      resolve(length === 0 ? null : Buffer.concat(chunks, length));
    });
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(new Error('the client broke the connection'));
    });
  });
}

/** Largest body that is taken: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Sends an answer: whole, in pieces, or cut.
 * @param nowMs by the sandbox's own clock, which a client compares with its own
 * @param sleep waits so many milliseconds; rejects when the sandbox closes
 */
export async function respond(
  outgoing: ServerResponse,
  answer: Answer,
  delivery: Delivery | undefined,
  nowMs: number,
  sleep: (ms: number) => Promise<void>,
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

function contentType(body: object | string): string {
  if (typeof body === 'object') return 'application/json';
  return body.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
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

const PIECES = 20;
