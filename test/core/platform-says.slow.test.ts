import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Verdict } from '../../src/features/sandbox/answer.js';
import { planted } from '../security/planted.js';
import { temporaryFolder } from '../temporary-folder.js';
import type { WorldSettings } from './world-settings.js';
import { addCompanies, createWorld, unbalanced, type World } from './world.js';

/*
 * What the platform answers to a Put, and what comes of it: counts, exit code, requests, status and words. Companies go one by
 * one, so that the first reply is seen before the second request. Once the platform is well, or has its adapter, the next run
 * sends all that is not rejected, and one more nothing.
 */

interface Row {
  /** To all; a function: to the company of this number, and the how manieth request it is. */
  readonly says:
    Verdict | ((company: number, nth: number) => Verdict | undefined) | 'nothing: its port is closed';
  /** How many companies; default 3. */
  readonly of?: number;
  /** The platform has them all, and each has changed. */
  readonly known?: true;
  readonly set?: (settings: WorldSettings) => unknown;
  /** Of the adapter's `reply`. */
  readonly adapter?: string;
  readonly exitCode: number;
  /** Of the run; what is left out is 0, and `error` none. */
  readonly counts: Readonly<Record<string, number | string>>;
  readonly requests?: number;
  /** Requests of one more run, to which the platform says the same. */
  readonly again?: number;
  /** Of company 2, and what is known of the platform's reply to it. */
  readonly status?: string;
  readonly reply?: RegExp;
  /** Whether it is still known what the platform has. */
  readonly isKnown?: boolean;
  /** What the events tell the operator. */
  readonly hint?: RegExp;
  /** The adapter with which the platform is understood, while it says the same. */
  readonly mended?: string;
  /** It waits so long between the first request and the second. */
  readonly waitsMs?: number;
}

const no = (status: number, message = 'no', headers = {}): Verdict => ({
  status,
  body: { message },
  headers,
});
const page = (status: number): Verdict => ({ status, body: '<html><body>Access denied</body></html>' });
const okay = (more: object, status = 200): Verdict => ({
  status,
  body: { data: { id: '11111111-1111-4111-8111-111111111111', reference: 'r-1' }, ...more },
});
/** Only to company 2; the others are accepted. */
const second = (verdict: Verdict) => (company: number) => (company === 2 ? verdict : undefined);
const once = (verdict: () => Verdict) => (_company: number, nth: number) =>
  nth === 1 ? verdict() : undefined;
const allPending = (error: string) => ({ exitCode: 5, counts: { pending: 3, error }, status: 'pending' });
const SOME = expect.any(Number) as number;
const FAILED = {
  status: 200,
  body: { status: 'error', message: 'kuota penuh', by: 'siti@example.org, +62 812-3456-7890' },
};
const NOT_UNDERSTOOD = {
  exitCode: 5,
  counts: { sent: 3, deferred: 3, error: 'reply-not-understood' },
  requests: 3,
  status: 'deferred',
};
const waited = { exitCode: 0, counts: { sent: 3, accepted: 3 }, requests: 4, status: 'synced', waitsMs: 900 };
const words = (body: object | string, said: string): Row => ({
  says: { status: 422, body },
  ...allPending('same-refusal'),
  requests: 3,
  reply: new RegExp(said.replace(/[.()*]/g, '\\$&')),
});

const ROWS: Readonly<Record<string, Row>> = {
  '401': {
    says: no(401, 'Invalid signature'),
    ...allPending('authentication-refused'),
    requests: 1,
    hint: /401: Invalid signature/,
  },
  // It refuses them all, not one text: the next run asks with two, because the first may be such a text.
  '403 as a web page': {
    says: page(403),
    ...allPending('authentication-refused'),
    requests: 3,
    again: 2,
    hint: /edge/,
  },
  'a redirect': {
    says: { status: 302, headers: { Location: 'https://elsewhere.example/login?token=1' }, body: '' },
    ...allPending('redirected'),
    requests: 1,
    hint: /https:\/\/elsewhere\.example\)/,
  },
  ...Object.fromEntries(
    [405, 415, 428].map((status): [string, Row] => [
      `${status}`,
      {
        says: no(status),
        ...allPending('request-refused'),
        requests: 1,
        hint: /platform\.(headers|operations|adapter)/,
      },
    ]),
  ),
  'once 429 with seconds': { says: once(() => no(429, 'slow', { 'Retry-After': '1' })), ...waited },
  'once 503 with a date': {
    says: once(() => no(503, 'slow', { 'Retry-After': new Date(Date.now() + 2_000).toUTCString() })),
    ...waited,
  },
  '429 with an hour': {
    says: no(429, 'slow', { 'Retry-After': '3600' }),
    ...allPending('long-pause'),
    requests: 1,
    again: 0,
    hint: /3600 s/,
  },
  '500 as often as the breaker wants': {
    says: no(500),
    of: 6,
    set: ({ retry }) => (retry.breakerAfter = 3),
    exitCode: 5,
    counts: { sent: 3, deferred: 3, pending: 3, error: 'breaker-open' },
    requests: 3,
    status: 'deferred',
  },
  '500 to fewer': {
    says: no(500),
    exitCode: 5,
    counts: { sent: 3, deferred: 3, error: 'breaker-open' },
    requests: 3,
    again: 1,
    status: 'deferred',
    hint: /HTTP 500/,
  },
  '500 to all but the first': {
    says: (company) => (company === 1 ? undefined : no(500)),
    exitCode: 0,
    counts: { sent: 3, accepted: 1, deferred: 2 },
    requests: 3,
    status: 'deferred',
    hint: /2 records could not be sent and were put off. The last error: HTTP 500.*A later run tries again/s,
  },
  'nothing, because its port is closed': {
    says: 'nothing: its port is closed',
    set: ({ retry }) => (retry.breakerAfter = 2),
    exitCode: 5,
    counts: { sent: 2, deferred: 2, pending: 1, error: 'breaker-open' },
    requests: 0,
    again: 0,
    status: 'deferred',
  },
  'the same 422 to the first': {
    says: { status: 422, body: { pesan: 'Validasi gagal', kesalahan: { npwp: ['wajib diisi'] } } },
    of: 8,
    exitCode: 5,
    counts: { pending: 8, error: 'same-refusal' },
    requests: 3,
    again: 1,
    status: 'pending',
    hint: /all with HTTP 422: npwp: wajib diisi/,
  },
  'the same 422 to as few as there are': {
    says: no(422, 'npwp: wajib diisi'),
    of: 2,
    exitCode: 5,
    counts: { pending: 2, error: 'same-refusal' },
    requests: 2,
    status: 'pending',
  },
  '422 to all but the first': {
    says: (company) => (company === 1 ? undefined : no(422)),
    of: 6,
    set: ({ guards }) => (guards.maxRejectedInARow = 2),
    exitCode: 3,
    counts: { sent: 6, accepted: 1, rejected: 5 },
    // One of them is the accepted one again, as the control.
    requests: 7,
    status: 'rejected',
  },
  '422 to one': {
    says: second({
      status: 422,
      body: { message: 'Invalid.', errors: { phone: ['The phone is too short.'] } },
    }),
    exitCode: 3,
    counts: { sent: 3, accepted: 2, rejected: 1 },
    requests: 3,
    again: 0,
    status: 'rejected',
    reply: /phone: The phone is too short/,
  },
  '200 that says failure, to one': {
    says: second(FAILED),
    of: 30,
    exitCode: 3,
    counts: { sent: 30, accepted: 29, rejected: 1 },
    requests: 30,
    again: 0,
    status: 'rejected',
    reply: /"kuota penuh".*by.*<email>, <number>/,
  },
  // How many of them were undecided when it was clear differs.
  '200 that says failure, to all but the first': {
    says: (_company, nth) => (nth === 1 ? undefined : FAILED),
    of: 30,
    known: true,
    exitCode: 5,
    counts: { sent: SOME, accepted: 1, deferred: SOME, pending: SOME, error: 'reply-not-understood' },
  },
  '200 with what no database can hold': {
    says: okay({ meta: { status: 'open\u0000 \ud800', hired_at: 'x'.repeat(5_000) } }),
    exitCode: 0,
    counts: { sent: 3, accepted: 3 },
    requests: 3,
    status: 'synced',
  },
  '200 with a warning': {
    says: okay({ warnings: ['skill ignored, ask ani@example.com'] }),
    exitCode: 0,
    counts: { sent: 3, accepted: 3 },
    requests: 3,
    status: 'synced',
    reply: /skill ignored, ask <email>/,
  },
  'an error with a message': words(
    { error: { code: 'E_REGION', message: 'no such region' } },
    'no such region (E_REGION)',
  ),
  'a list of errors': words(
    { errors: [{ path: ['region', 'id'], message: 'is unknown' }] },
    'region.id: is unknown.',
  ),
  'problem details': words(
    { title: 'Bad input', detail: 'region is unknown', status: 422 },
    'Bad input: region is unknown',
  ),
  'our own secret': words({ message: `secret ${planted('client')} is old` }, 'secret *** is old'),
  'plain words': words('REGION UNKNOWN', 'HTTP 422: REGION UNKNOWN'),
  'an empty 200': {
    says: { status: 200, body: '' },
    ...NOT_UNDERSTOOD,
    hint: /the body is empty.*platform\.adapter.*if \(reply\.status === 200\) return \{ accepted: \{ reference \} \}/s,
    mended: `if (reply.text === '') return { accepted: { reference: about.platformId } };`,
  },
  'another wrapping': {
    says: { status: 200, body: { ok: true, result: { reference: 'w-1' } } },
    ...NOT_UNDERSTOOD,
    hint: /data is missing.*the reply has ok, result.*platform\.adapter.*return \{ accepted: \{ id, reference \} \}/s,
    mended: `if (reply.json?.ok) return { accepted: { reference: reply.json.result.reference } };`,
  },
  'words in place of JSON': {
    says: { status: 200, body: 'STORED' },
    ...NOT_UNDERSTOOD,
    hint: /the body is not JSON.*platform\.adapter/s,
    mended: `if (reply.text === 'STORED') return { accepted: { reference: about.platformId } };`,
  },
  'a 400 that an adapter stops at': {
    says: { status: 400, body: { code: 'INVALID_SIGNATURE', text: 'Tanda tangan salah' } },
    adapter: `if (reply.json?.code === 'INVALID_SIGNATURE') return { stop: { message: 'Refused: ' + reply.json.text } };`,
    ...allPending('request-refused'),
    requests: 1,
    hint: /Refused: Tanda tangan salah/,
  },
  '200 and 409 that an adapter reads otherwise': {
    says: (company) =>
      company === 2 ? { status: 200, body: { success: false, message: 'taken' } } : no(409, 'already there'),
    adapter: `if (reply.json?.success === false) return { rejected: { message: reply.json.message } };
      if (reply.status === 409) return { accepted: { reference: about.platformId } };`,
    exitCode: 3,
    counts: { sent: 3, accepted: 2, rejected: 1 },
    requests: 3,
    again: 0,
    status: 'rejected',
    reply: /taken/,
  },
  'a page of a gateway, to a change': {
    says: { status: 502, body: '<html>Bad gateway</html>' },
    known: true,
    exitCode: 5,
    counts: { sent: 3, deferred: 3, error: 'breaker-open' },
    requests: 3,
    status: 'deferred',
    isKnown: false,
  },
  'a success without result, to a change': {
    says: { status: 200, body: { ok: true } },
    known: true,
    ...NOT_UNDERSTOOD,
    isKnown: false,
  },
  'a 500 of its own, to a change': {
    says: no(500, 'broken'),
    known: true,
    exitCode: 5,
    counts: { sent: 3, deferred: 3, error: 'breaker-open' },
    requests: 3,
    status: 'deferred',
    isKnown: true,
  },
};

const NOTHING = { sent: 0, accepted: 0, rejected: 0, deferred: 0, pending: 0, held: false };

function setAdapter(world: World, lines: string): void {
  world.adapter = join(temporaryFolder(), 'adapter.mjs');
  writeFileSync(world.adapter, `export default { reply(reply, about) { ${lines} } };\n`);
}

test.each(Object.entries(ROWS))('the platform says %s', async (_, row) => {
  const { says, of = 3, known = false, exitCode, counts, requests, status, hint = /^/, reply = /^/ } = row;
  const world = await createWorld();
  world.settings.jobs.concurrency = 1;
  // What is deferred stays so until the platform is well, and what is to be confirmed, until the test is over.
  world.settings.jobs.timeoutMs = 120_000;
  Object.assign(world.settings.retry, { baseDelayMs: 60_000, maxDelayMs: 60_000 });
  world.settings.guards.maxSameRefusals = 3;
  const { baseUrl } = world.settings.jobs;
  await addCompanies(world, of);
  if (known) {
    await world.run();
    await world.sql(`update company set about = 'changed'`);
    world.requests();
  }
  row.set?.(world.settings);
  if (row.adapter !== undefined) setAdapter(world, row.adapter);
  const isAway = typeof says === 'string';
  if (isAway) {
    world.settings.jobs.baseUrl = 'http://127.0.0.1:1';
    await world.adopt('keep');
  }
  let nth = 0;
  world.intercept = ({ body }) => {
    const company = Number((body as { name: string }).name.replace('Company ', ''));
    return typeof says === 'function' ? says(company, (nth += 1)) : isAway ? undefined : says;
  };

  const report = await world.run();
  const { error = null, ...numbers } = { ...NOTHING, ...counts };
  expect([report.exitCode, report.entities.companies]).toMatchObject([
    exitCode,
    { ...numbers, error: error === null ? null : { code: error } },
  ]);
  expect(unbalanced(report)).toEqual([]);
  const told = world.events.map((event) => ('message' in event ? Object.values(event).join('\n') : ''));
  expect(told.join('\n')).toMatch(hint);
  if (row.waitsMs !== undefined) {
    const [refused, next] = world.sandbox.requests();
    expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(row.waitsMs);
  }
  const sent = world.requests();
  if (requests !== undefined) expect(sent).toHaveLength(requests);
  const explained = await world.explain('companies', 'c02');
  if (status !== undefined) expect(explained.status).toBe(status);
  expect(JSON.stringify(explained.lastReply)).toMatch(reply);
  if (row.isKnown !== undefined) expect(explained.acknowledgedHash !== null).toBe(row.isKnown);
  if (row.again !== undefined) {
    expect(await world.run()).toMatchObject({ exitCode });
    expect(world.requests()).toHaveLength(row.again);
  }
  // Neither an outage nor a stop uses up an attempt, and nothing that did not arrive is confirmed.
  const [used] = await world.sql(
    `select max(attempts) as attempts, count(confirm_at)::int as confirms from placement_sync.sync_state where refused_hash is null`,
  );
  if (exitCode === 5) expect(used).toMatchObject({ attempts: 0, ...(isAway ? { confirms: 0 } : {}) });

  if (row.mended === undefined) [world.intercept, world.adapter] = [null, null];
  else setAdapter(world, row.mended);
  if (isAway) {
    world.settings.jobs.baseUrl = baseUrl;
    await world.adopt('keep');
  }
  await world.state.areaStates.endPauses(['jobs']);
  await world.sql(
    'update placement_sync.sync_state set next_attempt_at = now() where next_attempt_at > now()',
  );
  const rejected = exitCode === 3 ? Number(counts.rejected) : 0;
  expect(await world.run()).toMatchObject({
    exitCode: rejected > 0 ? 3 : 0,
    entities: { companies: { rejected: 0, deferred: 0, pending: 0, error: null } },
  });
  expect((await world.status()).entities.companies).toMatchObject({ synced: of - rejected, rejected });
  world.requests();
  await world.run();
  expect(world.requests()).toEqual([]);
});
