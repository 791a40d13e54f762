import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP connection to a database that a test can disturb; `url` leads through it. */
export interface Wire {
  readonly url: string;
  /** Drops every byte in both directions from now on, and tells nobody, as a firewall does. New connections are taken. */
  silence(): void;
  /** Breaks what is open, and refuses what is new, as a server that is down does. */
  refuse(): Promise<void>;
  /** Lets new connections through again. What was silenced stays so: a firewall does not remember it. */
  mend(): Promise<void>;
}

/** A wire to the server of `url`; ends with the test. */
export async function openWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let silent = false;
  const accept = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    let dead = silent;
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('data', (bytes) => {
        dead ||= silent;
        if (!dead) to.write(bytes);
      });
      from.on('error', () => undefined);
      // The end of a connection is a packet, too.
      from.on('close', () => {
        sockets.delete(from);
        dead ||= silent;
        if (!dead) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  };
  // Half open: an end that the other side never hears of must not be answered here.
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer({ allowHalfOpen: true }, accept);
      server.on('connection', (near) => near.on('end', () => !silent && near.end()));
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  const close = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      sockets.forEach((socket) => socket.destroy());
    });
  onTestFinished(close);
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    silence: () => (silent = true),
    refuse: close,
    async mend() {
      silent = false;
      if (!server.listening) server = await listen(port);
    },
  };
}

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
