import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a listener. */
export interface Connections {
  /** A request of this connection arrives. */
  reading(socket: Socket): void;
  /** It works on a request of this connection: never given up. */
  working(socket: Socket): void;
  /** It waits for the client again, as each connection does at first. */
  waiting(socket: Socket): void;
}

/**
 * Bounds the connections of a server to `max`. A newer one takes the place of the one that has been waiting for its
 * client longest, among those without a request (nothing sent, or an answer unread) or those with half of one, whichever
 * are more. So whoever holds connections open cannot keep others out, a probe gets through, and connections that send
 * nothing do not cut off requests that arrive. When all are at work the newcomer is dropped.
 */
export function boundConnections(server: Server, max: number): Connections {
  const open = new Set<Socket>();
  /** Of these, what waits for its client; the longest comes first in each. */
  const idle = new Set<Socket>();
  const arriving = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
    arriving.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    if (open.size >= max) {
      const [longest = socket] = arriving.size > idle.size ? arriving : idle;
      forget(longest);
      longest.destroy();
      if (longest === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  return {
    reading(socket) {
      idle.delete(socket);
      if (open.has(socket)) arriving.add(socket);
    },
    working: (socket) => void arriving.delete(socket),
    waiting(socket) {
      arriving.delete(socket);
      idle.delete(socket);
      if (open.has(socket)) idle.add(socket);
    },
  };
}
