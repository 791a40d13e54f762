import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { World } from './world.js';
import { listen } from '../loopback.js';

type Fields = Readonly<Record<string, unknown>>;

/** One record as this platform keeps it: its body, and the links that it gave it. */
interface KeptRecord {
  readonly id: string;
  readonly reference: string;
  body: Fields;
}

export interface KeepingPlatform {
  readonly url: string;
  /** By path. A test may change the bodies, as somebody else does at the platform. */
  readonly records: Map<string, KeptRecord>;
  /** Of every request since the last call: `PUT /path`, and its body. */
  requests(): { readonly line: string; readonly body: Fields }[];
  /** How a Find shows a record; the request's own fields at the top level until a test sets another. */
  show: (record: KeptRecord) => Fields;
}

interface KeepingPlatformOptions {
  /** Whether a Put leaves fields alone that it does not name; if not, it replaces the record. */
  readonly merges: boolean;
}

/**
 * A platform that shares no code with this project: no schemas, no signature, and its own idea of what a Put and a Find
 * do. It ends with the test.
 */
export async function startKeepingPlatform({ merges }: KeepingPlatformOptions): Promise<KeepingPlatform> {
  const records = new Map<string, KeptRecord>();
  let seen: { line: string; body: Fields }[] = [];
  const platform = { show: ({ id, reference, body }: KeptRecord): Fields => ({ id, reference, ...body }) };
  const data = (method: string, path: string, body: Fields): Fields | null => {
    const known = records.get(path);
    if (method === 'GET') return known ? platform.show(known) : null;
    const record = known ?? { id: randomUUID(), reference: randomUUID(), body: {} };
    record.body = merges ? { ...record.body, ...body } : body;
    records.set(path, record);
    const { id, reference } = record;
    return { id, reference, created_at: '2026-01-31 08:00:00' };
  };
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const { method = '', url: path = '' } = request;
      seen.push({ line: `${method} ${path}`, body });
      const found = data(method, path, body);
      response.writeHead(found === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found === null ? { message: 'Not found' } : { data: found, meta: {} }));
    });
  });
  const { port } = await listen(server);
  return Object.assign(platform, {
    url: `http://127.0.0.1:${port}`,
    records,
    requests() {
      const found = seen;
      seen = [];
      return found;
    },
  });
}

async function readJson(request: IncomingMessage): Promise<Fields> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Fields);
}

/** A request as a platform of our own sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** The id of the path. */
  readonly id: string;
  readonly body: Record<string, unknown> | null;
  /** How many records of this kind came before this one; from 1. */
  readonly number: number;
}

export interface Said {
  readonly status: number;
  /** An object is sent as JSON, a text as it is; absent: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A platform that shares no line with the program: it stores what is put, and answers as the test says. */
export interface OtherPlatform {
  readonly url: string;
  /** Bodies by path. */
  readonly held: ReadonlyMap<string, Record<string, unknown>>;
  /** Requests since the last call, as `PUT /path`. */
  requests(): string[];
  answer: (asked: Asked) => Said;
}

export async function startOtherPlatform(answer: OtherPlatform['answer']): Promise<OtherPlatform> {
  const held = new Map<string, Record<string, unknown>>();
  const numbers = new Map<string, number>();
  let requests: string[] = [];
  const platform: OtherPlatform = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    held,
    requests() {
      const found = requests;
      requests = [];
      return found;
    },
    answer,
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '' } = request;
    requests.push(`${method} ${path}`);
    const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? '';
    const number = numbers.get(path) ?? numbers.size + 1;
    numbers.set(path, number);
    const said = platform.answer({ method, path, id, body, number });
    if (body !== null && said.status < 300) held.set(path, body);
    const json = said.body !== undefined && typeof said.body !== 'string';
    response.writeHead(said.status, {
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...said.headers,
    });
    response.end(json ? JSON.stringify(said.body) : said.body);
  };
  const server = createServer((request, response) => void serve(request, response));
  const { port } = await listen(server);
  return platform;
}

/** Tables of the state schema that a sync works with. */
const TABLES = [
  'sync_state',
  'lease',
  'entity_state',
  'sync_run',
  'staged_finding',
  'environment',
  'schedule',
];

/**
 * Keeps all rows of the state schema as they are now, and gives what puts them back in one transaction: what a restored
 * backup, or a replica that was behind, looks like to the processes that live on. `elsewhere`: the rows were written by
 * another server, or before another fail-over, as the lease says that they were.
 */
export async function keepRows(world: World): Promise<(options?: { elsewhere?: boolean }) => Promise<void>> {
  const columns = await world.sql<{ table: string; list: string }>(
    `select table_name as "table", string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list
     from information_schema.columns
     where table_schema = 'placement_sync' and table_name = any($1) and is_generated = 'NEVER' group by 1`,
    [TABLES],
  );
  await world.sql('drop schema if exists backup cascade');
  await world.sql('create schema backup');
  for (const { table, list } of columns)
    await world.sql(`create table backup.${table} as select ${list} from placement_sync.${table}`);
  return async ({ elsewhere = false } = {}) => {
    const statements = columns.map(
      ({ table, list }) =>
        `delete from placement_sync.${table};
         insert into placement_sync.${table} (${list}) overriding system value select ${list} from backup.${table};`,
    );
    const origin = elsewhere ? `update placement_sync.lease set origin = 'another server';` : '';
    // It waits for no lock while it has another, so that it and a process that works are never in each other's way.
    const lock = `lock table ${columns.map(({ table }) => `placement_sync.${table}`).join(', ')} in exclusive mode nowait;`;
    const goBack = `do $$ begin ${lock} ${statements.join('\n')} ${origin} end $$`;
    while (!(await triedUnlocked(world, goBack))) await wait(10);
  };
}

/** False: another transaction has one of the tables. */
async function triedUnlocked(world: World, statement: string): Promise<boolean> {
  try {
    await world.sql(statement);
    return true;
  } catch (error) {
    if ((error as { readonly code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
