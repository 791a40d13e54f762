import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from '../../postgres/make-certificates.js';
import { listen, type Listening } from '../../loopback.js';

export interface Received {
  readonly method: string;
  readonly url: string;
  /** As sent: names with their case, in order. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body's bytes, for one that is no text. */
  readonly bytes: Buffer;
}

export interface LoopbackServer extends Listening {
  readonly received: readonly Received[];
  /** Connections accepted so far. */
  connections(): number;
}

/** A real server on loopback that reads each request whole and leaves the answer to the test. */
export async function startLoopbackServer(
  answer: (response: ServerResponse, socket: Socket, received: Received) => void,
): Promise<LoopbackServer> {
  const received: Received[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const one: Received = {
        method: request.method ?? '',
        url: request.url ?? '',
        rawHeaders: request.rawHeaders,
        headers: request.headers,
        body: bytes.toString('utf8'),
        bytes,
      };
      received.push(one);
      answer(response, request.socket, one);
    });
  });
  server.on('connection', () => connections++);
  return { ...(await listen(server)), received, connections: () => connections };
}

export interface ProxyOptions {
  /** Of `Proxy-Authorization`, as user:password; without it everybody may use it. */
  readonly user?: string;
  /** Answers every request with this status instead of passing it on. */
  readonly refuse?: number;
  /** Where a host is, by its name with port; a host that is not listed is where it says. */
  readonly routes?: Readonly<Record<string, number>>;
  /** Speaks TLS with its clients. */
  readonly certificate?: Certificate;
  /** Reads requests and never answers. */
  readonly mute?: boolean;
}

export interface RunningProxy extends Listening {
  /** Without user and password. */
  readonly address: string;
  /** Method and target of each request in the order of arrival, such as `CONNECT platform.test:443`. */
  readonly asked: string[];
  /** Subjects of the certificates that its clients showed; it asks each for one. */
  readonly shown: readonly string[];
  /** Connections accepted so far, and those still open. */
  connections(): number;
  open(): number;
}

/** A forward proxy on loopback as companies run them: CONNECT for https://, absolute addresses for http://. */
export async function startProxy(options: ProxyOptions = {}): Promise<RunningProxy> {
  const { user, refuse, routes = {}, certificate, mute = false } = options;
  const asked: string[] = [];
  const shown: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const refusal = (request: IncomingMessage): number | null => {
    const expected = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
    if (expected !== undefined && request.headers['proxy-authorization'] !== expected) return 407;
    return refuse ?? null;
  };
  const whereIs = (target: string): { host: string; port: number } => {
    const [, host = '', port = '80'] = /^(.*):(\d+)$/.exec(target) ?? [null, target];
    const routed = routes[`${host}:${port}`];
    return routed === undefined ? { host, port: Number(port) } : { host: '127.0.0.1', port: routed };
  };
  const note = (request: IncomingMessage) => asked.push(`${request.method ?? ''} ${request.url ?? ''}`);

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    note(request);
    if (mute) return;
    const status = refusal(request);
    if (status !== null) {
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>the proxy says no</html>');
      return;
    }
    const url = new URL(request.url ?? '');
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
    const { method } = request;
    const onward = forward({ ...whereIs(url.host), path: url.pathname, method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  };
  const server = certificate
    ? createTlsServer(
        {
          key: certificate.key,
          cert: certificate.certificate,
          requestCert: true,
          rejectUnauthorized: false,
        },
        pass,
      )
    : createServer(pass);
  server.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // An empty object: none.
    const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
    if (peer && Object.keys(peer).length > 0) shown.push(String(peer.subject.CN));
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    note(request);
    if (mute) {
      client.resume().on('end', () => client.destroy());
      return;
    }
    const status = refusal(request);
    if (status !== null) {
      client.end(
        `HTTP/1.1 ${status} No\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<html>no</html>`,
      );
      return;
    }
    const onward = connect(whereIs(request.url ?? ''), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    onward.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
    onward.on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
  });
  const listening = await listen(server);
  return {
    ...listening,
    address: `${certificate ? 'https' : 'http'}://127.0.0.1:${listening.port}`,
    asked,
    shown,
    connections: () => connections,
    open: () => sockets.size,
  };
}
