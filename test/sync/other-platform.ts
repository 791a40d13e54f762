import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a platform of our own sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** The id of the path. */
  readonly id: string;
  readonly body: Record<string, unknown> | null;
  /** How many records of this kind came before this one; from 1. */
  readonly number: number;
}

export interface Said {
  readonly status: number;
  /** An object is sent as JSON, a text as it is; absent: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A platform that shares no line with the program: it stores what is put, and answers as the test says. */
export interface OtherPlatform {
  readonly url: string;
  /** Bodies by path. */
  readonly held: ReadonlyMap<string, Record<string, unknown>>;
  /** Requests since the last call, as `PUT /path`. */
  requests(): string[];
  answer: (asked: Asked) => Said;
}

export async function startOtherPlatform(answer: OtherPlatform['answer']): Promise<OtherPlatform> {
  const held = new Map<string, Record<string, unknown>>();
  const numbers = new Map<string, number>();
  let requests: string[] = [];
  const platform: OtherPlatform = {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    held,
    requests() {
      const found = requests;
      requests = [];
      return found;
    },
    answer,
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '' } = request;
    requests.push(`${method} ${path}`);
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? '';
    const number = numbers.get(path) ?? numbers.size + 1;
    numbers.set(path, number);
    const said = platform.answer({ method, path, id, body, number });
    if (body !== null && said.status < 300) held.set(path, body);
    const json = said.body !== undefined && typeof said.body !== 'string';
    response.writeHead(said.status, {
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...said.headers,
    });
    response.end(json ? JSON.stringify(said.body) : said.body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return platform;
}
