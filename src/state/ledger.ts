import type { EntityName } from '../domain/entity-name.js';
import type { JsonObject } from '../domain/json.js';
import { bucketOf, digestColumns } from '../ports/digest-sql.js';
import type { Ledger, LedgerDigest, LedgerEntry } from '../ports/ledger.js';
import type { Buckets } from '../ports/source.js';
import { fetchPages } from './fetch-pages.js';
import type { StateDatabase } from './state-database.js';

const PAGE_SIZE = 5_000;

interface DigestRow {
  bucket: number;
  count: string;
  sum0: string;
  sum1: string;
}

/** The ledger's side of a sweep's version pass. */
export function createLedger(database: StateDatabase): Ledger {
  const digests = async (entity: EntityName, bucketSql: string): Promise<Map<number, LedgerDigest>> => {
    const rows = await database.query<DigestRow>(
      `select ${bucketSql} as bucket, ${digestColumns('key', "coalesce(row_version, '')")}
       from :schema:.sync_state where entity = :entity and vanished_at is null group by 1`,
      { entity },
    );
    const invalid = await database.query<{ bucket: number; count: string }>(
      `select ${bucketSql} as bucket, count(*) as count
       from :schema:.sync_state
       where entity = :entity and not settled and vanished_at is null and invalid_reason is not null group by 1`,
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

    entries: (entity, buckets: Buckets | null): AsyncIterable<readonly LedgerEntry[]> =>
      fetchPages<LedgerEntry>(
        database,
        `select key, row_version as "rowVersion", vanished_at is not null as vanished,
           invalid_reason is not null as invalid, desired_hash as "desiredHash", sendable
         from :schema:.sync_state where entity = :entity
         ${buckets ? `and ${bucketOf('key', buckets.count)} = any(:numbers)` : ''}
         order by key`,
        { entity, numbers: buckets?.numbers ?? [] },
        PAGE_SIZE,
      ),

    async payloads(entity, keys) {
      const rows = await database.query<{ key: string; payload: JsonObject | null }>(
        'select key, desired_payload as payload from :schema:.sync_state where entity = :entity and key = any(:keys)',
        { entity, keys },
      );
      return new Map(rows.map(({ key, payload }) => [key, payload]));
    },
  };
}
