import type { Issue } from '../../domain/issue.js';
import type { JsonObject } from '../../domain/row.js';
import type { LedgerEntry } from '../../ports/ledger.js';
import type { SourceRow } from '../../ports/source.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import { desiredPayload } from './desired-payload.js';

/** How a mapped row compares with the ledger. */
export type Standing = 'new' | 'changed' | 'unchanged' | 'invalid' | 'foreign';

/** What one row of the source means for its record. */
export interface Examined {
  readonly standing: Standing;
  /** What is to be published; null: nothing. */
  readonly finding: StagedFinding | null;
  readonly warnings: readonly Issue[];
}

export interface ExamineOptions {
  readonly entity: ConfiguredEntity;
  readonly source: SourceRow;
  readonly known: LedgerEntry | null;
  /** What the map noted at the last sweep, also under another key of the same record; null: nothing. */
  readonly noted: JsonObject | null;
  /** The record's id at the platform; null: it has none, because its application is not known here. */
  readonly platformId: string | null;
  /** The ledger's ids may differ, so unchanged records are written too. */
  readonly idsMayDiffer: boolean;
  /** `YYYY-MM-DD HH:MM:SS` in the platform's zone. */
  readonly now: string;
}

const NOTHING_DESIRED = { desiredHash: null, desiredPayload: null };

/** Maps and validates one row, and compares its payload with what the ledger has. Pure. */
export function examineRow(options: ExamineOptions): Examined {
  const { entity, source, known, noted: before, platformId, idsMayDiffer, now } = options;
  if (platformId === null) return { standing: 'foreign', finding: null, warnings: [] };

  const mapped = entity.map(source.row, entity.mapContext);
  const { parentPlatformId, issues, warnings } = mapped;
  const found = { key: source.key, platformId, parentPlatformId, rowVersion: source.rowVersion };
  const desired = desiredPayload(entity, mapped, before, platformId, now);
  if (desired === null) {
    const finding = { kind: 'invalid', ...found, ...NOTHING_DESIRED, invalidReason: issues } as const;
    return { standing: 'invalid', finding, warnings };
  }
  const { payload, noted, hash } = desired;
  const standing = standingOf(known, hash);
  if (standing !== 'unchanged') {
    const wanted = { desiredHash: hash, desiredPayload: payload, invalidReason: null, noted };
    return { standing, finding: { kind: known === null ? 'new' : 'changed', ...found, ...wanted }, warnings };
  }
  const again = known !== null && known.payloadDropped && known.sendable;
  if (!idsMayDiffer && !again && known?.rowVersion === source.rowVersion)
    return { standing, finding: null, warnings };
  // A dropped payload is written again when the record is to be sent.
  const kept = { desiredHash: null, desiredPayload: again ? payload : null, invalidReason: null, noted };
  return { standing, finding: { kind: 'touched', ...found, ...kept }, warnings };
}

/**
 * `hash`: of the mapped payload. A record that returned, or that was invalid, has changed even if its payload is the
 * one desired before.
 */
function standingOf(known: LedgerEntry | null, hash: string): 'new' | 'changed' | 'unchanged' {
  if (known === null) return 'new';
  return known.vanished || known.invalid || known.desiredHash !== hash ? 'changed' : 'unchanged';
}
