import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';

const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the connection of a request ends: whoever asked has hung up. By the connection and not by the answer,
 * because of requests that were sent one after the other without waiting only the first one's answer hears of the end.
 */
export function whenGone(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const gone = new AbortController();
  // As many listen as requests wait on the connection.
  setMaxListeners(0, gone.signal);
  if (socket.destroyed) gone.abort();
  else socket.once('close', () => gone.abort());
  signals.set(socket, gone.signal);
  return gone.signal;
}
