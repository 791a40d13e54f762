import type { EntityName } from '../../core/domain/names.js';
import type { JsonObject } from '../../core/domain/row.js';
import { scalarText } from '../../core/entities/values.js';
import type { ConfiguredEntity } from '../../core/context.js';
import type { Change } from '../../core/sweep/read-changes.js';

/** A whole record as a run would send it. */
export interface SampledRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** Null: its entity has no parent. */
  readonly parent: { readonly entity: EntityName; readonly key: string | null } | null;
  /** Its title or name comes first. Without the parent, which is put in when it is sent. */
  readonly record: JsonObject;
}

/** By which people know a record. */
const TITLES = ['title', 'name'];

/**
 * So many of the records that a run would send, in memory. They are those with the least platform ids: an id is a hash of
 * the key, so they lie anywhere in the source, and stay the same while somebody works on the query. What is about a
 * person's application is not sampled.
 */
export function sampleRecords({ name, parent, application }: ConfiguredEntity, size: number) {
  let found: (SampledRecord & { readonly platformId: string })[] = [];
  return {
    restart: () => void (found = []),
    take(changes: readonly Change[]): void {
      if (application || size === 0) return;
      for (const { finding, row } of changes) {
        const { key, platformId, desiredPayload: payload } = finding;
        const last = found.length < size ? undefined : found.at(-1)?.platformId;
        if (payload === null || platformId === null || (last !== undefined && platformId >= last)) continue;
        const named = parent && scalarText(row?.[parent.column]);
        const above = parent && {
          entity: parent.entity,
          key: named && 'value' in named ? (named.value ?? null) : null,
        };
        found.push({ entity: name, key, platformId, parent: above, record: titleFirst(payload) });
        found.sort((one, other) => (one.platformId < other.platformId ? -1 : 1));
        found = found.slice(0, size);
      }
    },
    records: (): readonly SampledRecord[] => found.map(({ platformId: _, ...record }) => record),
  };
}

function titleFirst(payload: JsonObject): JsonObject {
  const titles = Object.entries(payload).filter(([field]) => TITLES.includes(field));
  return { ...Object.fromEntries(titles), ...payload };
}
