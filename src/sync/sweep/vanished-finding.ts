import { ABSENT_HASH, hashPayload } from '../../domain/payload.js';
import type { JsonObject } from '../../domain/row.js';
import type { KnownPayloads, LedgerEntry } from '../../ports/ledger.js';
import type { StagedFinding } from '../../ports/staging.js';
import type { ConfiguredEntity } from '../configured-entity.js';

/** What the absence of a record from the source means. */
export interface Vanished {
  readonly finding: StagedFinding;
  /** Its last day is past: its end was expected, so guards do not count it and nothing is sent. */
  readonly expired: boolean;
}

/**
 * What is desired of a record whose key the source no longer has, by the entity's policy. Pure. `known`: null when the
 * ledger holds no payload of it. `today`: `YYYY-MM-DD` in the platform's zone.
 */
export function vanishedFinding(
  entity: ConfiguredEntity,
  entry: Pick<LedgerEntry, 'key'>,
  known: KnownPayloads | null,
  today: string,
): Vanished {
  const expired = isExpired(entity, known, today);
  const desired = expired || known === null ? NOTHING : desiredBy(entity, known);
  return {
    expired,
    finding: {
      kind: 'vanished',
      key: entry.key,
      platformId: null,
      rowVersion: null,
      invalidReason: null,
      ...(expired ? { expired } : {}),
      ...desired,
    },
  };
}

type Desired = Pick<StagedFinding, 'desiredHash' | 'desiredPayload' | 'parentPlatformId'>;

const NOTHING: Desired = { desiredHash: null, desiredPayload: null, parentPlatformId: null };

/** The payload stays stored, for `explain` and for a record that returns. */
const ABSENT: Desired = { desiredHash: ABSENT_HASH, desiredPayload: null, parentPlatformId: null };

function desiredBy(
  { onVanished, closedStatus, statusField, parent }: ConfiguredEntity,
  known: KnownPayloads,
): Desired {
  if (onVanished === 'report' || onVanished === 'ignore') return NOTHING;
  // What the platform deleted needs no second delete, and a closing would create it again.
  if (onVanished === 'delete' || known.deleted) return ABSENT;
  const last = known.acknowledged ?? known.desired;
  if (last === null || statusField === null) return NOTHING;
  const desiredPayload: JsonObject = { ...last, [statusField]: closedStatus };
  // Payload and parent belong together: its new parent may never be accepted.
  const parentPlatformId = known.acknowledged ? known.acknowledgedParentPlatformId : known.parentPlatformId;
  const link =
    parent && parentPlatformId !== null ? { field: parent.field, platformId: parentPlatformId } : null;
  return { desiredHash: hashPayload(desiredPayload, link), desiredPayload, parentPlatformId };
}

function isExpired({ lastDay }: ConfiguredEntity, known: KnownPayloads | null, today: string): boolean {
  const day = lastDay === null ? undefined : (known?.desired ?? known?.acknowledged)?.[lastDay];
  return typeof day === 'string' && day < today;
}
