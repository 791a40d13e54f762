import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a listener. */
export interface Connections {
  /** A request of this connection arrives. */
  reading(socket: Socket): void;
  /** A request of this connection is handled: it is never dropped. */
  working(socket: Socket): void;
  /** The connection waits for its client, as each does at first. */
  waiting(socket: Socket): void;
}

/**
 * Bounds the connections of a server to `max`. A newer one takes the place of the one that has been waiting for its
 * client longest, among those without a request (nothing sent, or an answer unread) or those with half of one, whichever
 * are more. So open connections cannot keep others out, a probe gets through, and connections that send nothing do not
 * cut off requests that arrive. If all connections have a request in work, the newcomer is dropped.
 */
export function boundConnections(server: Server, max: number): Connections {
  const open = new Set<Socket>();
  /** Those that wait for their client, in both sets the longest first. */
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
