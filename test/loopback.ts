import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Listening {
  readonly port: number;
  /** Ends the server and its connections, before the test is over. */
  close(): Promise<void>;
}

/** Lets a server listen on any free port of this machine; it ends with the test. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      sockets.forEach((socket) => socket.destroy());
    });
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, close };
}
