import { createHash, createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { SECRET } from '../cli/cli-world.js';
import type { Received } from '../core/platform/servers.js';
import {
  type Difference,
  type DifferingWorld,
  differingWorld,
  jsonAnswer,
  WHOLE,
} from './differing-platform.js';

/**
 * Each way in which a platform was once described by settings, met by an adapter. What adapters.process.test.ts plays with
 * the examples is not here again.
 */

const MOST_LINES = 25;

/** What is signed, as the platform reads it. */
interface Signed {
  readonly method: string;
  readonly path: string;
  readonly clientId: string;
  readonly requestId: string;
  readonly time: string;
  /** Of the body's bytes, base64; undefined: none. */
  readonly digest: string | undefined;
}

interface Signing {
  readonly names?: readonly [clientId: string, requestId: string, time: string, signature: string];
  readonly time?: RegExp;
  readonly key?: Buffer;
  readonly signature?: (signed: Signed, key: Buffer) => string;
  /** Which part of the path is not signed. */
  readonly unsigned?: string;
  /** The bytes that are digested. */
  readonly digested?: (request: Received) => Buffer;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

function linesOf({ path, clientId, requestId, time, digest }: Signed): string {
  const lines = [`Client-Id:${clientId}`, `Request-Id:${requestId}`, `Request-Timestamp:${time}`];
  return [...lines, `Request-Target:${path}`, ...(digest === undefined ? [] : [`Digest:${digest}`])].join(
    '\n',
  );
}

/** Refuses what is not signed so. */
function signedSo({
  names = ['client-id', 'request-id', 'request-timestamp', 'signature'],
  time: form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  key = Buffer.from(SECRET),
  signature = (signed, key) =>
    `HMACSHA256=${createHmac('sha256', key).update(linesOf(signed)).digest('base64')}`,
  unsigned = '',
  digested = ({ bytes }) => bytes,
}: Signing): NonNullable<Difference['takes']> {
  return (request) => {
    const [clientId = '', requestId = '', time = '', given] = names.map((name) =>
      String(request.headers[name]),
    );
    const bytes = digested(request);
    const digest = bytes.length === 0 ? undefined : sha256(bytes);
    const path = request.url.replace(unsigned, '');
    const expected = signature({ method: request.method, path, clientId, requestId, time, digest }, key);
    return given === expected && form.test(time) ? undefined : jsonAnswer(401, { message: 'signature' });
  };
}

/** The signature of the interface with another time, or another key. */
const resigned = (time: string, key = 'secret'): string => `export default {
  request(request, { clientId, requestId, secret, now, hmac, digest }) {
    const time = ${time};
    const lines = ['Client-Id:' + clientId, 'Request-Id:' + requestId];
    lines.push('Request-Timestamp:' + time, 'Request-Target:' + request.path);
    if (request.body) lines.push('Digest:' + Buffer.from(digest('sha256', request.body)).toString('base64'));
    const signature = Buffer.from(hmac('sha256', ${key}, lines.join('\\n'))).toString('base64');
    const own = { 'Request-Timestamp': time, Signature: 'HMACSHA256=' + signature };
    return { ...request, headers: { ...request.headers, ...own } };
  },
};`;

const unzipped = ({ bytes, headers }: Received): Buffer =>
  headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
const readsGzip: NonNullable<Difference['reads']> = (request) => ({
  body: unzipped(request).toString('utf8'),
});
const onlyGzip =
  (signing: Signing): NonNullable<Difference['takes']> =>
  (request) =>
    request.bytes.length > 0 && request.headers['content-encoding'] !== 'gzip'
      ? jsonAnswer(415, { message: 'gzip' })
      : signedSo(signing)(request);

const dataOf = (body: string): Record<string, unknown> =>
  (JSON.parse(body) as { data?: Record<string, unknown> }).data ?? {};

interface Case {
  readonly difference: string;
  readonly adapter: string;
  /** A new one for each test. */
  readonly platform: () => Difference;
  readonly prepare?: (world: DifferingWorld) => void;
}

/** A gateway that gives a token for credentials in a header or in the body. */
function withToken(place: string, own: string, form: string, knows: (request: Received) => boolean): Case {
  return {
    difference: `a token of OAuth 2 for credentials in a ${place}`,
    adapter: `export default {
  async request(request, { fetch, cache }) {
    if (!cache.has('token')) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...${own} };
      const body = new URLSearchParams(${form}).toString();
      const reply = await fetch(process.env.TOKEN_URL, { method: 'POST', headers, body });
      cache.set('token', (await reply.json()).access_token);
    }
    return { ...request, headers: { ...request.headers, Authorization: 'Bearer ' + cache.get('token') } };
  },
};`,
    platform: () => ({
      serves(request) {
        if (request.url !== '/token') return undefined;
        return knows(request)
          ? jsonAnswer(200, { access_token: 'token of the gateway' })
          : jsonAnswer(401, {});
      },
      takes: ({ headers }) =>
        headers.authorization === 'Bearer token of the gateway' ? undefined : jsonAnswer(401, {}),
    }),
    // The adapter runs in this process.
    prepare: ({ env }) => void vi.stubEnv('TOKEN_URL', `${env.BASE_URL ?? ''}/token`),
  };
}

const CASES: readonly Case[] = [
  {
    difference: 'other paths of data, id and reference in its replies',
    adapter: `export default {
  reply({ status, json }, { operation }) {
    const record = json?.payload?.record;
    if (status !== 200 || !record) return undefined;
    return operation.startsWith('find') ? { found: record } : { accepted: { id: record.uuid, reference: record.no } };
  },
};`,
    platform: () => ({
      gives(answer, { method }) {
        if (answer.status !== 200) return;
        const data = dataOf(answer.body);
        const record = method === 'GET' ? data : { uuid: data.id, no: data.reference };
        answer.body = JSON.stringify({ payload: { record } });
      },
    }),
  },
  {
    difference: '202 without a body for a record that it takes',
    adapter: `export default {
  reply: ({ status, text }) => (status === 202 && text === '' ? { accepted: {} } : undefined),
};`,
    platform: () => ({
      gives(answer, { method, body }) {
        if (method !== 'PUT' || answer.status !== 200 || !body.includes('"title"')) return;
        Object.assign(answer, { status: 202, headers: {}, body: '' });
      },
    }),
  },
  {
    difference: 'words of its own for errors that pass',
    adapter: `export default {
  reply({ status, json }) {
    if (status === 400 && json?.error?.code === 'TRY_LATER') return { retry: { message: 'busy', afterMs: 10 } };
    if (status === 400 && json?.error?.code === 'NO_SUCH_RECORD') return { missing: true };
  },
};`,
    platform: () => {
      let busy = 2;
      return {
        takes: () => (busy-- > 0 ? jsonAnswer(400, { error: { code: 'TRY_LATER' } }) : undefined),
        gives(answer) {
          if (answer.status === 404)
            Object.assign(answer, jsonAnswer(400, { error: { code: 'NO_SUCH_RECORD' } }));
        },
      };
    },
  },
  {
    difference: 'Unix milliseconds as time',
    adapter: resigned('String(now.getTime())'),
    platform: () => ({ takes: signedSo({ time: /^\d{13}$/ }) }),
  },
  {
    difference: 'a secret that is written in base64',
    adapter: resigned("request.headers['Request-Timestamp']", "Buffer.from(secret, 'base64')"),
    platform: () => ({ takes: signedSo({}) }),
    prepare: (world) => {
      world.env.CLIENT_SECRET = Buffer.from(SECRET).toString('base64');
    },
  },
  {
    difference: 'the digest of a body in headers of its own',
    adapter: `export default {
  request(request, { digest }) {
    if (request.body === null) return undefined;
    const hash = Buffer.from(digest('sha256', request.body)).toString('base64');
    return { ...request, headers: { ...request.headers, Digest: 'SHA-256=' + hash, 'Content-Digest': \`sha-256=:\${hash}:\` } };
  },
};`,
    platform: () => ({
      takes: ({ headers, bytes }) =>
        bytes.length === 0 ||
        (headers.digest === `SHA-256=${sha256(bytes)}` &&
          headers['content-digest'] === `sha-256=:${sha256(bytes)}:`)
          ? undefined
          : jsonAnswer(401, { message: 'digest' }),
    }),
  },
  {
    difference: 'bodies in gzip, signed as they are sent',
    adapter: `import { gzipSync } from 'node:zlib';
export default {
  request(request, { sign }) {
    if (request.body === null) return undefined;
    const packed = { ...request, body: gzipSync(request.body) };
    return { ...packed, headers: { ...request.headers, ...sign(packed), 'Content-Encoding': 'gzip' } };
  },
};`,
    platform: () => ({ reads: readsGzip, takes: onlyGzip({}) }),
  },
  {
    difference: 'bodies in gzip, signed as they were before',
    adapter: `import { gzipSync } from 'node:zlib';
export default {
  request(request) {
    if (request.body === null) return undefined;
    return { ...request, body: gzipSync(request.body), headers: { ...request.headers, 'Content-Encoding': 'gzip' } };
  },
};`,
    platform: () => ({ reads: readsGzip, takes: onlyGzip({ digested: unzipped }) }),
  },
  {
    difference: 'a path of its address that is not signed',
    adapter: `export default {
  request(request, { sign }) {
    const signature = sign({ ...request, path: request.path.replace(/^\\/gateway/, '') });
    return { ...request, headers: { ...request.headers, ...signature } };
  },
};`,
    platform: () => ({
      reads: ({ url }) => ({ url: url.replace('/gateway', '') }),
      takes: signedSo({ unsigned: '/gateway' }),
    }),
    prepare: (world) => {
      world.env.BASE_URL += '/gateway';
    },
  },
  withToken(
    'body',
    '{}',
    `{ grant_type: 'client_credentials', client_id: 'me', client_secret: 'word' }`,
    ({ body }) => body.includes('client_id=me&client_secret=word'),
  ),
  {
    difference: 'a condition for each change, the ETag that a record had last',
    adapter: `let etags;
export default {
  request(request, { cache }) {
    etags = cache;
    const id = request.path.split('/').find((part) => etags.has(part));
    if (request.method !== 'PUT' || id === undefined) return undefined;
    return { ...request, headers: { ...request.headers, 'If-Match': etags.get(id) } };
  },
  reply({ status, headers }, { platformId }) {
    if (headers.etag) etags.set(platformId, headers.etag);
    if (status === 412 && headers.etag) return { retry: { message: 'The ETag is learned', afterMs: 10 } };
  },
};`,
    platform: () => {
      const tags = new Map<string, string>();
      return {
        takes({ method, url, headers }) {
          const tag = tags.get(url);
          return method !== 'PUT' || tag === undefined || headers['if-match'] === tag
            ? undefined
            : { ...jsonAnswer(412, { message: 'it has changed' }), headers: { ETag: tag } };
        },
        gives(answer, { method, url }) {
          if (method === 'PUT' && answer.status === 200) tags.set(url, `"${tags.size}-${Date.now()}"`);
          const tag = tags.get(url);
          if (tag !== undefined) answer.headers.ETag = tag;
        },
      };
    },
  },
];

test.each(CASES)(
  'a platform with $difference: one adapter is enough',
  { timeout: 120_000 },
  async ({ adapter, platform, prepare }) => {
    expect(adapter.split('\n').length).toBeLessThanOrEqual(MOST_LINES);
    const world = await differingWorld(platform(), adapter);
    prepare?.(world);
    const { code, entities, stderr } = await world.run();
    expect([code, entities], stderr).toMatchObject([
      0,
      { companies: { accepted: 3 }, vacancies: { accepted: 2 } },
    ]);
    expect(world.held()).toEqual(WHOLE);
    await world.sql(`update company set name = 'Company 3, renamed' where id = 'c003'`);
    expect((await world.run()).code).toBe(0);
    expect(world.held()).toContain('Company 3, renamed');
    expect(world.puts(), 'all once, and the one that changed').toBe(WHOLE.length + 1);
  },
);
