import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { DEVIATIONS_FILE, type DeviationsInput } from '../../../src/config/deviations.js';
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/start-sandbox.js';
import { readFixture } from '../../contract/fixtures.js';
import {
  companyBody,
  companyPath,
  institutionPath,
  send,
  vacancyPath,
  type SignedRequest,
} from '../signed-request.js';

const COMPANY = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';
const VACANCY = '2edd9893-f1a3-45dd-89d4-bc4dc9a071d1';
const CITY = companyBody('').region;
const FULL = readFixture('bodies/company-full.json') as Record<string, unknown>;

type Json = Record<string, unknown>;

describe('a sandbox with deviations', () => {
  let sandbox: RunningSandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => {
    for (const kind of ['vacancies', 'companies', 'institutions'])
      for (const area of ['jobs', 'training'] as const)
        for (const { id } of sandbox.records(area, kind)) sandbox.forget(kind, id);
    sandbox.setDeviations(null);
  });

  const ask = (request: SignedRequest) => send(sandbox.url, request);
  const put = (body: unknown = companyBody('PT Contoh'), more: Partial<SignedRequest> = {}) =>
    ask({ method: 'PUT', path: companyPath(COMPANY), body, ...more });
  const find = () => ask({ method: 'GET', path: companyPath(COMPANY) });
  const putVacancy = (employer: unknown) =>
    ask({
      method: 'PUT',
      path: vacancyPath(VACANCY),
      body: { title: 'Staf Gudang', employer: { id: employer, ...companyBody('PT Contoh') } },
    });
  const deviate = (deviations: DeviationsInput) => sandbox.setDeviations(deviations);

  it('answers a Put that creates with another status than one that updates', async () => {
    deviate({ replies: { created: 201, updated: 202, deleted: 204 } });
    expect([(await put()).status, (await put()).status]).toEqual([201, 202]);
    expect((await find()).status).toBe(200);
    const deleted = await ask({ method: 'DELETE', path: companyPath(COMPANY) });
    expect([deleted.status, deleted.json]).toEqual([204, '']);
  });

  it.each([204, 200])('answers %d with an empty body', async (status) => {
    deviate({ replies: { created: status, body: status === 204 ? 'whole' : 'empty' } });
    const reply = await put();
    expect([reply.status, reply.json]).toEqual([status, '']);
    expect((await find()).json.data.employer).toMatchObject({ name: 'PT Contoh' });
  });

  it.each([
    [{ meta: false }, ['data']],
    [{ envelope: 'result' }, ['result', 'meta']],
    [{ envelope: 'payload.record', meta: false }, ['payload']],
    [{ envelope: 'none', meta: false }, ['id', 'reference', 'name', 'created_at']],
    [{ envelope: 'none', meta: false, id: false }, ['reference', 'name', 'created_at']],
  ])('by %j answers an object with %j', async (replies, fields) => {
    deviate({ replies });
    expect(Object.keys((await put()).json)).toEqual(fields);
    expect(Object.keys((await find()).json)).toHaveLength(fields.includes('name') ? 12 : fields.length);
  });

  it.each([
    [{ form: 'number' }, 'reference', 'number'],
    [{ form: 'text', field: 'company_ref' }, 'company_ref', 'string'],
    [{ form: 'uuid', field: 'ref' }, 'ref', 'string'],
    [{ form: 'changing' }, 'reference', 'string'],
  ] as const)(
    'links children by a reference like %j, and shows it in a Find',
    async (reference, field, type) => {
      deviate({ reference });
      const { data } = (await put()).json;
      const link = data[field];
      expect(Object.keys(data)).toEqual(['id', field, 'name', 'created_at']);
      expect(link).toBeTypeOf(type);
      expect(((await find()).json.data.employer as Json)[field]).toBe(link);
      expect((await putVacancy(COMPANY)).status).toBe(422);
      expect((await putVacancy(link)).status).toBe(200);
      expect((await putVacancy(String(link))).status).toBe(200);
      const vacancy = await ask({ method: 'GET', path: vacancyPath(VACANCY) });
      const { job } = vacancy.json.data.vacancy as { job: { employer: Json } };
      expect(job.employer[field]).toBe(link);
      const again = (await put()).json.data[field];
      expect(again === link).toBe(reference.form !== 'changing');
      expect((await putVacancy(again)).status).toBe(200);
      expect((await putVacancy(link)).status).toBe(200);
    },
  );

  it('puts the reference at a dotted path', async () => {
    deviate({ reference: { field: 'links.self' } });
    expect((await put()).json.data).toMatchObject({ links: { self: expect.any(String) as string } });
  });

  it('without a reference links children by the id in the path, or by the platform’s own', async () => {
    deviate({ reference: { form: 'none' } });
    const { data } = (await put()).json;
    expect(data).not.toHaveProperty('reference');
    expect((await find()).json.data.employer).not.toHaveProperty('reference');
    expect((await putVacancy(COMPANY)).status).toBe(200);
    deviate({ reference: { form: 'none', children: 'id' } });
    expect((await putVacancy(COMPANY)).status).toBe(422);
    expect((await putVacancy(data.id)).status).toBe(200);
  });

  it('merges: a field that is missing stays, null clears it', async () => {
    deviate({ bodies: { merge: true } });
    await put({ ...companyBody('First'), about: 'about', website: 'https://example.com' });
    expect((await put({ name: 'Second', website: null })).status).toBe(200);
    expect((await find()).json.data).toMatchObject({
      about: 'about',
      website: null,
      employer: { name: 'Second', region: { regionable_id: CITY.id } },
    });
    expect((await put({ name: null })).status).toBe(422);
    sandbox.setDeviations(null);
    await put({ ...companyBody('Third') });
    expect((await find()).json.data).toMatchObject({ about: null, employer: { name: 'Third' } });
  });

  it('shows in a Find what was sent, or less, or a region as in requests', async () => {
    await put(FULL);
    deviate({ find: { shape: 'echo' } });
    expect((await find()).json.data).toMatchObject(FULL);
    deviate({ find: { region: 'reference', hidden: ['about', 'employer.phone', 'nowhere.at.all'] } });
    const { data } = (await find()).json;
    expect(data.employer).toMatchObject({ region: FULL.region });
    expect(data).not.toHaveProperty('about');
    expect(data.employer).not.toHaveProperty('phone');
    deviate({ find: { region: 'none', nulls: 'objects' } });
    await put();
    const bare = (await find()).json.data;
    expect(bare.employer).not.toHaveProperty('region');
    expect(bare.industry).toEqual({ id: null, name: null });
  });

  const SENTENCES = 'The name field is required. The colour field is not a field of the interface.';
  const LIST = [
    { field: 'name', message: 'The name field is required.' },
    { field: 'colour', message: 'The colour field is not a field of the interface.' },
  ];
  it.each([
    ['error', { code: 'E1', error: SENTENCES }],
    ['error.message', { error: { code: 'E1', message: SENTENCES } }],
    ['errors', { errors: LIST.map((each) => ({ code: 'E1', ...each })) }],
    ['problem', { type: 'about:blank', title: 'E1', status: 400, detail: SENTENCES }],
    [
      'nested',
      { status: { code: 'E1', reason: { description: 'The given data was invalid.' } }, failures: LIST },
    ],
    ['text', `E1: ${SENTENCES}`],
    ['html', expect.stringContaining(`<p>E1: ${SENTENCES}</p>`) as string],
  ] as const)('refuses in the shape %s', async (shape, json) => {
    deviate({ errors: { shape, invalidFields: { status: 400, code: 'E1' } } });
    const reply = await put({ region: CITY, colour: 'red' });
    expect([reply.status, reply.json]).toEqual([400, json]);
    expect(reply.headers.get('content-type')).toContain(
      { problem: 'application/problem+json', text: 'text/plain', html: 'text/html' }[shape as string] ??
        'application/json',
    );
    expect(sandbox.requests().at(-1)).toMatchObject({ status: 400, message: 'The name field is required.' });
  });

  it('gives faults the same shape', async () => {
    deviate({ errors: { shape: 'error' } });
    sandbox.setFaults({ rules: [{ fault: 'fields-refused', fields: { name: 'is odd' } }] });
    const reply = await put();
    sandbox.setFaults(null);
    expect([reply.status, reply.json]).toEqual([422, { error: 'The name field is odd.' }]);
  });

  it.each([
    [400, 'INVALID_SIGNATURE'],
    [403, undefined],
    [200, 'INVALID_SIGNATURE'],
  ])('answers a wrong signature, an unknown client and a wrong time with %d', async (status, code) => {
    deviate({ errors: { authentication: code === undefined ? { status } : { status, code } } });
    const wrong = [{ secret: 'x' }, { clientId: 'x' }, { atMs: 0 }, { headers: { Signature: undefined } }];
    for (const each of wrong) {
      const reply = await put(undefined, each);
      expect([reply.status, (reply.json as unknown as Json).code]).toEqual([status, code]);
    }
    expect(sandbox.records('jobs', 'companies')).toEqual([]);
  });

  it.each([
    [{ status: 200 }, 200, { data: null, meta: expect.anything() as object }],
    [{ status: 400, code: 'UNKNOWN' }, 400, { code: 'UNKNOWN', message: 'Company not found' }],
  ])('answers an id that is not known by %j', async (unknownId, status, json) => {
    deviate({ errors: { unknownId } });
    for (const method of ['GET', 'DELETE']) {
      const reply = await ask({ method, path: companyPath(COMPANY) });
      expect([reply.status, reply.json]).toEqual([status, json]);
    }
  });

  it('answers a repeated Request-Id with another status, or as it answered the first', async () => {
    deviate({ errors: { repeatedRequestId: { status: 422 } } });
    const requestId = 'used-twice';
    const first = await put(undefined, { requestId });
    expect((await put(undefined, { requestId })).status).toBe(422);
    deviate({ errors: { repeatedRequestId: { status: 200 } } });
    const second = await put(companyBody('Other'), { requestId });
    expect([second.status, second.json.data]).toEqual([200, first.json.data]);
    expect(sandbox.records('jobs', 'companies')).toMatchObject([{ puts: 1 }]);
  });

  it('serves operations elsewhere', async () => {
    deviate({ operations: { putCompany: { method: 'POST', path: '/api/v2/companies/{id}' } } });
    expect((await put()).status).toBe(404);
    expect(
      (await ask({ method: 'POST', path: `/api/v2/companies/${COMPANY}`, body: companyBody('A') })).status,
    ).toBe(200);
    expect((await find()).status).toBe(200);
    const document = (await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json()) as {
      paths: object;
    };
    expect(document.paths).toHaveProperty(['/api/v2/companies/{id}', 'post']);
  });

  it.each([
    ['keeps the prefix in what is signed', null, `/gateway${companyPath(COMPANY)}`],
    ['cuts it off', '', companyPath(COMPANY)],
    ['puts another in its place', '/inner', `/inner${companyPath(COMPANY)}`],
  ])('a gateway %s', async (_name, signedPrefix, target) => {
    deviate({ requests: { prefix: '/gateway', signedPrefix } });
    const path = `/gateway${companyPath(COMPANY)}`;
    expect((await put()).status).toBe(404);
    expect((await put(undefined, { path, target: '/elsewhere' })).status).toBe(401);
    expect((await put(undefined, { path, target })).status).toBe(200);
  });

  it('asks for a gateway’s own header, before it looks at anything else', async () => {
    deviate({ requests: { headers: { 'X-Gateway-Key': 'word' } } });
    expect(await put(undefined, { secret: 'wrong' })).toMatchObject({
      status: 401,
      json: { message: 'The gateway needs the header X-Gateway-Key' },
    });
    expect((await put(undefined, { headers: { 'X-Gateway-Key': 'other' } })).status).toBe(401);
    expect((await put(undefined, { headers: { 'X-Gateway-Key': 'word' } })).status).toBe(200);
  });

  it('asks for milliseconds in Request-Timestamp', async () => {
    expect((await put(undefined, { milliseconds: true })).status).toBe(401);
    deviate({ requests: { timestamp: 'milliseconds' } });
    expect(await put()).toMatchObject({
      status: 401,
      json: { message: 'Request-Timestamp must look like 2022-09-22T01:51:00.123Z' },
    });
    expect((await put(undefined, { milliseconds: true })).status).toBe(200);
  });

  it('asks for a token that its endpoint gives, until its end', async () => {
    deviate({ requests: { oauth: { clientId: 'a', clientSecret: 'b', seconds: 60 } } });
    const ask = async (secret: string) => {
      const body = `grant_type=client_credentials&client_id=a&client_secret=${secret}`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const reply = await fetch(`${sandbox.url}/_sandbox/token`, { method: 'POST', headers, body });
      return (await reply.json()) as Record<string, unknown>;
    };
    expect(await ask('c')).toMatchObject({ error: 'invalid_client' });
    const { access_token: token, expires_in: seconds } = await ask('b');
    expect(seconds).toBe(60);
    const bearer = (text: string) => ({ headers: { Authorization: `Bearer ${text}` } });
    expect((await put()).json.message).toBe('The gateway needs a token of POST /_sandbox/token');
    expect((await put(undefined, bearer(`9${String(token)}`))).status).toBe(401);
    expect((await put(undefined, bearer(String(token)))).status).toBe(200);
  });

  it('calls headers otherwise, or knows them only in their own letters', async () => {
    deviate({ requests: { headerNames: { clientId: 'X-Client-Id' } } });
    expect((await put()).json.message).toBe('X-Client-Id header is missing');
    const headers = { 'X-Client-Id': 'sandbox-client', 'Client-Id': undefined };
    expect((await put(undefined, { headers })).status).toBe(200);
    deviate({ requests: { exactNames: true } });
    expect((await put()).status).toBe(200);
    const lower = { 'client-id': 'sandbox-client', 'Client-Id': undefined };
    expect((await put(undefined, { headers: lower })).json.message).toBe(
      'Client-Id header is missing, in these letters',
    );
  });

  const zipped = (body: unknown, more: Partial<SignedRequest> = {}) =>
    ask({
      ...{ method: 'PUT', path: companyPath(COMPANY), body: JSON.stringify(body), compressed: true },
      ...more,
    });

  it('takes compressed bodies, wants them, or does not know them', async () => {
    expect((await zipped(companyBody('Compressed'))).status).toBe(200);
    expect((await find()).json.data.employer).toMatchObject({ name: 'Compressed' });
    deviate({ requests: { gzip: 'required' } });
    expect(await put()).toMatchObject({
      status: 415,
      json: { message: expect.stringContaining('gzip') as string },
    });
    expect((await zipped(companyBody('Again'))).status).toBe(200);
    expect((await find()).status).toBe(200);
    deviate({ requests: { gzip: 'refused' } });
    expect((await zipped(companyBody('No'))).json.message).toBe('Content-Encoding gzip is not known here');
    expect((await put()).status).toBe(200);
  });

  it('reads what calls itself compressed and is not, or is too large once it is not, as a refusal', async () => {
    const plain = { headers: { 'Content-Encoding': 'gzip' } };
    expect((await put(undefined, plain)).json.message).toContain('is not gzip');
    expect((await put(undefined, { headers: { 'Content-Encoding': 'br' } })).status).toBe(415);
    const bomb = companyBody('x'.repeat(2 * 1024 * 1024));
    expect((await zipped(bomb)).status).toBe(413);
  });

  it('signs the JSON or the bytes that are sent, and wants the digest as a header', async () => {
    deviate({ requests: { digestOf: 'sent' } });
    expect((await zipped(companyBody('A'))).json.message).toContain('Signature is not valid');
    expect((await zipped(companyBody('A'), { digestOf: 'sent' })).status).toBe(200);
    deviate({ requests: { digestHeader: { name: 'Digest', form: 'rfc3230' } } });
    expect((await put()).json.message).toBe('The header Digest with the digest of the body is missing');
    expect((await put(undefined, { headers: { Digest: 'SHA-256=abc' } })).json.message).toContain(
      'Digest is not the digest of the body: SHA-256=',
    );
    const digest = createHash('sha256')
      .update(JSON.stringify(companyBody('PT Contoh')))
      .digest('base64');
    expect((await put(undefined, { headers: { Digest: `SHA-256=${digest}` } })).status).toBe(200);
    expect((await find()).status).toBe(200);
  });

  it('gives ETags, checks conditions, and misses them', async () => {
    const when = (name: string, value: string) => put(undefined, { headers: { [name]: value } });
    deviate({ requests: { etags: 'kept' } });
    const first = (await put()).headers.get('etag') ?? '';
    expect((await find()).headers.get('etag')).toBe(first);
    const second = (await when('If-Match', first)).headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    expect((await when('If-Match', first)).status).toBe(412);
    expect((await when('If-None-Match', '*')).status).toBe(412);
    expect((await when('If-Match', '*')).status).toBe(200);
    expect((await put()).status).toBe(200);
    deviate({ requests: { etags: 'required' } });
    expect((await put()).status).toBe(428);
    expect((await ask({ method: 'DELETE', path: companyPath(COMPANY) })).status).toBe(428);
    sandbox.forget('companies', COMPANY);
    expect((await when('If-Match', '*')).status).toBe(412);
    expect((await put()).status).toBe(200);
    sandbox.forget('companies', COMPANY);
    deviate({ requests: { etags: 'all' } });
    expect((await put()).status).toBe(428);
    expect((await when('If-None-Match', '*')).status).toBe(200);
    sandbox.setDeviations(null);
    expect((await when('If-Match', '"old"')).headers.get('etag')).toBeNull();
  });

  it('asks for another hash, and says when its own secret cannot be decoded', async () => {
    deviate({ requests: { hmac: 'sha512' } });
    expect((await put()).json.message).toContain('Signature is not valid');
    deviate({ requests: { secretEncoding: 'hex' } });
    expect((await put()).json.message).toBe(
      'The sandbox’s own client secret is not hex: start it with another --client-secret',
    );
  });

  it.each(['x-ratelimit', 'ratelimit'] as const)('counts requests down in %s headers', async (names) => {
    deviate({ rate: { limit: 1_000, names } });
    const left = async () => Number((await put()).headers.get(`${names}-remaining`));
    const first = await left();
    expect(first).toBeGreaterThan(900);
    // A new minute begins anew.
    expect([first - 1, 999]).toContain(await left());
  });

  it('in the training area differs alone', async () => {
    deviate({ training: { replies: { created: 201 } } });
    expect((await put()).status).toBe(200);
    const request = { method: 'PUT', path: institutionPath(COMPANY), body: { name: 'LPK' } };
    expect((await ask(request)).status).toBe(201);
  });

  it('plays all of the example at once', async () => {
    deviate(DEVIATIONS_FILE.read('config/deviations.example.yaml'));
    const path = `/api/v2/companies/${COMPANY}`;
    const reply = await ask({
      method: 'POST',
      path: `/gateway${path}`,
      target: path,
      milliseconds: true,
      requestId: 'r-1',
      headers: {
        ...{ 'X-Gateway-Key': 'rehearsal', 'X-Client-Id': 'sandbox-client', 'X-Request-Id': 'r-1' },
        ...{ 'Client-Id': undefined, 'Request-Id': undefined },
      },
      body: companyBody('PT Contoh'),
    });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      data: {
        id: expect.any(String) as string,
        company_ref: expect.any(Number) as number,
        name: 'PT Contoh',
        created_at: expect.any(String) as string,
      },
    });
    expect(reply.headers.get('x-ratelimit-limit')).toBe('600');
  });
});

const statusOf = (id: string) => ({
  method: 'PATCH',
  path: `/api/v1/job-applications/${id}/status`,
  body: { status: 'hired', timestamp: '2026-01-31 08:00:00' },
});

test('a status update answers with the time that was sent and the offset of the zone', async () => {
  for (const [timeZone, hiredAt] of [
    [undefined, '2026-01-31T08:00:00+07:00'],
    ['UTC', '2026-01-31T08:00:00+00:00'],
    ['Asia/Kathmandu', '2026-01-31T08:00:00+05:45'],
    ['America/St_Johns', '2026-01-31T08:00:00-03:30'],
  ] as const) {
    const sandbox = await startSandbox(timeZone === undefined ? {} : { timeZone });
    const reply = await send(sandbox.url, statusOf(COMPANY));
    await sandbox.close();
    expect(reply.json.data).toMatchObject({ status: 'hired', hired_at: hiredAt });
  }
});

test('a status update of an application that is not known is 404 when asked', async () => {
  const sandbox = await startSandbox({ deviations: { applications: { accept: 'sent', known: [COMPANY] } } });
  expect((await send(sandbox.url, statusOf(COMPANY.toUpperCase()))).status).toBe(200);
  expect((await send(sandbox.url, statusOf(VACANCY))).status).toBe(404);
  // Whether the receiver takes it does not matter.
  await sandbox.sendApplication({ to: `${sandbox.url}/_sandbox/requests`, applicationId: VACANCY });
  expect((await send(sandbox.url, statusOf(VACANCY))).status).toBe(200);
  await sandbox.close();
});
