import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { signatureProfile, verifySignature } from '../../src/core/contract/signature.js';
import type { CheckedAssumption, CheckId } from '../../src/features/probe/checks.js';
import { type LoopbackServer, type Received, startLoopbackServer } from '../core/platform/servers.js';
import { addCompanies, addVacancies, type CliWorld, createCliWorld, SECRET } from './cli-world.js';

type Json = Record<string, unknown>;

interface StoredCompany {
  readonly id: string;
  reference: string;
  body: Json;
}

/** A reply of the platform before it is sent. */
interface OtherReply {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

/** What a platform does otherwise than assumed. */
export interface Deviations {
  /** Changes any reply that the platform would give. */
  readonly reply?: (reply: OtherReply, request: Received) => void;
  /** Another reference at each Put. */
  readonly newReferences?: boolean;
  /** Whether a request is authentic; default: signed as the interface says. */
  readonly accepts?: (request: Received) => boolean;
  /** What children name of a company. Default: its reference. */
  readonly childrenName?: 'id';
  /** Of a wrong signature. */
  readonly onWrongSignature?: { readonly status: number; readonly body: unknown };
}

interface OtherPlatform extends LoopbackServer {
  readonly url: string;
  readonly companies: ReadonlyMap<string, StoredCompany>;
  readonly vacancies: ReadonlyMap<string, Json>;
  deviate(deviations: Deviations): void;
}

const PROFILE = signatureProfile('digest-lines');

/** A platform of the test's own making, which knows nothing of the sandbox: companies and vacancies, Put and Find. */
async function startOtherPlatform(deviations: Deviations = {}): Promise<OtherPlatform> {
  let now = deviations;
  const companies = new Map<string, StoredCompany>();
  const vacancies = new Map<string, Json>();

  const answer = (request: Received): OtherReply => {
    const headers = {};
    const message = (status: number, text: string) => ({ status, body: { message: text }, headers });
    if (!(now.accepts ?? isAuthentic)(request))
      return { ...(now.onWrongSignature ?? message(401, 'no')), headers };
    const [, kind, id = ''] = /^\/api\/v1\/(employers|jobs)\/([^/]+)\//.exec(request.url) ?? [];
    const done = (data: unknown) => ({ status: 200, body: { data, meta: { version: 'v1' } }, headers });
    if (kind === 'jobs') {
      if (request.method === 'GET')
        return vacancies.has(id) ? done(vacancyView(id, vacancies)) : message(404, 'none');
      const body = JSON.parse(request.body) as Json & { employer: { id: string } };
      const linkOf = ({ id: own, reference }: StoredCompany) => (now.childrenName === 'id' ? own : reference);
      if (![...companies.values()].some((each) => linkOf(each) === body.employer.id))
        return { status: 422, body: { message: 'no', errors: { 'employer.id': ['is not known'] } }, headers };
      vacancies.set(id, body);
      return done({ id, reference: id, title: body.title });
    }
    const held = companies.get(id);
    if (request.method === 'GET') return held ? done(companyView(held)) : message(404, 'none');
    const body = JSON.parse(request.body) as Json;
    const stored = {
      id: held?.id ?? randomUUID(),
      reference: held === undefined || now.newReferences ? randomUUID() : held.reference,
      body,
    };
    companies.set(id, stored);
    return done({ id: stored.id, reference: stored.reference, name: body.name });
  };

  const server = await startLoopbackServer((response: ServerResponse, _, request) => {
    const reply = answer(request);
    now.reply?.(reply, request);
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(text);
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    companies,
    vacancies,
    deviate: (next) => (now = next),
  };
}

function isAuthentic({ method, url, headers, body }: Received): boolean {
  const input = {
    method,
    clientId: String(headers['client-id']),
    requestId: String(headers['request-id']),
    timestamp: String(headers['request-timestamp']),
    requestTarget: url,
    body: body === '' ? null : Buffer.from(body),
  };
  return verifySignature(PROFILE, input, SECRET, String(headers.signature));
}

/** The read shape of the interface, as far as it has what was put. */
function companyView({ id, reference, body }: StoredCompany): Json {
  const {
    name,
    about = null,
    region,
  } = body as { name: string; about?: string; region: { type: string; id: string } };
  return {
    id,
    about,
    employer: {
      id,
      name,
      client_id: randomUUID(),
      reference,
      region: { id: randomUUID(), regionable_type: region.type, regionable_id: region.id },
    },
  };
}

function vacancyView(id: string, vacancies: ReadonlyMap<string, Json>): Json {
  const body = vacancies.get(id) as { title: string; employer: { id: string } };
  const employer = { id: randomUUID(), name: 'x', client_id: randomUUID(), reference: body.employer.id };
  return { id, vacancy: { id, job: { id, reference: id, title: body.title, employer } } };
}

/** One company and its vacancy. */
export const NAMED = ['--company', 'c001', '--vacancy', 'v001'];

interface Probed {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly checks: Readonly<Record<CheckId, CheckedAssumption>>;
  readonly results: Readonly<Record<string, string>>;
}

export async function probe(world: CliWorld, ...args: string[]): Promise<Probed> {
  const { exitCode, stdout, stderr } = await world.cli('probe', '--yes', '--json', ...args);
  const { checks } = JSON.parse(stdout) as { checks: CheckedAssumption[] };
  return {
    exitCode,
    stderr,
    checks: Object.fromEntries(checks.map((check) => [check.id, check])) as Probed['checks'],
    results: Object.fromEntries(checks.map(({ id, result }) => [id, result])),
  };
}

/** Checks that are not confirmed. */
export const others = ({ results }: Probed) =>
  Object.fromEntries(Object.entries(results).filter(([, result]) => result !== 'confirmed'));

export async function filledWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 3);
  await addVacancies(world, 2);
  await world.sql(`update company set about = 'What Company ' || id || ' does'`);
  return world;
}

export async function otherWorld(
  deviations: Deviations,
): Promise<{ world: CliWorld; platform: OtherPlatform }> {
  const world = await filledWorld();
  const platform = await startOtherPlatform(deviations);
  world.env.BASE_URL = platform.url;
  return { world, platform };
}

export const row = async (world: CliWorld, key: string) =>
  (await world.sql(`select * from placement_sync.sync_state where key = $1`, [key]))[0];

/** Changes what the platform answers to a Put that it takes. */
export function onPut(change: (reply: { status: number; body: unknown }) => unknown): Deviations['reply'] {
  return (reply, { method }) => {
    if (method === 'PUT' && reply.status === 200) change(reply);
  };
}
