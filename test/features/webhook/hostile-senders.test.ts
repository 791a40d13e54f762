import { onTestFinished, describe, expect, test } from 'vitest';
import type { Inbox } from '../../../src/features/webhook/state/inbox.js';
import { dial, dialAll } from '../http/raw-client.js';
import { fixture } from './state/open-test-inbox.js';
import { deliver, listenWith, openTestWebhook, PATH, signedHeaders } from './open-test-webhook.js';

const accepting: Pick<Inbox, 'store'> = { store: () => Promise.resolve('stored') };

/** One request with a connection of its own; what came back. */
async function exchange(port: number, lines: readonly string[], body = ''): Promise<string> {
  const { socket, received, ended } = await dial(port);
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`, 'latin1');
  await ended;
  return received();
}

const lines = (body: string, headers: Readonly<Record<string, string>>): string[] => [
  `POST ${PATH} HTTP/1.1`,
  'Host: partner.example',
  `Content-Length: ${Buffer.byteLength(body)}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
];

describe('hostile headers', () => {
  const body = JSON.stringify(fixture('flat'));

  test('a second value of a signed header makes the signature wrong', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const headers = signedHeaders(body);
    for (const name of ['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature']) {
      const reply = await exchange(webhook.port, [...lines(body, headers), `${name}: other`], body);
      expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    }
    expect(await exchange(webhook.port, lines(body, headers), body)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a length that is no length, two lengths, and a length beside chunks are refused', async () => {
    const { webhook, events } = await listenWith({ inbox: accepting });
    const [start = '', host = '', , ...rest] = lines(body, signedHeaders(body));
    for (const bad of [
      ['Content-Length: -1'],
      ['Content-Length: 1e9'],
      ['Content-Length: 5', 'Content-Length: 6'],
      [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'],
    ]) {
      expect(await exchange(webhook.port, [start, host, ...bad, ...rest], body)).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(events).toEqual([]);
  });

  test('headers of more than 16 KiB, bare line feeds and a broken first line are refused', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const huge = lines(body, { ...signedHeaders(body), 'X-Pad': 'x'.repeat(20_000) });
    expect(await exchange(webhook.port, huge, body)).toMatch(/^HTTP\/1\.1 431 /);
    const smuggled = lines(body, { ...signedHeaders(body), 'Request-Id': 'a\nSignature: b' });
    expect(await exchange(webhook.port, smuggled, body)).toMatch(/^HTTP\/1\.1 40[01] /);
    expect(await exchange(webhook.port, ['HELLO'])).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a path written in another way is another path', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const [, ...rest] = lines(body, signedHeaders(body));
    for (const target of [`/x/..${PATH}`, `/${PATH}`, `http://a.example/x/..${PATH}`, `${PATH}#x`]) {
      expect(await exchange(webhook.port, [`POST ${target} HTTP/1.1`, ...rest], body)).toMatch(
        /^HTTP\/1\.1 40[04] /,
      );
    }
  });

  test('a target that names the host as well is the same path, and the path alone is signed', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const [, ...rest] = lines(body, signedHeaders(body));
    for (const target of [`http://partner.example${PATH}`, `HTTPS://other.example:8443${PATH}?from=proxy`]) {
      const reply = await exchange(webhook.port, [`POST ${target} HTTP/1.1`, ...rest], body);
      expect([target, reply.split('\r\n', 1)[0]]).toEqual([target, 'HTTP/1.1 200 OK']);
    }
  });

  test('a Request-Id with quotes, letters beyond ASCII and great length is stored as it is', async () => {
    const { webhook, rows } = await openTestWebhook();
    const requestId = `'; drop table job_application; -- ${'x'.repeat(8_000)}`;
    expect((await deliver(webhook.url, fixture('flat'), { requestId })).status).toBe(200);
    expect((await deliver(webhook.url, fixture('cancelled'), { requestId })).status).toBe(200);
    expect(await rows()).toMatchObject([{ request_id: requestId }, { request_id: requestId }]);
  });

  test('fields called like what every object has do no harm', async () => {
    const { webhook, rows } = await openTestWebhook();
    const strange = '{"__proto__": {"job": 1}, "constructor": 2, "toString": null, "id": {"length": 3}}';
    expect((await deliver(webhook.url, strange)).status).toBe(200);
    expect((await deliver(webhook.url, `${'['.repeat(200_000)}${']'.repeat(200_000)}`)).status).toBe(200);
    expect(await rows()).toHaveLength(2);
  });
});

describe('hostile bodies', () => {
  test('a body of another type, announced in any way, is what its bytes and their signature say', async () => {
    const { webhook, rows } = await openTestWebhook();
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
      'a'.repeat(500),
    ]) {
      const headers = { 'Content-Type': type };
      expect([type, (await deliver(webhook.url, fixture('flat'), { headers })).status]).toEqual([type, 200]);
      expect([type, (await deliver(webhook.url, 'a=1', { headers })).status]).toEqual([type, 400]);
    }
    expect(await rows()).toHaveLength(1);
  });

  test('a known layout in whose fields something is nested a hundred thousand times is stored', async () => {
    const { webhook, rows } = await openTestWebhook();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const layout of ['flat', 'applied-at'] as const) {
      const whole = JSON.stringify(fixture(layout));
      for (const [field, value] of [
        ['skills', deep],
        ['experiences', objects],
        ['unknown', deep],
      ] as const) {
        const body = `${whole.slice(0, -1)},"${field}":${value}}`;
        expect([layout, field, (await deliver(webhook.url, body)).status]).toEqual([layout, field, 200]);
      }
    }
    expect((await rows()).length).toBeGreaterThan(0);
  });

  test('a body that ends before its length, or is shorter than signed, is stored by nobody', async () => {
    const { webhook, events } = await listenWith({ inbox: accepting });
    const body = JSON.stringify(fixture('flat'));
    const { socket, ended } = await dial(webhook.port);
    socket.write(`${lines(body, signedHeaders(body)).join('\r\n')}\r\n\r\n${body.slice(0, 50)}`);
    socket.end();
    await ended;
    const half = await exchange(
      webhook.port,
      lines(body.slice(0, -2), signedHeaders(body)),
      body.slice(0, -2),
    );
    expect(half).toMatch(/^HTTP\/1\.1 401 /);
    expect(events.map(({ outcome }) => outcome)).toEqual(['refused-signature']);
  });

  test('a replay of everything is stored once, and under another time, id or path it is refused', async () => {
    const { webhook, rows } = await openTestWebhook();
    const body = JSON.stringify(fixture('flat'));
    const headers = signedHeaders(body);
    const replay = (changes: Record<string, string>) =>
      exchange(webhook.port, lines(body, { ...headers, ...changes }), body);
    for (let time = 0; time < 3; time += 1) expect(await replay({})).toMatch(/ 200 /);
    const changes: Record<string, string>[] = [
      { 'Request-Id': 'another' },
      { 'Request-Timestamp': '2030-01-01T00:00:00Z' },
      { 'Client-Id': 'another' },
      { Signature: `${headers.Signature ?? ''} ` + 'x' },
      { Signature: (headers.Signature ?? '').slice(0, -1) },
      { Signature: (headers.Signature ?? '').replace('HMACSHA256=', '') },
    ];
    for (const change of changes) expect(await replay(change)).toMatch(/ 401 /);
    expect(await rows()).toHaveLength(1);
  });
});

describe('slow senders', () => {
  test('are cut off, in headers and in bodies, while others are served', async () => {
    const { webhook, events } = await listenWith({ inbox: accepting, headersTimeoutMs: 400 });
    const [inHeaders, inBody] = [await dial(webhook.port), await dial(webhook.port)];
    inHeaders.socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\n`);
    inBody.socket.write(`${lines('x'.repeat(1000), signedHeaders('x')).join('\r\n')}\r\n\r\n{`);
    const drip = setInterval(() => {
      inHeaders.socket.write('X: y\r\n');
      inBody.socket.write(' ');
    }, 100);
    onTestFinished(() => clearInterval(drip));
    expect((await deliver(webhook.url, fixture('flat'))).status).toBe(200);
    await Promise.all([inHeaders.ended, inBody.ended]);
    expect([inHeaders.received(), inBody.received()].map((text) => text.slice(0, 12))).toEqual([
      'HTTP/1.1 408',
      'HTTP/1.1 408',
    ]);
    // Half a body is nobody's webhook.
    expect(events.map(({ outcome }) => outcome)).toEqual(['stored']);
  });

  test('have 200 connections together: the next one takes the place of who has waited longest', async () => {
    const { webhook } = await listenWith({ inbox: accepting });
    const first = await dial(webhook.port);
    const others = await dialAll(webhook.port, 199);
    // The last of them was accepted before this answer.
    others.at(-1)?.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => others.at(-1)?.received()).toContain('404');
    expect(first.socket.destroyed).toBe(false);
    await dial(webhook.port);
    await first.ended;
    expect(others.filter(({ socket }) => socket.destroyed)).toEqual([]);
  });
});

describe('what bodies may hold together', () => {
  const large = (mib: number): string => 'x'.repeat(mib * 1024 * 1024);

  test('a body is not waited for when its head cannot be authentic, or its length is too much', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting });
    const headers = signedHeaders('x');
    const old = { ...headers, 'Request-Timestamp': '2020-01-01T00:00:00Z' };
    const { Signature: _left, ...unsigned } = headers;
    for (const [head, length, status] of [
      [unsigned, 1000, 401],
      [old, 1000, 401],
      [unsigned, 2_000_000, 413],
    ] as const) {
      const client = await dial(webhook.port);
      const [start = '', host = '', , ...rest] = lines('', head);
      client.socket.write(`${[start, host, `Content-Length: ${length}`, ...rest].join('\r\n')}\r\n\r\n`);
      await expect.poll(() => client.received()).toContain(`HTTP/1.1 ${status} `);
      expect(client.received()).toContain('Connection: close');
    }
    expect(outcomes()).toEqual(['refused-signature', 'refused-time', 'refused-size']);
  });

  test('beside large bodies without an end a usual webhook is stored, and the largest is answered 503', async () => {
    const { webhook, outcomes } = await listenWith({ inbox: accepting, budgetBytes: 100_000 });
    const body = 'x'.repeat(200_000);
    const client = await dial(webhook.port);
    client.socket.write(`${lines(body, signedHeaders(body)).join('\r\n')}\r\n\r\n${body.slice(0, 90_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await deliver(webhook.url, fixture('flat'))).status).toBe(200);
    await expect.poll(() => client.received()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d/);
    expect(outcomes().sort()).toEqual(['refused-load', 'stored']);
  });

  test('what the inbox works on counts until it is done with it, also when the sender was answered', async () => {
    let release: (stored: 'stored') => void = () => {};
    const slow = { store: () => new Promise<'stored'>((resolve) => (release = resolve)) };
    const budgetBytes = 14 * 1024 * 1024;
    const { webhook } = await listenWith({ inbox: slow, budgetBytes, storeTimeoutMs: 50 });
    const status = async () => (await deliver(webhook.url, JSON.stringify({ a: large(0.99) }))).status;
    expect(await status(), 'not stored in time').toBe(503);
    const before = release;
    const refused = await deliver(webhook.url, JSON.stringify({ a: large(0.99) }));
    expect(refused.text).toContain('Too many requests at once');
    expect(release, 'the inbox was not asked').toBe(before);
    release('stored');
    await expect.poll(async () => (await deliver(webhook.url, large(0.99))).status).toBe(400);
  });
});
