import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start-sandbox.js';
import { createJournal } from '../../src/sandbox/journal.js';
import { createRequestIds } from '../../src/sandbox/sandbox-state.js';
import { companyBody, companyPath, send } from './signed-request.js';

const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

async function get(
  url: string,
): Promise<{ status: number; json: Record<string, Record<string, unknown>[]> }> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  return {
    status: response.status,
    json: (await response.json()) as Record<string, Record<string, unknown>[]>,
  };
}

describe('the listing of the sandbox', () => {
  let sandbox: RunningSandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  it('shows records with their body, links and number of Puts', async () => {
    const reply = await send(sandbox.url, {
      method: 'PUT',
      path: companyPath(ID),
      body: companyBody('PT Contoh'),
    });
    const { json } = await get(`${sandbox.url}/_sandbox/records/jobs/companies`);
    expect(json.records).toEqual([
      {
        id: ID,
        reference: reply.json.data.reference,
        remoteId: reply.json.data.id,
        body: companyBody('PT Contoh'),
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
        updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
        puts: 1,
      },
    ]);
  });

  it.each(['jobs/institutions', 'training/companies', 'jobs/people'])(
    'has no records of %s',
    async (path) => {
      expect((await get(`${sandbox.url}/_sandbox/records/${path}`)).status).toBe(404);
    },
  );

  it('shows requests in the order of arrival until they are cleared', async () => {
    await fetch(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
    await send(sandbox.url, { method: 'GET', path: companyPath(ID), requestId: 'one' });
    await send(sandbox.url, { method: 'GET', path: companyPath(ID), requestId: 'two', secret: 'wrong' });
    const { json } = await get(`${sandbox.url}/_sandbox/requests`);
    expect(json.requests).toEqual([
      {
        at: expect.stringMatching(/\.\d{3}Z$/) as string,
        atMs: expect.any(Number) as number,
        area: 'jobs',
        method: 'GET',
        path: companyPath(ID),
        requestId: 'one',
        status: 200,
        message: null,
        faults: [],
      },
      expect.objectContaining({ requestId: 'two', status: 401, message: 'Signature is not valid' }),
    ]);
    await fetch(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
    expect(sandbox.requests()).toEqual([]);
  });

  it('shows an index', async () => {
    for (const path of ['/_sandbox', '/_sandbox/']) {
      const { json } = await get(sandbox.url + path);
      expect(json.records).toContain('/_sandbox/records/jobs/vacancies');
    }
  });
});

describe('what the sandbox remembers', () => {
  it('drops the oldest requests beyond its capacity, and keeps the order', () => {
    const journal = createJournal(3);
    const entry = (atMs: number) => ({
      atMs,
      area: null,
      method: 'GET',
      path: '/',
      requestId: null,
      status: 200,
      message: null,
      faults: [],
    });
    const seen = [1, 2, 3, 4, 5].map((atMs) => {
      journal.add(entry(atMs));
      return [journal.entries(), journal.latest(2)].map((entries) => entries.map((each) => each.atMs));
    });
    expect(seen).toEqual([
      [[1], [1]],
      [
        [1, 2],
        [2, 1],
      ],
      [
        [1, 2, 3],
        [3, 2],
      ],
      [
        [2, 3, 4],
        [4, 3],
      ],
      [
        [3, 4, 5],
        [5, 4],
      ],
    ]);
    expect(journal.latest(9).map(({ atMs }) => atMs)).toEqual([5, 4, 3]);
    expect(journal.size).toBe(3);
    journal.clear();
    expect(journal.latest(2)).toEqual([]);
  });

  it('forgets the oldest Request-Ids beyond its capacity, per client', () => {
    const ids = createRequestIds(2);
    expect([ids.claim('a', '1'), ids.claim('b', '1'), ids.claim('a', '1')]).toEqual([true, true, false]);
    expect([ids.claim('a', '2'), ids.claim('a', '1'), ids.claim('a', '2')]).toEqual([true, true, false]);
  });
});
