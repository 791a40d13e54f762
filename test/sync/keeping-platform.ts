import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';

type Fields = Readonly<Record<string, unknown>>;

/** One record as this platform keeps it: its body, and the links that it gave it. */
export interface KeptRecord {
  readonly id: string;
  readonly reference: string;
  body: Fields;
}

export interface KeepingPlatform {
  readonly url: string;
  /** By path. A test may change the bodies, as somebody else does at the platform. */
  readonly records: Map<string, KeptRecord>;
  /** Of every request since the last call: `PUT /path`, and its body. */
  requests(): { readonly line: string; readonly body: Fields }[];
  /** How a Find shows a record; the request's own fields at the top level until a test sets another. */
  show: (record: KeptRecord) => Fields;
}

export interface KeepingPlatformOptions {
  /** Whether a Put leaves fields alone that it does not name; if not, it replaces the record. */
  readonly merges: boolean;
}

/**
 * A platform that shares no code with this project: no schemas, no signature, and its own idea of what a Put and a Find
 * do. It ends with the test.
 */
export async function startKeepingPlatform({ merges }: KeepingPlatformOptions): Promise<KeepingPlatform> {
  const records = new Map<string, KeptRecord>();
  let seen: { line: string; body: Fields }[] = [];
  const platform = { show: ({ id, reference, body }: KeptRecord): Fields => ({ id, reference, ...body }) };
  const data = (method: string, path: string, body: Fields): Fields | null => {
    const known = records.get(path);
    if (method === 'GET') return known ? platform.show(known) : null;
    const record = known ?? { id: randomUUID(), reference: randomUUID(), body: {} };
    record.body = merges ? { ...record.body, ...body } : body;
    records.set(path, record);
    const { id, reference } = record;
    return { id, reference, created_at: '2026-01-31 08:00:00' };
  };
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const { method = '', url: path = '' } = request;
      seen.push({ line: `${method} ${path}`, body });
      const found = data(method, path, body);
      response.writeHead(found === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found === null ? { message: 'Not found' } : { data: found, meta: {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  );
  return Object.assign(platform, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    requests() {
      const found = seen;
      seen = [];
      return found;
    },
  });
}

async function readJson(request: IncomingMessage): Promise<Fields> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Fields);
}
