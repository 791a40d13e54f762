import { SyncError } from '../domain/errors.js';
import type { Issue } from '../domain/issue.js';
import { platformId, uuidText } from '../domain/key.js';
import { hashPayload } from '../domain/payload.js';
import type { JsonObject } from '../domain/row.js';
import type { Entity, Mapped } from '../entities/entity.js';
import type { StagedFinding } from '../ledger/staging.js';
import type { EntityQuery, SourceRow } from '../ports/source.js';
import type { ConfiguredEntity, RunState } from '../context.js';
import type { LedgerEntry } from '../ledger/ledger.js';

/**
 * What one row of the source means: its record's platform id (`locatorOf`), its payload and hash (`desiredPayload`),
 * and how these compare with the ledger (`examineRow`). `mappingFingerprint` says when all rows mean something else.
 */

type Standing = 'new' | 'changed' | 'unchanged' | 'invalid' | 'foreign';

/** What one row of the source means for its record. */
export interface Examined {
  readonly standing: Standing;
  /** What is to be published; null: nothing. */
  readonly finding: StagedFinding | null;
  readonly warnings: readonly Issue[];
}

interface ExamineOptions {
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

/** Maps and validates one row, and compares its payload with what the ledger has. */
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

/** What the platform should hold of a valid row. */
interface Desired {
  readonly payload: JsonObject;
  /** What the map stores for the next sweep; null: nothing. */
  readonly noted: JsonObject | null;
  readonly hash: string;
}

/**
 * The completed payload of a mapped row and its hash, as the ledger has them; null when the row is invalid. `noted`:
 * what was noted of the record before; `now`: `YYYY-MM-DD HH:MM:SS` in the platform's zone.
 */
export function desiredPayload(
  entity: Entity,
  mapped: Mapped,
  noted: JsonObject | null,
  platformId: string,
  now: string,
): Desired | null {
  if (mapped.payload === null) return null;
  const desired = entity.complete?.(mapped.payload, noted, now) ?? { payload: mapped.payload, noted: null };
  return { ...desired, hash: hashPayload(desired.payload, linkOf(entity, mapped, platformId)) };
}

/**
 * What the hash contains beside the payload: the parent's platform id, and of a status its application's id, which is in
 * every hash that was stored.
 */
function linkOf(entity: Entity, { parentPlatformId }: Mapped, platformId: string) {
  if (entity.parent && parentPlatformId !== null) {
    return { field: entity.parent.field, platformId: parentPlatformId };
  }
  return entity.application ? { field: 'application', platformId } : null;
}

/** The platform ids of rows, by key; null: the record has none. */
export type Locate = (rows: readonly SourceRow[]) => Promise<ReadonlyMap<string, string | null>>;

export function locatorOf(
  entity: ConfiguredEntity,
  inbox: Pick<RunState['inbox'], 'knownApplications'>,
): Locate {
  return entity.application ? locateApplications(inbox, entity.requireInbox) : locateByKey(entity);
}

/** Every record but an application status has its own key. */
function locateByKey({ name, mapContext }: ConfiguredEntity): Locate {
  return (rows) =>
    Promise.resolve(
      new Map(rows.map(({ key }) => [key, platformId(name, key, mapContext.namespace)] as const)),
    );
}

/**
 * The platform made the application: its id came by webhook, and a row names it by that id. `requireInbox`: an id that
 * never came by webhook does not count, because a partner's own UUID would pass every other check.
 */
function locateApplications(
  inbox: Pick<RunState['inbox'], 'knownApplications'>,
  requireInbox: boolean,
): Locate {
  return async (rows) => {
    const ids = new Map(rows.map(({ key }) => [key, uuidText(key)] as const));
    if (!requireInbox) return ids;
    const known = await inbox.knownApplications([...ids.values()].filter((id) => id !== null));
    return new Map([...ids].map(([key, id]) => [key, id !== null && known.has(id) ? id : null]));
  };
}

/** An error about the source's keys, with query file and column added; any other unchanged. */
export function withQueryNamed(error: unknown, { file }: Pick<EntityQuery, 'file'>): unknown {
  if (!(error instanceof SyncError)) return error;
  const { code, message, scope, hint, details } = error;
  const ofSource = code === 'duplicate-key' || (code === 'key-order' && details.side === 'source');
  if (!ofSource) return error;
  return new SyncError(code, `${file}: ${message} (column key).`, {
    scope,
    hint,
    details: { ...details, file },
    cause: error.cause,
  });
}
