import { ABSENT_HASH, hashPayload } from '../../domain/payload/hash-payload.js';
import type { JsonObject } from '../../domain/json.js';
import type { KnownPayloads, LedgerEntry } from '../../ports/ledger.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { EntityPlan } from '../entity-plan.js';

/** What the absence of a record from the source comes to. */
export interface Vanished {
  readonly finding: StagedFinding;
  /** Its last day is past: its leaving was to be expected, guards do not count it, and nothing is sent. */
  readonly expired: boolean;
}

/**
 * What is wanted of a record whose key the source no longer has, by the entity's policy. Pure. `known`: null when the
 * ledger holds no payload of it. `today`: `YYYY-MM-DD` in the platform's zone.
 */
export function vanishedFinding(
  plan: Pick<EntityPlan, 'entity' | 'onVanished' | 'closedStatus'>,
  entry: Pick<LedgerEntry, 'key'>,
  known: KnownPayloads | null,
  today: string,
): Vanished {
  const expired = isExpired(plan, known, today);
  const wanted = expired || known === null ? NOTHING : wantedBy(plan, known);
  return {
    expired,
    finding: {
      kind: 'vanished',
      key: entry.key,
      platformId: null,
      rowVersion: null,
      invalidReason: null,
      ...wanted,
    },
  };
}

type Wanted = Pick<StagedFinding, 'desiredHash' | 'desiredPayload' | 'parentPlatformId'>;

const NOTHING: Wanted = { desiredHash: null, desiredPayload: null, parentPlatformId: null };

/** The payload stays noted, for `explain` and for a record that returns. */
const ABSENT: Wanted = { desiredHash: ABSENT_HASH, desiredPayload: null, parentPlatformId: null };

function wantedBy(
  { entity, onVanished, closedStatus }: Pick<EntityPlan, 'entity' | 'onVanished' | 'closedStatus'>,
  known: KnownPayloads,
): Wanted {
  if (onVanished === 'report' || onVanished === 'ignore') return NOTHING;
  // What the platform has deleted needs neither another delete nor a closing, which would create it anew.
  if (onVanished === 'delete' || known.deleted) return ABSENT;
  const last = known.acknowledged ?? known.desired;
  if (last === null || entity.statusField === null) return NOTHING;
  const desiredPayload: JsonObject = { ...last, [entity.statusField]: closedStatus };
  // Payload and parent belong together: where it has moved to may never be accepted.
  const parentPlatformId = known.acknowledged ? known.acknowledgedParentPlatformId : known.parentPlatformId;
  const link =
    entity.parent && parentPlatformId !== null
      ? { field: entity.parent.field, platformId: parentPlatformId }
      : null;
  return { desiredHash: hashPayload(desiredPayload, link), desiredPayload, parentPlatformId };
}

function isExpired(
  { entity }: Pick<EntityPlan, 'entity'>,
  known: KnownPayloads | null,
  today: string,
): boolean {
  const lastDay = entity.lastDay === null ? undefined : known?.desired?.[entity.lastDay];
  return typeof lastDay === 'string' && lastDay < today;
}
