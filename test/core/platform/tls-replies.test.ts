import { Agent as HttpAgent } from 'node:http';
import { createServer, Agent as HttpsAgent } from 'node:https';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainAlert } from '../../../src/core/platform/agents.js';
import { exchange } from '../../../src/core/platform/exchange.js';
import type { HttpPlatformOptions } from '../../../src/core/platform/http-platform.js';
import { egressProxy } from '../../../src/core/runtime/egress-proxy.js';
import { type Certificate, makeAuthority } from '../../postgres/make-certificates.js';
import { listen } from '../../loopback.js';
import { clientOf } from './raw-server.js';
import { startProxy } from './servers.js';

/** A server with an event loop of its own, so that it answers while this one is busy. */
const SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:https').createServer(workerData, (request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

it('a reply over TLS that is there before Node notes the end of the request is no early one', async () => {
  const authority = makeAuthority('platform');
  const { certificate: cert, key } = authority.issue();
  const server = new Worker(SERVER, { eval: true, workerData: { cert, key } });
  onTestFinished(() => void server.terminate());
  const [port] = (await once(server, 'message')) as [number];
  const agent = {
    http: new HttpAgent(),
    https: new HttpsAgent({ keepAlive: true, ca: authority.certificate }),
  };
  onTestFinished(() => agent.https.destroy());
  for (let i = 0; i < 50; i += 1) {
    const outcome = await new Promise((resolve) => {
      setTimeout(() => {
        const url = new URL(`https://127.0.0.1:${port}/`);
        resolve(
          exchange({ url, method: 'PUT', headers: {}, body: Buffer.alloc(70_000), timeoutMs: 10_000, agent }),
        );
        setTimeout(busy, 0, 5);
        setTimeout(busy, 1, 5);
      }, 1);
    });
    expect(outcome).toMatchObject({ status: 200 });
  }
});

describe('a client certificate', () => {
  const authority = makeAuthority('authority of a gateway');
  const { certificate: cert, key } = authority.issue();
  const REQUEST = {
    operation: 'findCompany',
    platformId: '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0',
    requestId: 'r',
    body: null,
  } as const;

  /** A gateway that lets nobody in without a certificate of its authority, and notes which it was shown. */
  async function gateway(maxVersion: SecureVersion = 'TLSv1.3') {
    const shown: string[] = [];
    const asks = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true, maxVersion };
    const server = createServer({ cert, key, ...asks }, (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerCertificate().serialNumber);
      response.end('{"data":{"id":"1"}}');
    });
    const { port } = await listen(server);
    return { port, shown };
  }

  const client = (port: number, options: Partial<HttpPlatformOptions> = {}) => {
    const platform = clientOf(port, {
      baseUrl: `https://127.0.0.1:${port}`,
      certificates: [authority.certificate],
      ...options,
    });
    onTestFinished(() => platform.close());
    return platform;
  };

  function files() {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    const paths = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), passphrase: null };
    const write = (part: 'cert' | 'key', pair: Certificate) =>
      writeFileSync(paths[part], part === 'key' ? pair.key : pair.certificate);
    return { paths, write };
  }

  it('that is missing is named, whatever the version of TLS, and nothing counts as sent', async () => {
    const modern = await gateway();
    expect(await client(modern.port).send(REQUEST)).toEqual({
      kind: 'unreachable',
      code: 'CLIENT_CERTIFICATE_REQUIRED',
      message: 'the server asks for a client certificate, and none is configured',
    });
    const older = await gateway('TLSv1.2');
    expect(await client(older.port).send(REQUEST)).toMatchObject({
      kind: 'unreachable',
      code: 'TLS_ALERT_40',
    });
    expect([...modern.shown, ...older.shown]).toEqual([]);
  });

  it('that is renewed is shown by the next request, once its key is there too', async () => {
    const { port, shown } = await gateway();
    const { paths, write } = files();
    const [first, second] = [authority.issue(), authority.issue()];
    write('cert', first);
    write('key', first);
    const platform = client(port, { clientCertificate: paths });
    const status = async () => {
      const reply = await platform.send(REQUEST);
      return reply.kind === 'answered' ? reply.status : reply.code;
    };
    expect(await status()).toBe(200);
    write('cert', second);
    expect(await status()).toBe(200);
    expect(new Set(shown).size).toBe(1);
    write('key', second);
    expect(await status()).toBe(200);
    expect(new Set(shown).size).toBe(2);
  });

  it('is shown to the platform through a proxy, and not to the proxy', async () => {
    const { port, shown } = await gateway();
    const { paths, write } = files();
    const pair = authority.issue();
    write('cert', pair);
    write('key', pair);
    const between = await startProxy({ certificate: authority.issue() });
    const proxy = egressProxy(new URL('https://any.test'), {
      setting: { name: 'platform.proxy', value: between.address },
      env: {},
    });
    if (proxy === null || !('address' in proxy)) throw new Error('no proxy');
    const platform = client(port, { clientCertificate: paths, proxy });
    expect(await platform.send(REQUEST)).toMatchObject({ kind: 'answered', status: 200 });
    expect(shown).toHaveLength(1);
    expect(between.asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
    expect(between.shown).toEqual([]);
  });

  it.each([
    [45, 'ours.crt', 'CLIENT_CERTIFICATE_REFUSED', /ours\.crt\): it has expired/],
    [48, 'ours.crt', 'CLIENT_CERTIFICATE_REFUSED', /does not know the authority/],
    [116, 'ours.crt', 'CLIENT_CERTIFICATE_REQUIRED', /does not take ours\.crt for one/],
    [70, 'ours.crt', 'TLS_ALERT_70', /SSL alert number 70/],
    [48, null, 'TLS_ALERT_48', /SSL alert number 48/],
  ])('that the server answers with alert %i has words', (number, shown, code, message) => {
    const said = `error:0A000415:SSL routines:ssl3_read_bytes:alert:rec_layer_s3.c:1601:SSL alert number ${number}`;
    const outcome = explainAlert({ kind: 'silent', code: 'EPROTO', message: said }, shown, null);
    expect(outcome).toMatchObject({ code });
    expect(outcome.message).toMatch(message);
    const kind = code.startsWith('TLS') ? 'silent' : 'unreachable';
    expect(outcome.kind).toBe(kind);
  });
});
