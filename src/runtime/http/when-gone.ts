import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the connection of a request ends: the client has left. It watches the connection, not the answer: among
 * pipelined requests, only the first one's answer gets the event.
 */
export function whenGone(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const gone = new AbortController();
  // Each request that waits on the connection adds a listener.
  setMaxListeners(0, gone.signal);
  if (socket.destroyed) gone.abort();
  else socket.once('close', () => gone.abort());
  signals.set(socket, gone.signal);
  return gone.signal;
}
