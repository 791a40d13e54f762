import { createHash } from 'node:crypto';
import type { EntityName } from '../../core/domain/names.js';
import { ENTITY_NAMES } from '../../core/entities/registry.js';

/** A record with its last accepted body. */
export interface StoredRecord<Body = Readonly<Record<string, unknown>>> {
  /** The id in the path, lower case. */
  readonly id: string;
  /** What a Put returns as `reference`: not the path's id, the same until the record is forgotten, then another. */
  readonly reference: string;
  /** What a Put returns as `id`: the platform's own. */
  readonly remoteId: string;
  body: Body;
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Number of accepted Puts. */
  puts: number;
}

export interface Store {
  put(kind: EntityName, id: string, body: StoredRecord['body'], nowMs: number): StoredRecord;
  find(kind: EntityName, id: string): StoredRecord | null;
  /** The record of that kind which has this `reference` now. */
  findByReference(kind: EntityName, reference: string): StoredRecord | null;
  /** In the order of creation. */
  list(kind: EntityName): readonly StoredRecord[];
  /** Whether there was one. */
  forget(kind: EntityName, id: string): boolean;
}

/** Everything that the sandbox holds, in memory. */
export function createStore(): Store {
  const maps = new Map(ENTITY_NAMES.map((kind) => [kind, new Map<string, StoredRecord>()]));
  /** Path ids by kind and reference. */
  const byReference = new Map<string, string>();
  /** How many times a record was forgotten: created again, it is another one. */
  const forgotten = new Map<string, number>();
  const mapOf = (kind: EntityName): Map<string, StoredRecord> => {
    const found = maps.get(kind);
    if (found === undefined) throw new TypeError(`the sandbox knows no kind ${kind}`);
    return found;
  };

  const find = (kind: EntityName, id: string): StoredRecord | null =>
    mapOf(kind).get(id.toLowerCase()) ?? null;

  return {
    put(kind, id, body, nowMs) {
      const known = find(kind, id);
      if (known !== null) {
        known.body = body;
        known.updatedAtMs = nowMs;
        known.puts += 1;
        return known;
      }
      const pathId = id.toLowerCase();
      const times = forgotten.get(`${kind}/${pathId}`) ?? 0;
      const life = times === 0 ? pathId : `${pathId}#${String(times)}`;
      const made: StoredRecord = {
        id: pathId,
        reference: derivedId(`${kind}/reference`, life),
        remoteId: derivedId(`${kind}/id`, life),
        body,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        puts: 1,
      };
      mapOf(kind).set(pathId, made);
      byReference.set(`${kind}/${made.reference}`, pathId);
      return made;
    },
    find,
    findByReference(kind, reference) {
      const id = byReference.get(`${kind}/${reference.toLowerCase()}`);
      return id === undefined ? null : find(kind, id);
    },
    list: (kind) => [...mapOf(kind).values()],
    forget(kind, id) {
      const pathId = id.toLowerCase();
      const known = find(kind, pathId);
      if (known === null) return false;
      mapOf(kind).delete(pathId);
      byReference.delete(`${kind}/${known.reference}`);
      forgotten.set(`${kind}/${pathId}`, (forgotten.get(`${kind}/${pathId}`) ?? 0) + 1);
      return true;
    },
  };
}

/**
 * A UUID that is the same for the same input, so that two sandboxes answer alike.
 * @param label what the id is of, so that several ids of one record differ
 * @param from usually the id in the path
 */
export function derivedId(label: string, from: string): string {
  const hex = createHash('sha256').update(`${label}:${from}`).digest('hex');
  // Version 8 (free form) and the RFC's variant.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
