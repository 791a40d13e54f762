import { createServer as createHttpsServer } from 'node:https';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Answer } from '../../../src/core/domain/reply/reply.js';
import { operation, OPERATIONS } from '../../../src/core/entities/index.js';
import type { HttpPlatformOptions } from '../../../src/core/platform/http-platform.js';
import { readReply } from '../../../src/core/platform/read-reply.js';
import type { PlatformRequest } from '../../../src/core/ports/platform.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { clientOf } from './raw-server.js';
import { type Received, startLoopbackServer } from './servers.js';
import { listen } from '../../loopback.js';

describe('read reply', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  interface Given {
    readonly status?: number;
    readonly name?: string;
    readonly secrets?: readonly string[];
  }

  function read(body: unknown, given: Given = {}): Answer {
    const { status = 200, name = 'putCompany', secrets = [] } = given;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return readReply(
      { status, headers: {}, body: Buffer.from(text) },
      {
        operation: operation(name),
        platformId: ID,
        receivedAt: 0,
        secrets,
      },
    );
  }

  const headersOf = (headers: Record<string, string>, name: string) =>
    readReply(
      { status: 200, headers, body: Buffer.from('{"data":{"id":"i"}}') },
      { operation: operation(name), platformId: ID, receivedAt: 0, secrets: ['secret-of-cache'] },
    );

  test.each<[Record<string, string>, string | undefined]>([
    [{ age: '43', via: '1.1 varnish', 'x-varnish': '5 3' }, 'via: 1.1 varnish; x-varnish: 5 3; age: 43'],
    [{ age: '1', server: 'ATS/9.2' }, 'server: ATS/9.2; age: 1'],
    [{ 'x-cache': 'MISS, HIT' }, 'x-cache: MISS, HIT'],
    [{ 'x-cache': 'TCP_MEM_HIT from a1' }, 'x-cache: TCP_MEM_HIT from a1'],
    [{ 'cf-cache-status': 'HIT', server: 'cloudflare' }, 'server: cloudflare; cf-cache-status: HIT'],
    [{ 'cache-status': 'edge; hit; ttl=30' }, 'cache-status: edge; hit; ttl=30'],
    [{ age: '7', via: '1.1 secret-of-cache' }, 'via: 1.1 ***; age: 7'],
    [{ age: '0', via: '1.1 varnish', 'x-cache': 'MISS' }, undefined],
    [{ age: 'x', 'x-cache': 'MISS from whitehouse', 'x-cache-lookup': 'HIT from squid:3128' }, undefined],
    [{ 'x-cache-hits': '0', 'cf-cache-status': 'DYNAMIC', 'cache-status': 'edge; fwd=uri-miss' }, undefined],
    [{}, undefined],
  ])('a Find with the headers %j comes from the cache %j, and a Put from none', (headers, cache) => {
    expect(headersOf(headers, 'findCompany').cache).toBe(cache);
    expect(headersOf(headers, 'putCompany').cache).toBeUndefined();
  });

  test.each<[string, unknown, Given, unknown]>([
    ['a text', { data: { id: 'i', reference: 'r 1/2' } }, {}, { id: 'i', reference: 'r 1/2' }],
    ['a number', { data: { id: 12, reference: 0 } }, {}, { id: '12', reference: 0 }],
    ['none, where nobody needs it', { data: {} }, { name: 'putVacancy' }, { id: null, reference: null }],
    [
      'none, where a delete has no body',
      '',
      { name: 'deleteCompany', status: 204 },
      { id: null, reference: null },
    ],
    ['that of a 202', { data: { reference: 'r' } }, { status: 202 }, { id: null, reference: 'r' }],
  ])('the reference is %s', (_, body, given, result) => {
    expect(read(body, given)).toMatchObject({ result, malformed: null });
  });

  test.each<[string, unknown, Given, string, string]>([
    [
      'no reference',
      { data: { id: 'i' } },
      {},
      'data.reference is missing; data has id',
      'function reply of platform.adapter',
    ],
    [
      'a null reference',
      { data: { reference: null } },
      {},
      'data.reference is missing',
      'accepted: { reference }',
    ],
    ['a blank one', { data: { reference: ' ' } }, {}, 'data.reference is missing', 'accepted: { reference }'],
    [
      'one that the ledger cannot hold',
      { data: { reference: 'a\u0000b' } },
      {},
      'data.reference is missing',
      'accepted: { reference }',
    ],
    [
      'an object as reference',
      { data: { reference: { id: 1 } } },
      {},
      'data.reference is missing',
      'accepted: { reference }',
    ],
    ['a fraction', { data: { reference: 1.5 } }, {}, 'data.reference is missing', 'accepted: { reference }'],
    [
      'no data',
      { result: {} },
      {},
      'data is missing; the reply has result',
      'function reply of platform.adapter',
    ],
    ['no data', { result: {} }, {}, 'data is missing; the reply has result', 'accepted: { id, reference }'],
    ['data as a list', { data: [{}] }, {}, 'data is no object', 'accepted: { id, reference }'],
    [
      'a failure in a success',
      { success: false, data: {}, message: 'Bad name.' },
      { name: 'putVacancy' },
      'the reply says that it failed: Bad name.',
      'if (reply.status === 200) return { rejected: { message } }',
    ],
    [
      'errors in a success',
      { data: { reference: 'r' }, errors: [{ message: 'Bad name.' }] },
      {},
      'the reply says that it failed: Bad name.',
      'rejected: { message }',
    ],
    [
      'a failed delete',
      { status: 'error', message: 'Not yours.' },
      { name: 'deleteVacancy' },
      'the reply says that it failed: Not yours.',
      'rejected: { message }',
    ],
    ['a list', [], {}, 'data is missing', 'function reply of platform.adapter'],
    ['no JSON', 'OK', {}, 'the body is not JSON', 'function reply of platform.adapter'],
    ['no body', '', {}, 'the body is empty', 'accepted: { reference }'],
    ['a web page', '<html>busy</html>', {}, 'the body is a web page', 'baseUrl'],
    ['204', '', { status: 204, name: 'putVacancy' }, 'the body is empty', 'reply.status === 204'],
    ['204 to a Find', '', { status: 204, name: 'findCompany' }, 'the body is empty', 'reply.status === 204'],
  ])('%s is named with the lines that read it', (_, body, given, missing, setting) => {
    const { result, malformed, hint } = read(body, given);
    expect(result).toBeNull();
    expect(malformed).toContain(missing);
    expect(hint).toContain(setting);
  });

  test('a Find is read whatever its data has, with the links where the contract has them', () => {
    const find = (data: object) => read({ data }, { name: 'findCompany', status: 201 }).result;
    expect(find({ anything: true })).toEqual({ id: null, reference: null, data: { anything: true } });
    expect(find({ id: 'x', employer: { id: 7, reference: 8 } })).toMatchObject({ id: '7', reference: 8 });
  });

  test('a number that would lose digits stays as it is, and texts keep theirs', () => {
    const { result, json } = read(
      '{"data":{"reference":12345678901234567890,"id":"99999999999999999999","n":[0.12345678901234567]}}',
    );
    expect(result).toEqual({ id: '99999999999999999999', reference: '12345678901234567890' });
    expect((json as { data: { n: unknown[] } }).data.n[0]).toBeTypeOf('number');
  });

  test('a server that repeats a secret does not bring it into words, names or text, also with escaped slashes', () => {
    const secret = 'HMACSHA256=ab/cd+ef==';
    const body = `{"message":"got ${secret.replaceAll('/', '\\/')}","${secret}":1}`;
    const answer = read(body, { status: 401, secrets: [secret, 'short'] });
    expect(JSON.stringify(answer)).not.toMatch(/ab\\*\/cd/);
    expect(answer.json).toEqual({ message: 'got ***', '***': 1 });
  });

  test('a secret that only an escape hides is found too', () => {
    const answer = read('{"message":"a\\u002dlong-secret"}', { status: 401, secrets: ['a-long-secret'] });
    expect(answer.json).toEqual({ message: '***' });
  });

  test('a body that is nested without end is read', () => {
    const deep = `${'{"data":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    expect(read(deep, { name: 'putVacancy', secrets: ['a-long-secret'] }).kind).toBe('answered');
  });

  test.each<[string, unknown, Given]>([
    ['null', { data: null, meta: {} }, {}],
    ['an empty object', { data: {} }, {}],
    ['an empty list', { data: [] }, {}],
  ])('a Find that is answered with %s says that there is no record; a Put does not', (_, body, given) => {
    expect(read(body, { name: 'findCompany', ...given })).toMatchObject({ nothing: true, malformed: null });
    expect(read(body, given)).not.toHaveProperty('nothing');
    expect(read(body, given).malformed).toMatch(/missing|no object/);
  });

  test.each<[string, BufferEncoding, string]>([
    ['application/json; charset=ISO-8859-1', 'latin1', ''],
    ['application/json; charset="utf-16le"', 'utf16le', ''],
    ['application/json', 'utf16le', '\ufeff'],
    ['application/json; charset=no-such', 'utf8', '\ufeff'],
  ])('a body of %s is read as %s', (type, encoding, mark) => {
    const text = `${mark}{"data":{"reference":"Müller"}}`;
    const reply = readReply(
      { status: 200, headers: { 'content-type': type }, body: Buffer.from(text, encoding) },
      { operation: operation('putCompany'), platformId: ID, receivedAt: 0 },
    );
    expect(reply.result).toMatchObject({ reference: 'Müller' });
  });

  test.each<[string, string]>([
    ['a number that is none', '{"data":{"id":"i","reference":"r","quota":1e400}}'],
    ['a list of such numbers', '{"data":{"id":"i","reference":"r"},"meta":[0,[-1e999]]}'],
    [
      'objects within objects without end',
      `{"data":{"id":"i","reference":"r"},"meta":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    ],
    ['lists within lists', `{"data":{"reference":"r","skills":${'['.repeat(60)}${']'.repeat(60)}}}`],
  ])('a reply with %s is not understood, whoever asked', (_, body) => {
    for (const name of ['putCompany', 'findCompany', 'putVacancy']) {
      const answer = read(body, { name });
      expect(answer).toMatchObject({ result: null });
      expect(answer.malformed).toContain('nested too deep, or has a number that is too large');
    }
    expect(read(body, { status: 422 }).json).toBeUndefined();
  });

  test('a reply is understood as deep as any record goes, and a long text of it has all its digits', () => {
    const text = `${'x'.repeat(3_000_000)} 12345678901234567890 \\"7`;
    const deep = `{"data":{"id":1,"reference":12345678901234567890,"text":"${text}","a":${'['.repeat(40)}0${']'.repeat(40)}}}`;
    const { result, json } = read(deep);
    expect(result).toMatchObject({ reference: '12345678901234567890' });
    expect((json as { data: { text: string } }).data.text).toBe(JSON.parse(`"${text}"`));
  });
});

describe('dialect', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
  const PUT: PlatformRequest = {
    operation: 'putCompany',
    platformId: ID,
    requestId: 'r',
    body: { name: 'x' },
  };
  const FIND: PlatformRequest = { operation: 'findCompany', platformId: ID, requestId: 'r', body: null };
  const DELETE: PlatformRequest = { ...FIND, operation: 'deleteCompany' };
  const REPLY = JSON.stringify({ data: { id: ID, reference: ID }, meta: {} });

  /** What a server gets of one request. */
  async function received(
    request: PlatformRequest,
    options: Partial<HttpPlatformOptions> = {},
  ): Promise<Received> {
    const server = await startLoopbackServer((response) => response.end(REPLY));
    const platform = clientOf(server.port, {
      ...options,
      baseUrl: `http://127.0.0.1:${server.port}${options.baseUrl ?? ''}`,
    });
    onTestFinished(() => platform.close());
    expect(await platform.send(request)).toMatchObject({ kind: 'answered', status: 200 });
    const [first, ...more] = server.received;
    if (first === undefined || more.length > 0) throw new Error('not one request');
    return first;
  }

  const values = ({ rawHeaders }: Received, name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

  it.each([
    ['POST', PUT],
    ['PATCH', PUT],
    ['DELETE', PUT],
    ['POST', FIND],
    ['PUT', FIND],
    ['POST', DELETE],
    ['PATCH', DELETE],
    ['GET', DELETE],
  ] as const)('%s may stand for another method, with and without a body', async (method, request) => {
    const changed = { ...operation(request.operation), method, path: '/v2/{id}/thing' };
    const got = await received(request, { operations: { ...OPERATIONS, [request.operation]: changed } });
    const body = request.body === null ? '' : JSON.stringify(request.body);
    expect(got).toMatchObject({ method, url: `/v2/${ID}/thing`, body });
    expect(got.headers['content-type']).toBe(request.body === null ? undefined : 'application/json');
    expect(got.headers['transfer-encoding']).toBeUndefined();
  });

  it('fixed headers are sent, and replace Accept and User-Agent in any case, once', async () => {
    const headers = {
      'X-Api-Key': 'key',
      accept: 'application/vnd.platform+json',
      'USER-AGENT': 'partner/2',
    };
    const got = await received(PUT, { headers });
    expect(values(got, 'x-api-key')).toEqual(['key']);
    expect(values(got, 'accept')).toEqual(['application/vnd.platform+json']);
    expect(values(got, 'user-agent')).toEqual(['partner/2']);
    expect(values(got, 'signature')).toHaveLength(1);
  });

  it('without fixed headers Accept and User-Agent are ours', async () => {
    const got = await received(FIND);
    expect(values(got, 'accept')).toEqual(['application/json']);
    expect(values(got, 'user-agent')).toEqual(['placement-sync/1.2.3']);
  });

  it('a certificate of one’s own authority is trusted only with it, and then others still are not', async () => {
    const authority = makeAuthority('of the gateway');
    const { certificate, key } = authority.issue();
    const server = createHttpsServer({ cert: certificate, key }, (request, response) => {
      request.resume().on('end', () => response.end(REPLY));
    });
    const { port } = await listen(server);
    const baseUrl = `https://127.0.0.1:${port}`;
    const send = async (...certificates: string[]) => {
      const platform = clientOf(0, { baseUrl, certificates });
      onTestFinished(() => platform.close());
      return await platform.send(PUT);
    };
    expect(await send()).toMatchObject({ kind: 'unreachable' });
    expect(await send(makeAuthority('another').certificate)).toMatchObject({ kind: 'unreachable' });
    expect(await send(makeAuthority('another').certificate, authority.certificate)).toMatchObject({
      status: 200,
    });
  });
});
