import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a listener. */
export interface Connections {
  /** It works on a request of this connection: never given up. */
  working(socket: Socket): void;
  /** It waits for the client again, as each connection does at first. */
  waiting(socket: Socket): void;
}

/**
 * Bounds the connections of a server to `max`. A newer one takes the place of the one that has been waiting for its
 * client longest: idle, half a request sent, or an answer unread. So whoever holds connections open cannot keep others
 * out, and a probe gets through. When all are at work the newcomer is dropped.
 */
export function boundConnections(server: Server, max: number): Connections {
  const open = new Set<Socket>();
  /** Of these, what waits for its client; the longest comes first. */
  const idle = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= max) return;
    const [longest = socket] = idle;
    forget(longest);
    longest.destroy();
  });
  return {
    working: (socket) => void idle.delete(socket),
    waiting(socket) {
      idle.delete(socket);
      if (open.has(socket)) idle.add(socket);
    },
  };
}
