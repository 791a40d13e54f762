import { createHash, createHmac } from 'node:crypto';
import { createServer as createHttpsServer } from 'node:https';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { type Answer, DEFAULT_REPLY_SETTINGS, type ReplySettings } from '../../src/domain/reply/reply.js';
import { operation, OPERATIONS } from '../../src/entities/index.js';
import type { HttpPlatformOptions } from '../../src/platform/http-platform.js';
import { readReply } from '../../src/platform/read-reply.js';
import type { PlatformRequest } from '../../src/ports/platform.js';
import { fakeClock } from '../fake-time.js';
import { makeAuthority } from '../postgres/make-certificates.js';
import { clientOf } from './raw-server.js';
import { type Received, startLoopbackServer } from './servers.js';
import { listen } from '../loopback.js';

describe('read reply', () => {
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  interface Given {
    readonly status?: number;
    readonly name?: string;
    readonly settings?: Partial<ReplySettings>;
    /** `platform.operations.<name>.accepted`. */
    readonly accepted?: readonly number[];
    readonly secrets?: readonly string[];
  }

  function read(body: unknown, given: Given = {}): Answer {
    const { status = 200, name = 'putCompany', settings = {}, accepted, secrets = [] } = given;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return readReply(
      { status, headers: {}, body: Buffer.from(text) },
      {
        operation: { ...operation(name), accepted },
        platformId: ID,
        receivedAt: 0,
        settings: { ...DEFAULT_REPLY_SETTINGS, ...settings },
        secrets,
      },
    ) as Answer;
  }

  const headersOf = (headers: Record<string, string>, name: string) =>
    readReply(
      { status: 200, headers, body: Buffer.from('{"data":{"id":"i"}}') },
      { operation: operation(name), platformId: ID, receivedAt: 0, secrets: ['secret-of-cache'] },
    ) as Answer;

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
    ['a path', { data: { a: { b: 'r' } } }, { settings: { reference: 'a.b' } }, { id: null, reference: 'r' }],
    ['the id', { data: { id: 'i' } }, { settings: { reference: 'id' } }, { id: 'i', reference: 'i' }],
    [
      'the id of the path',
      { data: {} },
      { settings: { reference: 'platform-id' } },
      { id: null, reference: ID },
    ],
    ['none, where nobody needs it', { data: {} }, { name: 'putVacancy' }, { id: null, reference: null }],
    [
      'an empty body that is named',
      '',
      { name: 'putVacancy', accepted: [204], status: 204 },
      { id: null, reference: null },
    ],
  ])('the reference is %s', (_, body, given, result) => {
    expect(read(body, given)).toMatchObject({ result, malformed: null });
  });

  test.each<[string, unknown, Given, string, string]>([
    [
      'no reference',
      { data: { id: 'i' } },
      {},
      'data.reference is missing; data has id',
      'platform.replies.reference',
    ],
    ['a null reference', { data: { reference: null } }, {}, 'data.reference is missing', 'platform-id'],
    ['a blank one', { data: { reference: ' ' } }, {}, 'data.reference is missing', 'platform-id'],
    [
      'one that the ledger cannot hold',
      { data: { reference: 'a\u0000b' } },
      {},
      'data.reference is missing',
      'platform-id',
    ],
    [
      'an object as reference',
      { data: { reference: { id: 1 } } },
      {},
      'data.reference is missing',
      'platform-id',
    ],
    ['a fraction', { data: { reference: 1.5 } }, {}, 'data.reference is missing', 'platform-id'],
    ['no data', { result: {} }, {}, 'data is missing; the reply has result', 'platform.replies.judge'],
    ['no data', { result: {} }, {}, 'data is missing; the reply has result', 'platform.replies.data'],
    ['data as a list', { data: [{}] }, {}, 'data is no object', 'platform.replies.data'],
    [
      'nothing where the setting says',
      { data: {} },
      { settings: { data: 'payload' } },
      'payload is missing',
      '(now payload;',
    ],
    [
      'a failure in a success',
      { success: false, data: {}, message: 'Bad name.' },
      { name: 'putVacancy' },
      'the reply says that it failed: Bad name.',
      'platform.replies.judge: [{ status: 200, match: TEXT, as: rejected }]',
    ],
    [
      'errors in a success',
      { data: { reference: 'r' }, errors: [{ message: 'Bad name.' }] },
      {},
      'the reply says that it failed: Bad name.',
      'as: rejected',
    ],
    [
      'a failed delete',
      { status: 'error', message: 'Not yours.' },
      { name: 'deleteVacancy' },
      'the reply says that it failed: Not yours.',
      'as: rejected',
    ],
    ['a list', [], {}, 'data is missing', 'platform.replies.judge'],
    ['no JSON', 'OK', {}, 'the body is not JSON', 'platform.replies.judge'],
    ['no body', '', {}, 'the body is empty', 'platform.operations.putCompany.accepted'],
    ['a web page', '<html>busy</html>', {}, 'the body is a web page', 'baseUrl'],
    [
      '202',
      { data: { reference: 'r' } },
      { status: 202 },
      '202 is not among the accepted statuses',
      'platform.replies.accepted',
    ],
    [
      '200 where only 202 counts',
      { data: { reference: 'r' } },
      { accepted: [202] },
      '200 is not among',
      'putCompany.accepted',
    ],
    [
      '204',
      '',
      { status: 204, name: 'putVacancy' },
      '204 is not among',
      'platform.operations.putVacancy.accepted',
    ],
    [
      'a 204 that only the area names',
      '',
      { status: 204, name: 'putVacancy', settings: { accepted: [200, 204] } },
      'the body is empty',
      'platform.operations.putVacancy.accepted',
    ],
    [
      '204 to a delete',
      '',
      { status: 204, name: 'deleteCompany' },
      '204 is not among',
      'platform.operations.deleteCompany.accepted',
    ],
  ])('%s is named with its setting', (_, body, given, missing, setting) => {
    const { result, malformed, hint } = read(body, given);
    expect(result).toBeNull();
    expect(malformed).toContain(missing);
    expect(hint).toContain(setting);
  });

  test('a Find is read whatever its data has, with the links where the contract or the setting has them', () => {
    const find = (data: object, settings?: Partial<ReplySettings>) =>
      read({ data }, { name: 'findCompany', status: 201, ...(settings ? { settings } : {}) }).result;
    expect(find({ anything: true })).toEqual({ id: null, reference: null, data: { anything: true } });
    expect(find({ id: 'x', employer: { id: 7, reference: 8 } })).toMatchObject({ id: '7', reference: 8 });
    expect(find({ employer: { number: 9 } }, { reference: 'number' })).toMatchObject({ reference: 9 });
    expect(find({ number: 9 }, { reference: 'number' })).toMatchObject({ reference: 9 });
    expect(find({}, { reference: 'platform-id' })).toMatchObject({ reference: ID });
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

  test.each<[string, unknown, string]>([
    ['under another name', { result: { id: 'i', reference: 'r' } }, 'result'],
    ['deep in it', { payload: { record: { id: 'i', reference: 'r' } }, data: 'x' }, 'payload.record'],
    ['as the first of a list', { data: [{ id: 'i', reference: 'r' }] }, 'data.0'],
    ['in a list that is the reply', [{ id: 'i', reference: 'r' }], '0'],
    ['as the reply itself', { id: 'i', reference: 'r' }, '.'],
  ])('the result may stand %s, of a Put and of a Find', (_, body, data) => {
    const links = { id: 'i', reference: 'r' };
    expect(read(body, { settings: { data } })).toMatchObject({ result: links, malformed: null });
    const found = read(body, { name: 'findInstitution', settings: { data } });
    expect(found).toMatchObject({ result: { data: links }, json: { data: links } });
  });

  test.each<[string, unknown, Given]>([
    ['null', { data: null, meta: {} }, {}],
    ['an empty object', { data: {} }, {}],
    ['an empty list', { data: [] }, {}],
    ['nothing at all', '', { status: 204 }],
    ['null where the setting says', { result: null }, { settings: { data: 'result' } }],
  ])('a Find that is answered with %s says that there is no record; a Put does not', (_, body, given) => {
    expect(read(body, { name: 'findCompany', ...given })).toMatchObject({ nothing: true, malformed: null });
    expect(read(body, given)).not.toHaveProperty('nothing');
    expect(read(body, given).malformed).toMatch(/missing|no object|not among/);
  });

  test('the hint of a failure is about the failure alone', () => {
    expect(read({ success: false, data: {} }).hint).not.toContain('platform.replies.reference');
  });

  test('a 200 to a Find is a 200, whatever statuses say that a Put was done', () => {
    const settings = { accepted: [202] };
    expect(read({ data: { name: 'A' } }, { name: 'findCompany', settings }).malformed).toBeNull();
    expect(read({ data: { reference: 'r' } }, { settings }).malformed).toContain('200 is not among');
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
    ) as Answer;
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

  it('Request-Timestamp has the form of the configuration, and is what is signed', async () => {
    const now = Date.parse('2026-03-02T08:00:00.123Z');
    const clock = fakeClock(
      () => now,
      () => performance.now(),
    );
    const { headers } = await received(FIND, { timestamp: 'milliseconds', clock });
    const time = '2026-03-02T08:00:00.123Z';
    expect(headers['request-timestamp']).toBe(time);
    const text = `Client-Id:client-1\nRequest-Id:r\nRequest-Timestamp:${time}\nRequest-Target:/api/v1/employers/${ID}/company`;
    expect(headers.signature).toBe(
      `HMACSHA256=${createHmac('sha256', 'secret').update(text).digest('base64')}`,
    );
  });

  it.each([
    [null, '/gateway/joss'],
    ['', ''],
    ['/inside', '/inside'],
  ])('with signedPrefix %j, %j is signed before the path', async (signedPrefix, prefix) => {
    const { url, headers } = await received(PUT, {
      baseUrl: '/gateway/joss/',
      signedPrefix,
      signatureProfile: 'method-path-hex',
    });
    const path = `/api/v1/employers/${ID}/company`;
    expect(url).toBe(`/gateway/joss${path}`);
    const digest = createHash('sha256').update('{"name":"x"}').digest('hex');
    const text = `PUT\n${prefix}${path}\nclient-1\nr\n2026-03-02T08:00:00Z\n${digest}`;
    expect(headers.signature).toBe(createHmac('sha256', 'secret').update(text).digest('hex'));
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
