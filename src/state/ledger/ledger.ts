import type { EntityName } from '../../domain/names.js';
import type { JsonObject } from '../../domain/row.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import { bucketOf, digestColumns } from '../../ports/digest-sql.js';
import type { KnownPayloads, Ledger, LedgerDigest, LedgerEntry } from '../../ports/ledger.js';
import type { Buckets } from '../../ports/source.js';
import type { StateDatabase } from '../database/state-database.js';
import { hasChildrenSql } from './status-sql.js';

const PAGE_SIZE = 5_000;

interface DigestRow {
  bucket: number;
  count: string;
  sum0: string;
  sum1: string;
}

/** SQL: one page of entries. For a few buckets, finds the keys in the digest's index and reads only their rows. */
function entriesSql(buckets: Buckets | null, further: boolean): string {
  const columns = `s.key, s.row_version as "rowVersion", s.vanished_at is not null as vanished,
    s.invalid_reason is not null as invalid, s.desired_hash as "desiredHash", s.sendable,
    s.desired_hash is not null and s.desired_payload is null as "payloadDropped", s.noted`;
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

/** The ledger's side of a sweep's version pass. */
export function createLedger(database: StateDatabase): Ledger {
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
    async digest(entity) {
      const all = (await digests(entity, '0')).get(0);
      return all ?? { count: 0, sum0: '0', sum1: '0', unversioned: 0, invalid: 0 };
    },

    bucketDigests: (entity, count) => digests(entity, `cast(${bucketOf('key', count)} as integer)`),

    // Page by page, each in its own transaction: one as long as the reading of the source would block vacuum. Only a
    // sweep changes keys, and there is one sweep at a time. The next page is read while the consumer works on this one.
    async *entries(entity, buckets: Buckets | null): AsyncGenerator<readonly LedgerEntry[]> {
      const numbers = buckets?.numbers ?? [];
      const pageAfter = (after: string | null) => {
        const page = database.query<LedgerEntry>(entriesSql(buckets, after !== null), {
          entity,
          after,
          numbers,
        });
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

    async prune(retentionMs) {
      await database.query(
        `delete from :schema:.sync_state s
         where s.vanished_at < now() - :retention * interval '1 millisecond' and s.claim_token is null
           and (s.desired_hash is null or (s.desired_hash is not distinct from s.acknowledged_hash and s.confirm_at is null))
           and not ${hasChildrenSql('s')}`,
        { retention: retentionMs },
      );
    },

    async notes(entity, platformIds) {
      const rows = await database.query<{ platformId: string; noted: JsonObject }>(
        `select platform_id as "platformId", noted from :schema:.sync_state
         where entity = :entity and platform_id = any(cast(:platformIds as uuid[])) and noted is not null`,
        { entity, platformIds },
      );
      return new Map(rows.map(({ platformId, noted }) => [platformId, noted]));
    },

    async payloads(entity, keys) {
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
