import { readEvents } from '../contract/read-application.js';
import { SyncError } from '../../../core/domain/errors.js';
import { type ReceivedWebhook, type StoredAs, withoutValues } from './store-application.js';
import type { StateDatabase, Statements } from '../../../core/ledger/database/state-database.js';

/**
 * Bodies that were not recognised when they came are read again: a newer version knows more forms of them. What is an
 * application now is stored as at receipt, with the time, the id and the signature time of its request, in a row with a
 * number of its own, so that whoever follows the table finds it. Each body has a transaction of its own: one that is
 * refused keeps no other back.
 */

/** What became of bodies that were not recognised. */
interface RereadCounts {
  readonly read: number;
  /** Applications that were stored. */
  readonly recognised: number;
  /** Of those: further versions of an application that was stored with other data. */
  readonly versions: number;
  /** Bodies with an application that is stored already; they stay. */
  readonly repeats: number;
  /** Bodies that the database refused; they stay. */
  readonly failed: number;
  /** Of the first failure, without values of an applicant; null: none. */
  readonly reason: string | null;
}

/** Stores one webhook in this transaction. */
export type StoreOne = (statements: Statements, webhook: ReceivedWebhook) => Promise<StoredAs>;

interface StoredBody {
  readonly id: string;
  readonly body: string;
  readonly bytes: Buffer | null;
  readonly requestId: string;
  readonly requestTimestamp: Date;
  readonly receivedAt: Date;
}

/** Bodies that are in memory at a time; each has 1 MiB at most. */
const BATCH = 20;

/** The row of a body leaves when everything in it is stored. More calls do no harm. Errors: SyncError `state-unavailable`. */
export async function rereadWebhooks(database: StateDatabase, storeOne: StoreOne): Promise<RereadCounts> {
  const counts = {
    read: 0,
    recognised: 0,
    versions: 0,
    repeats: 0,
    failed: 0,
    reason: null as string | null,
  };
  // What is stored here gets larger numbers, so the end is fixed first.
  const [last] = await database.query<{ id: string }>(
    `select cast(coalesce(max(id), 0) as text) as id from :schema:.job_application`,
  );
  for (let after = '0'; ;) {
    const bodies = await database.query<StoredBody>(
      `select cast(a.id as text) as id, body, body_bytes as bytes, request_id as "requestId",
         request_timestamp as "requestTimestamp", received_at as "receivedAt"
       from :schema:.job_application a
       where layout = 'unrecognised' and a.id > cast(:after as bigint) and a.id <= cast(:last as bigint)
       order by a.id limit ${BATCH}`,
      { after, last: last?.id ?? '0' },
    );
    for (const stored of bodies) {
      after = stored.id;
      counts.read += 1;
      try {
        const found = await rereadOne(database, storeOne, stored);
        counts.recognised += found.recognised;
        counts.versions += found.versions;
        counts.repeats += found.isRepeat ? 1 : 0;
      } catch (error) {
        if (!(error instanceof SyncError) || error.code === 'state-unavailable') throw error;
        counts.failed += 1;
        counts.reason ??= (withoutValues(error) as SyncError).message;
      }
    }
    if (bodies.length < BATCH) return counts;
  }
}

async function rereadOne(database: StateDatabase, storeOne: StoreOne, stored: StoredBody) {
  const { id, requestId, requestTimestamp, receivedAt } = stored;
  const events = readEvents(stored.bytes ?? Buffer.from(stored.body, 'utf8')) ?? [];
  if (!events.some(({ application }) => application.applicationId !== null))
    return { recognised: 0, versions: 0, isRepeat: false };
  return database.transaction(async (statements) => {
    let recognised = 0;
    let versions = 0;
    let isRepeat = false;
    for (const event of events) {
      const request = { requestId, requestTimestampMs: requestTimestamp.getTime(), receivedAt };
      const storedAs = await storeOne(statements, { ...event, ...request });
      if (event.application.applicationId === null) continue;
      recognised += storedAs === 'repeat' ? 0 : 1;
      versions += storedAs === 'changed' ? 1 : 0;
      isRepeat ||= storedAs === 'repeat';
    }
    if (!isRepeat)
      await statements.query('delete from :schema:.job_application where id = cast(:id as bigint)', { id });
    return { recognised, versions, isRepeat };
  });
}
