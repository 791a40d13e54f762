import type { ApplicationStatusBody } from '../contract/application-status.js';
import type { CompanyBody } from '../contract/company.js';
import type { InstitutionBody } from '../contract/institution.js';
import type { TrainingBody } from '../contract/training.js';
import type { VacancyBody } from '../contract/vacancy.js';
import { derivedId } from './derived-id.js';
import { SANDBOX_KINDS, type SandboxKind } from './sandbox-options.js';

const KINDS = Object.keys(SANDBOX_KINDS) as SandboxKind[];

/** Last accepted body of each kind. */
export interface BodyOf {
  companies: CompanyBody;
  vacancies: VacancyBody;
  institutions: InstitutionBody;
  trainings: TrainingBody;
  'application-statuses': ApplicationStatusBody;
}

export interface StoredRecord<K extends SandboxKind = SandboxKind> {
  /** The id in the path, lower case. */
  readonly id: string;
  /** What a Put returns as `reference`: not the path's id, the same until the record is forgotten, then another. */
  readonly reference: string;
  /** What a Put returns as `id`: the platform's own. */
  readonly remoteId: string;
  body: BodyOf[K];
  readonly createdAtMs: number;
  updatedAtMs: number;
  /** Number of accepted Puts. */
  puts: number;
}

/** A record apart from the store it is in. */
export type KeptRecord = { readonly kind: SandboxKind } & Readonly<StoredRecord>;

/** How many times the record of this id was forgotten. */
export interface ForgottenRecord {
  readonly kind: SandboxKind;
  readonly id: string;
  readonly times: number;
}

/** Everything in a store; records of one kind in the order of creation. */
export interface StoreContents {
  readonly records: readonly KeptRecord[];
  readonly forgotten: readonly ForgottenRecord[];
}

export interface StoreOptions {
  /** Default: nothing. */
  readonly contents?: StoreContents | null;
  /** Called after each change. */
  readonly onChange?: () => void;
}

export interface Store {
  put<K extends SandboxKind>(kind: K, id: string, body: BodyOf[K], nowMs: number): StoredRecord<K>;
  find<K extends SandboxKind>(kind: K, id: string): StoredRecord<K> | null;
  /** The record of that kind which has this `reference` now. */
  findByReference<K extends SandboxKind>(kind: K, reference: string): StoredRecord<K> | null;
  /** In the order of creation. */
  list<K extends SandboxKind>(kind: K): readonly StoredRecord<K>[];
  count(kind: SandboxKind): number;
  /** Whether there was one. */
  forget(kind: SandboxKind, id: string): boolean;
  /** A copy of what there is now. */
  contents(): StoreContents;
}

/** Everything that the sandbox holds, in memory. */
export function createStore({ contents = null, onChange }: StoreOptions = {}): Store {
  const maps: { [K in SandboxKind]: Map<string, StoredRecord<K>> } = {
    companies: new Map(),
    vacancies: new Map(),
    institutions: new Map(),
    trainings: new Map(),
    'application-statuses': new Map(),
  };
  /** Path ids by kind and reference. */
  const byReference = new Map<string, string>();
  /** How many times a record was forgotten: made anew, it is another one. */
  const forgotten = new Map<string, number>();
  const mapOf = <K extends SandboxKind>(kind: K): Map<string, StoredRecord<K>> => maps[kind];
  for (const { kind, ...record } of contents?.records ?? []) {
    mapOf<SandboxKind>(kind).set(record.id, record);
    byReference.set(`${kind}/${record.reference}`, record.id);
  }
  for (const { kind, id, times } of contents?.forgotten ?? []) forgotten.set(`${kind}/${id}`, times);

  const find = <K extends SandboxKind>(kind: K, id: string): StoredRecord<K> | null =>
    mapOf(kind).get(id.toLowerCase()) ?? null;

  return {
    put(kind, id, body, nowMs) {
      const known = find(kind, id);
      if (known !== null) {
        known.body = body;
        known.updatedAtMs = nowMs;
        known.puts += 1;
        onChange?.();
        return known;
      }
      const pathId = id.toLowerCase();
      const times = forgotten.get(`${kind}/${pathId}`) ?? 0;
      const life = times === 0 ? pathId : `${pathId}#${String(times)}`;
      const made: StoredRecord<typeof kind> = {
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
      onChange?.();
      return made;
    },
    find,
    findByReference(kind, reference) {
      const id = byReference.get(`${kind}/${reference.toLowerCase()}`);
      return id === undefined ? null : find(kind, id);
    },
    list: (kind) => [...mapOf(kind).values()],
    count: (kind) => mapOf(kind).size,
    forget(kind, id) {
      const pathId = id.toLowerCase();
      const known = find(kind, pathId);
      if (known === null) return false;
      mapOf(kind).delete(pathId);
      byReference.delete(`${kind}/${known.reference}`);
      forgotten.set(`${kind}/${pathId}`, (forgotten.get(`${kind}/${pathId}`) ?? 0) + 1);
      onChange?.();
      return true;
    },
    contents: () => ({
      records: KINDS.flatMap((kind) =>
        [...mapOf<SandboxKind>(kind).values()].map((record) => ({ kind, ...record })),
      ),
      forgotten: [...forgotten].map(([name, times]) => {
        const [kind, id] = name.split('/') as [SandboxKind, string];
        return { kind, id, times };
      }),
    }),
  };
}
