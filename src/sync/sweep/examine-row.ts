import type { Issue } from '../../domain/issue.js';
import type { JsonObject } from '../../domain/json.js';
import type { LedgerEntry } from '../../ports/ledger.js';
import type { SourceRow } from '../../ports/source.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { EntityPlan } from '../entity-plan.js';
import { classify, type Standing } from './classify.js';
import { wantedPayload } from './wanted-payload.js';

/** What one row of the source means for its record. */
export interface Examined {
  readonly standing: Standing;
  /** What has to be published; null when nothing has. */
  readonly finding: StagedFinding | null;
  readonly warnings: readonly Issue[];
}

export interface ExamineOptions {
  readonly plan: EntityPlan;
  readonly source: SourceRow;
  readonly known: LedgerEntry | null;
  /** What the map noted at the last sweep, also under another key of the same record; null: nothing. */
  readonly noted: JsonObject | null;
  /** The record's id at the platform; null: it has none, because its application is not known here. */
  readonly platformId: string | null;
  /** The ledger's ids may have been made with another namespace, so that an unchanged record is written all the same. */
  readonly anew: boolean;
  /** `YYYY-MM-DD HH:MM:SS` in the platform's zone. */
  readonly now: string;
}

/** Maps and validates one row, and compares what it wants with what the ledger has. Pure. */
export function examineRow({
  plan,
  source,
  known,
  noted: before,
  platformId,
  anew,
  now,
}: ExamineOptions): Examined {
  const { entity } = plan;
  if (platformId === null) return { standing: 'foreign', finding: null, warnings: [] };

  const mapped = entity.map(source.row, plan.mapContext);
  const { parentPlatformId, issues, warnings } = mapped;
  const base = { key: source.key, platformId, parentPlatformId, rowVersion: source.rowVersion };
  const wanted = wantedPayload(entity, mapped, before, platformId, now);
  if (wanted === null) {
    return {
      standing: 'invalid',
      finding: { ...base, kind: 'invalid', desiredHash: null, desiredPayload: null, invalidReason: issues },
      warnings,
    };
  }
  const { payload, noted, hash } = wanted;
  const standing = classify(known, hash);
  if (standing === 'unchanged') {
    const again = known !== null && known.payloadDropped && known.sendable;
    const touched = anew || again || known?.rowVersion !== source.rowVersion;
    return {
      standing,
      finding: touched
        ? {
            ...base,
            kind: 'touched',
            desiredHash: null,
            // A payload that was dropped is written again when the record is to be sent.
            desiredPayload: again ? payload : null,
            invalidReason: null,
            noted,
          }
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
      noted,
    },
    warnings,
  };
}
