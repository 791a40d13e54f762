import type { GroupId } from '../../domain/issue-group.js';
import type { ParentProblem } from '../../domain/reason.js';
import type { RecordStanding } from '../../ports/forecasts.js';

/** What a plan has found out about the parents, once all of them are read. */
export interface PlannedParents {
  /** New or changed ones that are sent, by platform id. */
  readonly coming: ReadonlySet<string>;
  /** Invalid ones without reference, with their groups. */
  readonly invalid: ReadonlyMap<string, readonly GroupId[]>;
  /** Ones without reference that the source no longer has. */
  readonly gone: ReadonlySet<string>;
  /** The sweep is published. */
  readonly applied: boolean;
  /** Something of them is sent. */
  readonly pushed: boolean;
  /** Their query works. */
  readonly read: boolean;
}

/** `comes`: it has a reference before its children are sent. Else why they wait, and the groups that are to blame. */
export type ParentOutlook =
  'comes' | { readonly problem: ParentProblem; readonly groups: readonly GroupId[] };

/**
 * Whether a parent is there when its children are sent. `standing`: null when the ledger does not have it; `planned`:
 * null when the plan leaves its entity out. Pure.
 */
export function parentOutlook(
  platformId: string,
  standing: Pick<RecordStanding, 'status' | 'referenced'> | null,
  planned: PlannedParents | null,
): ParentOutlook {
  if (standing?.referenced) return 'comes';
  const groups = planned?.invalid.get(platformId);
  const waits = (problem: ParentProblem) => ({
    problem,
    groups: problem === 'parent-invalid' ? (groups ?? []) : [],
  });
  // Of a held or unread entity only what the ledger has counts.
  if (standing && !planned?.applied) return ofLedger(standing.status);
  if (planned?.coming.has(platformId)) {
    return planned.applied && planned.pushed ? 'comes' : waits('parent-held');
  }
  if (groups) return waits('parent-invalid');
  if (planned?.gone.has(platformId)) return waits('parent-vanished');
  if (standing) return ofLedger(standing.status);
  if (planned === null) return waits('parent-left-out');
  return waits(planned.read ? 'parent-absent' : 'parent-unread');

  function ofLedger(status: RecordStanding['status']): ParentOutlook {
    switch (status) {
      case 'vanished':
      case 'invalid':
      case 'rejected':
      case 'deferred':
        return waits(`parent-${status}`);
      case 'pending':
        if (planned === null) return waits('parent-left-out');
        return planned.pushed ? 'comes' : waits('parent-held');
      // It was accepted without a reference: only another reply brings one.
      case 'synced':
      case 'waiting':
        return waits('parent-deferred');
    }
  }
}
