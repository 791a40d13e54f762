import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { readApplication, readEvents } from '../../../../src/features/webhook/contract/read-application.js';
import { createInbox, type Inbox, type InboxOptions } from '../../../../src/features/webhook/state/inbox.js';
import { createStateDatabase } from '../../../../src/core/ledger/database/state-database.js';
import { createSubjects, type Subjects } from '../../../../src/features/subjects/subjects.js';
import { createMigratedDatabase } from '../../../postgres/test-database.js';
import type { ReceivedWebhook } from '../../../../src/features/webhook/state/store-application.js';

export interface TestInbox {
  readonly inbox: Inbox;
  readonly subjects: Subjects;
  readonly url: string;
  /** Lets a trigger of the partner run this statement with each application: `new` is its row. */
  takeOver(statement: string): Promise<void>;
  /** Another inbox on the same database. */
  with(options: Partial<InboxOptions>): Inbox;
  sql<Row extends Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Every stored row, oldest first. */
  rows(): Promise<Record<string, unknown>[]>;
  /** Puts a vacancy into the ledger. */
  vacancy(key: string, ids: { remoteId?: string; reference?: string; vanished?: boolean }): Promise<void>;
  /** Payloads of the notifications so far, as a client that listens gets them. */
  listen(): Promise<() => Promise<readonly string[]>>;
  /** Ends every connection to the database but the test's own, and refuses new ones until it is given back. */
  takeAway(): Promise<() => Promise<void>>;
}

export async function openTestInbox(): Promise<TestInbox> {
  const database = await createMigratedDatabase();
  const state = createStateDatabase({ url: database.url, poolMax: 4, schema: 'placement_sync' });
  onTestFinished(() => state.close());
  const make: TestInbox['with'] = ({ timeZone = 'Asia/Jakarta', keep = 'body' }) =>
    createInbox(state, { timeZone, keep });
  const sql: TestInbox['sql'] = (text, params) => database.query(text, params);
  return {
    inbox: make({}),
    subjects: createSubjects(state),
    url: database.url,
    takeOver: async (statement) => {
      await sql(takeOverSql(statement));
    },
    with: make,
    sql,
    rows: () => sql('select * from placement_sync.job_application order by id'),
    async vacancy(key, { remoteId = null, reference = null, vanished = false }: Record<string, unknown>) {
      await sql(
        `insert into placement_sync.sync_state (entity, key, platform_id, remote_id, reference, vanished_at)
         values ('vacancies', $1, $2, $3, $4, case when $5 then now() end)`,
        [key, randomUUID(), remoteId, reference, vanished],
      );
    },
    async listen() {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      onTestFinished(() => client.end());
      const heard: string[] = [];
      client.on('notification', ({ payload }) => heard.push(payload ?? ''));
      await client.query('listen placement_sync_job_application');
      return async () => {
        // Whatever was committed before this statement has arrived with its answer.
        await client.query('select 1');
        return heard;
      };
    },
    async takeAway() {
      const allow = (flag: boolean) => onServerAllow(database.url, database.name, flag);
      await allow(false);
      return () => allow(true);
    },
  };
}

/** SQL of such a trigger; a second one replaces the first. */
export const takeOverSql = (statement: string): string =>
  `create or replace function public.take_over() returns trigger language plpgsql as $take_over$
   begin ${statement}; return null; end $take_over$;
   drop trigger if exists take_over on placement_sync.job_application;
   create trigger take_over after insert on placement_sync.job_application
     for each row when (new.application_ref is not null) execute function public.take_over()`;

async function onServerAllow(url: string, name: string, flag: boolean): Promise<void> {
  const server = new URL(url);
  server.pathname = '/template1';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(`alter database ${name} allow_connections ${flag}`);
  if (!flag)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}

export function fixture(name: 'applied-at' | 'flat' | 'cancelled'): Record<string, unknown> {
  const file = new URL(`../../../fixtures/webhooks/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

/** A webhook as the listener hands it over. */
export function received(
  body: Record<string, unknown> | string | Uint8Array,
  options: Partial<Pick<ReceivedWebhook, 'requestId' | 'requestTimestampMs'>> = {},
): ReceivedWebhook {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    application: readEvents(bytes)?.[0]?.application ?? readApplication(null),
    body: bytes,
    requestId: randomUUID(),
    requestTimestampMs: Date.UTC(2026, 1, 14, 2, 13, 0),
    ...options,
  };
}
