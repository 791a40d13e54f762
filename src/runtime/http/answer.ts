import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from './exchange.js';
import { hasBody } from './has-body.js';
import { createPieceLimit } from './piece-limit.js';

/** How long, and how much of, an unused body is still read. */
const LINGER_MS = 2_000;
const LINGER_BYTES = 4 * 1024 * 1024;

export interface PlainAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/**
 * Answers at once, also when the body has not arrived: then the connection ends with the answer. Before that, the rest of
 * the body is read for a moment and dropped, because a client that sends into a closed connection never sees the
 * answer.
 */
export function answer(
  { incoming, outgoing, asksToSend }: Exchange,
  { status, headers, body }: PlainAnswer,
): void {
  if (outgoing.destroyed) return;
  const unread = hasBody(incoming) && !incoming.complete;
  if (unread) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  // A client that waits for `100 Continue` sends nothing more.
  if (!unread || asksToSend) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  linger(incoming, () => outgoing.end());
}

/** Calls `done` once: at the end of the body, or when it is too long or takes too long. */
function linger(incoming: IncomingMessage, done: () => void): void {
  const fewPieces = createPieceLimit();
  let left = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    incoming.off('data', onData);
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (!fewPieces(chunk.length)) incoming.socket.destroy();
    else if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  incoming.on('data', onData);
  incoming.once('end', end);
  incoming.once('close', end);
  incoming.resume();
}
