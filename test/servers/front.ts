import { onTestFinished } from 'vitest';
import type { Intercept } from '../../src/features/sandbox/sandbox-options.js';
import type { RunningSandbox } from '../../src/features/sandbox/start-sandbox.js';
import { type Received, startLoopbackServer } from '../core/platform/servers.js';

/** What the sandbox answered, before the client gets it. */
interface FrontReply {
  status: number;
  json: { data?: Record<string, unknown>; meta?: Record<string, unknown> };
}

/** Changes a reply. */
export type Difference = (reply: FrontReply, request: Received) => void;

interface Front {
  readonly url: string;
  /** Null: none. */
  difference: Difference | null;
}

/** A platform that answers otherwise: a real server before the sandbox, which passes each request on as it came. */
export async function startFront(sandboxUrl: string, difference: Difference | null): Promise<Front> {
  const server = await startLoopbackServer((response, _, request) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    void fetch(sandboxUrl + request.url, {
      method: request.method,
      headers: headers as Record<string, string>,
      ...(request.body === '' ? {} : { body: request.body }),
    }).then(async (answer) => {
      const reply: FrontReply = {
        status: answer.status,
        json: (await answer.json()) as FrontReply['json'],
      };
      front.difference?.(reply, request);
      response
        .writeHead(reply.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply.json));
    });
  });
  onTestFinished(() => server.close());
  const front: Front = { url: `http://127.0.0.1:${server.port}`, difference };
  return front;
}

interface ShownVacancy {
  readonly job: Record<string, unknown> & { readonly title: string };
}

/** Moderators made this of vacancies: the word by title, in place of the status. */
export function moderating(words: Readonly<Record<string, string>>): Difference {
  return ({ json }, { method }) => {
    const { job } = (json.data?.vacancy ?? {}) as Partial<ShownVacancy>;
    if (method !== 'GET' || job === undefined) return;
    job.status = words[job.title] ?? job.status;
  };
}

/** The region of each vacancy is deleted, as renamed or merged ones are. */
export const deletingRegions: Difference = ({ json }) => {
  const { job } = (json.data?.vacancy ?? {}) as Partial<ShownVacancy>;
  const { regionable } = (job?.region ?? {}) as { regionable?: { deleted_at: string } };
  if (regionable) regionable.deleted_at = '2021-01-01 00:00:00';
};

/** A Find cuts what companies write about themselves. */
export const shortening: Difference = ({ json: { data } }, { method }) => {
  if (method === 'GET' && typeof data?.about === 'string') data.about = `${data.about.slice(0, 12)}…`;
};

/** Puts are done with this status. */
export function puttingWith(status: number): Difference {
  return (reply, { method }) => {
    if (method === 'PUT' && reply.status === 200) reply.status = status;
  };
}

/** `meta` names this version. */
export function ofVersion(version: () => string): Difference {
  return ({ json }) => {
    if (json.meta) json.meta.version = version();
  };
}

/** Vacancies may name a company only so long after its first Put, as where a copy of the data follows. */
export function knowingLate(sandbox: Pick<RunningSandbox, 'records'>, afterMs: number): Intercept {
  return ({ operation, body }) => {
    if (operation !== 'putVacancy') return undefined;
    const { employer } = body as { employer: { id: string } };
    const company = sandbox.records('jobs', 'companies').find(({ reference }) => reference === employer.id);
    if (company && Date.now() >= Date.parse(company.createdAt) + afterMs) return undefined;
    const message = 'The employer.id field is not the reference of a known company.';
    return {
      status: 422,
      body: { message: 'The given data was invalid.', errors: { 'employer.id': [message] } },
    };
  };
}
