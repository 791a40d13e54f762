/**
 * Sends the bodies of a ledger as PUT, signed as the worker does it, with its agent, so many at a time; stores nothing.
 * In a process of its own. Sends `ready` when it has read the bodies, begins at any message, and then sends its
 * CPU time in seconds.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import got from 'got';
import { signatureProfile } from '../../src/core/contract/signature.js';
import { withClient } from '../../src/features/demo/sample/seed-sample.js';
import { createConnections } from '../../src/core/platform/agents.js';
import { signedHeaders, type Signer } from '../../src/core/platform/http-platform.js';

export interface RequestLoop {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly concurrency: number;
  /** `node`: node:http, to see what got itself costs. */
  readonly client: 'got' | 'node';
}

const { databaseUrl, baseUrl, concurrency, client } = JSON.parse(process.argv[2] ?? '') as RequestLoop;
process.once('disconnect', () => process.exit());
const records = await withClient(databaseUrl, async (database) => {
  const { rows } = await database.query<{ id: string; body: object }>(
    'select platform_id as id, desired_payload as body from placement_sync.sync_state order by key',
  );
  return rows;
});
const agent = createConnections({
  concurrency,
  timeoutMs: 30_000,
  proxy: null,
  certificates: [],
  clientCertificate: null,
}).agents(false);
const signer: Signer = {
  ...{ clientId: 'bench', clientSecret: 'bench', profile: signatureProfile('digest-lines') },
  userAgent: 'bench',
  headers: {},
};

const send = { got: sendByGot, node: sendByNode }[client];
let next = 0;
const sendOnAndOn = async (): Promise<void> => {
  for (let record = records[next++]; record !== undefined; record = records[next++]) {
    const url = new URL(`${baseUrl}/api/v1/employers/${record.id}/company`);
    const body = Buffer.from(JSON.stringify(record.body), 'utf8');
    const headers = signedHeaders(signer, {
      ...{ method: 'PUT', requestTarget: url.pathname, requestId: randomUUID(), now: Date.now() },
      body,
    });
    JSON.parse(await send(url, body, headers));
  }
};
process.send?.('ready');
await once(process, 'message');
const before = process.cpuUsage();
await Promise.all(Array.from({ length: concurrency }, sendOnAndOn));
const { user, system } = process.cpuUsage(before);
process.send?.((user + system) / 1e6, () => process.exit());

async function sendByGot(url: URL, body: Buffer, headers: Record<string, string>): Promise<string> {
  const reply = await got(url, {
    ...{ method: 'PUT', body, headers, agent, retry: { limit: 0 } },
    ...{ followRedirect: false, throwHttpErrors: false, http2: false },
  });
  return reply.body;
}

function sendByNode(url: URL, body: Buffer, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': body.length };
    const options = { method: 'PUT', headers: { ...headers, ...length }, agent: agent.http };
    const sent = httpRequest(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}
