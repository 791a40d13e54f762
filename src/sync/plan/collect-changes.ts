import type { EntityName } from '../../domain/entity-name.js';
import type { Issue } from '../../domain/issue.js';
import type { JsonObject } from '../../domain/json.js';
import { recordName } from '../../entities/record-name.js';
import { uuidText } from '../../domain/key/uuid-text.js';
import { hashPayload } from '../../domain/payload/hash-payload.js';
import type { Ledger } from '../../ports/ledger.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { Change, ChangeSink } from '../sweep/read-changes.js';
import { changedFields, type FieldChange } from './changed-fields.js';

/** One record that the next run would act on. */
export interface PlannedChange {
  readonly entity: EntityName;
  /** Of `recordName`. */
  readonly key: string;
  readonly action: 'new' | 'changed' | 'vanished' | 'invalid';
  /** Top-level fields of the body that change; of an invalid record, those with an issue. */
  readonly fields: readonly string[];
  readonly issues: readonly Issue[];
  /** With `--diff`: every field with its value now and then. */
  readonly diff?: readonly FieldChange[];
}

/** Counts what a sweep would stage and lists the first changes; writes nothing. */
export interface ChangeCollector extends ChangeSink {
  listed(): readonly PlannedChange[];
  /** How many there are, listed or not. */
  total(): number;
  /** How many more (or fewer) records would be pending. */
  pendingDelta(): number;
  /** Records that are to be sent already, and of which the sweep finds something else. */
  replaced(): number;
  /** Vanished records that are closed or deleted at the platform. */
  withdrawn(): number;
  /** UUID keys that only changed case: counted as vanished and new, but the record stays. */
  renamed(): number;
}

export interface CollectOptions {
  /** Of changes that are listed. */
  readonly limit: number;
  /** A separate limit for invalid records; null: the common limit. */
  readonly invalidLimit: number | null;
  readonly withDiff: boolean;
}

export function collectChanges(
  entity: ConfiguredEntity,
  ledger: Pick<Ledger, 'payloads'>,
  { limit, invalidLimit, withDiff }: CollectOptions,
): ChangeCollector {
  let listed: PlannedChange[] = [];
  let total = 0;
  const left = { invalid: invalidLimit ?? 0, other: limit };
  const mayList = ({ finding }: Change) => {
    const kind = finding.kind === 'invalid' && invalidLimit !== null ? 'invalid' : 'other';
    if (left[kind] <= 0) return false;
    left[kind] -= 1;
    return true;
  };
  let desired = 0;
  let replaced = 0;
  let withdrawn = 0;
  let vanished = new Set<string>();
  let appeared = new Set<string>();
  const renamed = () => [...appeared].filter((id) => vanished.has(id));

  return {
    listed() {
      const same = new Set(renamed());
      return listed
        .filter(({ action, key }) => action !== 'vanished' || !same.has(uuidText(key) ?? ''))
        .map((change) =>
          change.action === 'new' && same.has(uuidText(change.key) ?? '')
            ? { ...change, action: 'changed' as const }
            : change,
        );
    },
    pendingDelta: () => desired - replaced,
    replaced: () => replaced,
    withdrawn: () => withdrawn - renamed().length,
    renamed: () => renamed().length,
    total: () => total - renamed().length,

    restart() {
      listed = [];
      total = 0;
      Object.assign(left, { invalid: invalidLimit ?? 0, other: limit });
      desired = 0;
      replaced = 0;
      withdrawn = 0;
      vanished = new Set();
      appeared = new Set();
      return Promise.resolve();
    },

    async take(changes) {
      for (const { finding, known } of changes) {
        if (known?.sendable && finding.kind !== 'touched') replaced += 1;
        if (finding.desiredHash !== null) desired += 1;
        if (finding.desiredHash !== null && finding.kind === 'vanished') withdrawn += 1;
        const id = uuidText(finding.key);
        if (id !== null && finding.kind === 'vanished') vanished.add(id);
        if (id !== null && known === null) appeared.add(id);
      }
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      total += real.length;
      const shown = real.filter(mayList);
      const keys = shown
        .filter(({ finding }) => finding.kind !== 'new' && finding.kind !== 'invalid')
        .map(({ finding }) => finding.key);
      const payloads = keys.length > 0 ? await ledger.payloads(entity.name, keys) : new Map<string, never>();
      for (const change of shown) {
        listed.push(describe(entity, change, payloads.get(change.finding.key)?.desired ?? null, withDiff));
      }
    },
  };
}

function describe(
  { name: entity, parent }: ConfiguredEntity,
  { finding, known }: Change,
  before: JsonObject | null,
  withDiff: boolean,
): PlannedChange {
  const { kind, desiredPayload, invalidReason, parentPlatformId } = finding;
  const key = recordName(entity, finding.key, finding.platformId);
  const issues = invalidReason ?? [];
  const action = kind === 'touched' ? 'changed' : kind;
  if (action === 'invalid') {
    return { entity, key, action, fields: [...new Set(issues.map(({ field }) => field))], issues };
  }
  const diff = desiredPayload === null ? [] : changedFields(before, desiredPayload);
  const fields = new Set(diff.map(({ field }) => field.split('.')[0] ?? field));
  // The payload leaves the parent out: it changed if the former payload under it has another hash.
  const link =
    parent && parentPlatformId !== null ? { field: parent.field, platformId: parentPlatformId } : null;
  const moved =
    action === 'changed' &&
    link !== null &&
    before !== null &&
    hashPayload(before, link) !== (known?.desiredHash ?? null);
  if (moved) fields.add(link.field);
  return { entity, key, action, fields: [...fields].sort(), issues, ...(withDiff ? { diff } : {}) };
}
