import type { Issue } from '../../domain/issue.js';
import { platformId } from '../../domain/key/platform-id.js';
import { hashPayload } from '../../domain/payload/hash-payload.js';
import type { LedgerEntry } from '../../ports/ledger.js';
import type { SourceRow } from '../../ports/source.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { EntityPlan } from '../entity-plan.js';
import { classify, type Standing } from './classify.js';

/** What one row of the source means for its record. */
export interface Examined {
  readonly standing: Standing;
  /** What has to be published; null when nothing has. */
  readonly finding: StagedFinding | null;
  readonly warnings: readonly Issue[];
}

/**
 * Maps and validates one row, and compares what it wants with what the ledger has. Pure. `anew`: the ledger's ids may
 * have been made with another namespace, so that an unchanged record is written all the same.
 */
export function examineRow(
  plan: EntityPlan,
  source: SourceRow,
  known: LedgerEntry | null,
  anew: boolean,
): Examined {
  const { entity, mapContext } = plan;
  const mapped = entity.map(source.row, mapContext);
  const id = platformId(entity.name, source.key, mapContext.namespace);
  const { payload, parentPlatformId, issues, warnings } = mapped;
  const base = { key: source.key, platformId: id, parentPlatformId, rowVersion: source.rowVersion };

  if (payload === null) {
    return {
      standing: 'invalid',
      finding: { ...base, kind: 'invalid', desiredHash: null, desiredPayload: null, invalidReason: issues },
      warnings,
    };
  }
  const hash = hashPayload(
    payload,
    entity.parent && parentPlatformId !== null
      ? { field: entity.parent.field, platformId: parentPlatformId }
      : null,
  );
  const standing = classify(known, hash);
  if (standing === 'unchanged') {
    const touched = anew || known?.rowVersion !== source.rowVersion;
    return {
      standing,
      finding: touched
        ? { ...base, kind: 'touched', desiredHash: null, desiredPayload: null, invalidReason: null }
        : null,
      warnings,
    };
  }
  return {
    standing,
    finding: {
      ...base,
      kind: known === null ? 'new' : 'changed',
      desiredHash: hash,
      desiredPayload: payload,
      invalidReason: null,
    },
    warnings,
  };
}
