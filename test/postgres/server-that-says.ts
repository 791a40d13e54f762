import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A message of PostgreSQL's protocol; `length` as it is sent, whatever the body has. */
export function message(type: string, body: Buffer | string, length = body.length + 4): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

/** The demand of a server for a way to log in, by its number. */
export const login = (number: number): Buffer => message('R', Buffer.from([0, 0, 0, number]));

/** A server on loopback that gives one answer to whoever connects; its URL. */
export async function serverThatSays(answer: Buffer): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return `postgres://reader:hidden@127.0.0.1:${String(port)}/hr`;
}
