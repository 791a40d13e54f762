import type { SourceDifference } from './explain-status.js';
import { shellWord } from '../../core/domain/text.js';
import type { Mapped } from '../../core/entities/entity.js';
import type { EntityState } from '../../core/domain/entity-state.js';
import type { RecordView } from './record-views.js';
import type { SourceRow } from '../../core/ports/source.js';
import type { ConfiguredEntity } from '../../core/context.js';
import { changedFields, type FieldChange } from '../../core/domain/payload.js';
import { isFull, sweepReason } from '../../core/sweep/change-tally.js';

interface Compared {
  readonly view: RecordView | null;
  /** Null: the query does not have it. */
  readonly source: SourceRow | null;
  readonly mapped: Mapped | null;
  /** Of the payload that the row maps to; null: its row has errors. */
  readonly hash: string | null;
  readonly state: EntityState;
  readonly fullEveryMs: number;
}

interface LedgerDifference extends SourceDifference {
  /** From the ledger to the row as it is now; empty: not known. */
  readonly changes: readonly FieldChange[];
}

/** What differs between the row as it is now and the ledger, and when a sweep will see it; null: nothing. */
export function compareWithLedger(
  entity: Pick<ConfiguredEntity, 'name' | 'fingerprint' | 'onVanished' | 'parent'>,
  { view, source, mapped, hash, state, fullEveryMs }: Compared,
): LedgerDifference | null {
  const kind = kindOf(view, mapped, hash);
  // Records of such an entity are never marked as vanished, so nothing is kept back.
  if (kind === null || (kind === 'gone' && entity.onVanished === 'ignore')) return null;
  const reason = sweepReason(state, entity.fingerprint, fullEveryMs);
  const unmoved =
    view !== null && source !== null && source.rowVersion !== null && source.rowVersion === view.rowVersion;
  const { lastFullSweepAt, hold } = state;
  const changes = kind === 'changed' ? changesOf(entity, view, mapped) : [];
  return {
    kind,
    changes,
    fields: changes.map(({ field }) => field),
    sweptAt: state.lastSweepAt?.toISOString() ?? null,
    held: hold !== null,
    mappingChanged: state.fingerprint !== null && state.fingerprint !== entity.fingerprint,
    passedOver:
      unmoved && view.vanishedAt === null && !isFull(reason) && lastFullSweepAt
        ? {
            until: new Date(lastFullSweepAt.getTime() + fullEveryMs).toISOString(),
            command: `placement-sync resync --entity ${entity.name} --key ${shellWord(view.key)}`,
          }
        : null,
  };
}

function kindOf(
  view: RecordView | null,
  mapped: Mapped | null,
  hash: string | null,
): SourceDifference['kind'] | null {
  if (view === null) return mapped === null ? null : 'new';
  const vanished = view.vanishedAt !== null;
  if (mapped === null) return vanished ? null : 'gone';
  if (vanished) return 'back';
  if (hash === null) return view.invalidReason === null ? 'broken' : null;
  if (view.invalidReason !== null) return 'corrected';
  return view.desiredHash === hash ? null : 'changed';
}

/** The parent, by its platform id, is one of the fields. None of a record whose payload is not kept. */
function changesOf(
  { parent }: Pick<ConfiguredEntity, 'parent'>,
  view: RecordView | null,
  mapped: Mapped | null,
): readonly FieldChange[] {
  const known = view?.desiredPayload ?? null;
  if (known === null || !mapped?.payload) return [];
  const [from, to] = [view?.parentPlatformId ?? null, mapped.parentPlatformId];
  const moved = parent !== null && from !== to ? [{ field: `${parent.field}.id`, from, to }] : [];
  return [...moved, ...changedFields(known, mapped.payload)];
}
