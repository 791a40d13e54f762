import type { EntityName } from '../domain/names.js';
import { ABSENT_HASH } from '../domain/payload.js';
import type { JsonObject } from '../domain/row.js';
import { bucketOf, type Buckets, type Digest, digestColumns, type KeyVersion } from '../ports/source.js';
import { countOf, inBatches, type StateDatabase } from './database/state-database.js';
import { hasChildrenSql, isOfPerson, neverThereSql } from './status-sql.js';

/**
 * What a sweep compares the source with: digests of all records, of buckets of them, and the entries of the buckets that
 * differ. Records that vanished are in the entries only.
 */

/** What the diff sees of a record in the ledger. */
export interface LedgerEntry extends KeyVersion {
  readonly vanished: boolean;
  readonly invalid: boolean;
  /** Hash of what is desired at the platform; null: nothing (never valid yet, or vanished). */
  readonly desiredHash: string | null;
  /** Whether there is still something to send. */
  readonly sendable: boolean;
  /** Something is desired, but its payload was dropped after the acknowledgement. */
  readonly payloadDropped: boolean;
  /** What the entity's map stored for the next sweep. */
  readonly noted: JsonObject | null;
  /** The platform cannot have it: nothing of it was ever sent. */
  readonly neverThere: boolean;
}

/** The payloads of one record. */
export interface KnownPayloads {
  /** What is desired at the platform, or was when the record vanished; null: never valid. */
  readonly desired: JsonObject | null;
  /** What the platform accepted last; null: nothing yet. */
  readonly acknowledged: JsonObject | null;
  /** Whether the platform confirmed its deletion. */
  readonly deleted: boolean;
  /** The parent of what is desired. */
  readonly parentPlatformId: string | null;
  /** The parent under which the platform accepted it last. */
  readonly acknowledgedParentPlatformId: string | null;
}

/** Digest of one part of the ledger, and how many of its records are invalid. */
export interface LedgerDigest extends Digest {
  readonly invalid: number;
}

export type Ledger = ReturnType<typeof createLedger>;

interface DigestRow {
  bucket: number;
  count: string;
  sum0: string;
  sum1: string;
}

const PAGE_SIZE = 5_000;

export function createLedger(database: StateDatabase) {
  const digests = async (entity: EntityName, bucketSql: string): Promise<Map<number, LedgerDigest>> => {
    const rows = await database.query<DigestRow>(
      `select ${bucketSql} as bucket, ${digestColumns('key', "coalesce(row_version, '')")}
       from :schema:.sync_state where entity = :entity and vanished_at is null group by 1`,
      { entity },
    );
    // `not sendable` says nothing more, but an index has it; that of unsettled records is long while many are to be sent.
    const invalid = await database.query<{ bucket: number; count: string }>(
      `select ${bucketSql} as bucket, count(*) as count
       from :schema:.sync_state
       where entity = :entity and not settled and not sendable and vanished_at is null and invalid_reason is not null group by 1`,
      { entity },
    );
    const invalidCounts = new Map(invalid.map((row) => [row.bucket, Number(row.count)]));
    return new Map(
      rows.map(({ bucket, count, sum0, sum1 }) => [
        bucket,
        { count: Number(count), sum0, sum1, unversioned: 0, invalid: invalidCounts.get(bucket) ?? 0 },
      ]),
    );
  };

  return {
    async digest(entity: EntityName) {
      const all = (await digests(entity, '0')).get(0);
      return all ?? { count: 0, sum0: '0', sum1: '0', unversioned: 0, invalid: 0 };
    },

    bucketDigests: (entity: EntityName, count: number) =>
      digests(entity, `cast(${bucketOf('key', count)} as integer)`),

    /**
     * Pages in the order of `key COLLATE "C"`; null = all. Each is read in its own transaction: one as long as the reading of
     * the source would block vacuum. Only a sweep changes keys, and there is one sweep at a time. The next page is read while
     * the consumer works on this one.
     */
    async *entries(entity: EntityName, buckets: Buckets | null): AsyncGenerator<readonly LedgerEntry[]> {
      const numbers = buckets?.numbers ?? [];
      const pageAfter = (after: string | null) => {
        const sql = entriesSql(buckets, after !== null);
        const page = database.query<LedgerEntry>(sql, { entity, after, numbers });
        // The await below handles a rejection; no handler is attached until then.
        page.catch(() => undefined);
        return page;
      };
      let next: Promise<readonly LedgerEntry[]> | null = pageAfter(null);
      try {
        while (next !== null) {
          const page: readonly LedgerEntry[] = await next;
          next = page.length < PAGE_SIZE ? null : pageAfter(page.at(-1)?.key ?? null);
          if (page.length > 0) yield page;
        }
      } finally {
        await next?.catch(() => undefined);
      }
    },

    /**
     * Deletes records that vanished longer ago than this and have nothing left to send. A parent of others stays: they
     * need its reference. `retentionMs`: milliseconds.
     */
    async prune(retentionMs: number) {
      await database.query(
        `delete from :schema:.sync_state s
         where s.vanished_at < now() - :retention * interval '1 millisecond' and s.claim_token is null
           and (s.desired_hash is null or (s.desired_hash is not distinct from s.acknowledged_hash and s.confirm_at is null))
           and not ${hasChildrenSql('s')}`,
        { retention: retentionMs },
      );
    },

    /**
     * Deletes application statuses with their requests in the journal, when nothing was sent of them for so long, nothing is
     * left to send, and their application left the inbox: a row that the source still has is foreign from then on.
     */
    async pruneStatuses(retentionMs: number) {
      await inBatches(PAGE_SIZE, () => countOf(database, PRUNE_STATUSES, { retention: retentionMs }));
    },

    /** What maps stored for records, by platform id; a record without it is missing. */
    async notes(entity: EntityName, platformIds: readonly string[]) {
      const rows = await database.query<{ platformId: string; noted: JsonObject }>(
        `select platform_id as "platformId", noted from :schema:.sync_state
         where entity = :entity and platform_id = any(cast(:platformIds as uuid[])) and noted is not null`,
        { entity, platformIds },
      );
      return new Map(rows.map(({ platformId, noted }) => [platformId, noted]));
    },

    async payloads(entity: EntityName, keys: readonly string[]) {
      const rows = await database.query<KnownPayloads & { key: string }>(
        `select key, desired_payload as desired,
           case when acknowledged_at is not null then coalesce(acknowledged_payload, desired_payload) end as acknowledged,
           acknowledged_hash is not distinct from :absent as deleted, parent_platform_id as "parentPlatformId",
           coalesce(acknowledged_parent_platform_id, parent_platform_id) as "acknowledgedParentPlatformId"
         from :schema:.sync_state where entity = :entity and key = any(:keys)`,
        { entity, keys, absent: ABSENT_HASH },
      );
      return new Map(rows.map(({ key, ...payloads }) => [key, payloads]));
    },
  };
}

const PRUNE_STATUSES = `with gone as (
    delete from :schema:.sync_state where (entity, key) in (
      select s.entity, s.key from :schema:.sync_state s
      where ${isOfPerson('s')} and not s.sendable and s.claim_token is null and s.confirm_at is null
        and greatest(s.acknowledged_at, s.attempted_at, s.desired_at) < now() - :retention * interval '1 millisecond'
        and not exists (select 1 from :schema:.job_application a where a.application_id = s.platform_id)
      limit ${PAGE_SIZE}
    ) returning platform_id
  ), requests as (
    delete from :schema:.delivery d using gone where ${isOfPerson('d')} and d.platform_id = gone.platform_id
  )
  select count(*) as count from gone`;

/** SQL: one page of entries. For a few buckets, finds the keys in the digest's index and reads only their rows. */
function entriesSql(buckets: Buckets | null, further: boolean): string {
  const columns = `s.key, s.row_version as "rowVersion", s.vanished_at is not null as vanished,
    s.invalid_reason is not null as invalid, s.desired_hash as "desiredHash", s.sendable,
    s.desired_hash is not null and s.desired_payload is null as "payloadDropped", s.noted,
    ${neverThereSql('s')} as "neverThere"`;
  const range = `s.entity = :entity ${further ? 'and s.key > :after' : ''}`;
  if (!buckets)
    return `select ${columns} from :schema:.sync_state s where ${range} order by s.key limit ${PAGE_SIZE}`;
  const inBuckets = `${range} and ${bucketOf('s.key', buckets.count)} = any(:numbers)`;
  return `with asked as materialized (
      (select s.key from :schema:.sync_state s where ${inBuckets} and s.vanished_at is null order by s.key limit ${PAGE_SIZE})
      union all
      (select s.key from :schema:.sync_state s where ${inBuckets} and s.vanished_at is not null order by s.key limit ${PAGE_SIZE})
    )
    select ${columns} from asked a join :schema:.sync_state s on s.entity = :entity and s.key = a.key
    order by s.key limit ${PAGE_SIZE}`;
}
