import type { GroupId, GroupTally } from '../../core/domain/issue-group.js';
import type { EntityName } from '../../core/domain/names.js';
import { parentIssue, type ParentProblem } from '../../core/domain/reason.js';
import type { ParentLink } from '../../core/entities/entity.js';
import type { Forecasts, RecordStanding } from './forecasts.js';

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
  readonly groups: GroupTally;
}

/** `comes`: it has a reference before its children are sent. Else why they wait, and the groups that are to blame. */
type ParentOutlook = 'comes' | Waits;

interface Waits {
  readonly problem: ParentProblem;
  readonly groups: readonly GroupId[];
  /** Null: the ledger does not have the parent. */
  readonly parentKey: string | null;
}

/**
 * Whether a parent is there when its children are sent. `standing`: null when the ledger does not have it; `planned`:
 * null when the plan leaves its entity out.
 */
export function parentOutlook(
  platformId: string,
  standing: (Pick<RecordStanding, 'status' | 'referenced'> & Partial<Pick<RecordStanding, 'key'>>) | null,
  planned: Omit<PlannedParents, 'groups'> | null,
): ParentOutlook {
  if (standing?.referenced) return 'comes';
  const groups = planned?.invalid.get(platformId);
  const waits = (problem: ParentProblem) => ({
    problem,
    groups: problem === 'parent-invalid' ? (groups ?? []) : [],
    parentKey: standing?.key ?? null,
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

/** Why the children of these parents wait, by platform id; those that do not wait are missing. */
export async function readWaits(
  forecasts: Pick<Forecasts, 'standings'>,
  parent: ParentLink | null,
  ids: readonly string[],
  planned: PlannedParents | null,
): Promise<ReadonlyMap<string, Waits>> {
  if (parent === null || ids.length === 0) return new Map();
  const platformIds = [...new Set(ids)];
  const standings = await forecasts.standings(parent.entity, { keys: [], platformIds });
  const known = new Map(standings.map((standing) => [standing.platformId, standing]));
  return new Map(
    platformIds.flatMap((id) => {
      const outlook = parentOutlook(id, known.get(id) ?? null, planned);
      return outlook === 'comes' ? [] : [[id, outlook] as const];
    }),
  );
}

const SAMPLE_KEYS = 3;

/** Counts children that wait, by the reason. */
export function createWaitingTally(entity: EntityName, parent: ParentLink | null) {
  const counted = new Map<
    string,
    Waits & { readonly keys: string[]; readonly parentKeys: Set<string>; count: number }
  >();
  let total = 0;
  return {
    add(waits: Waits, keys: readonly string[], count = keys.length) {
      const { problem, groups, parentKey } = waits;
      const name = `${problem} ${groups.join(' ')}`;
      const known = counted.get(name) ?? { ...waits, keys: [], parentKeys: new Set(), count: 0 };
      if (parentKey !== null && known.parentKeys.size < SAMPLE_KEYS) known.parentKeys.add(parentKey);
      known.keys.push(...keys.slice(0, SAMPLE_KEYS - known.keys.length));
      known.count += count;
      counted.set(name, known);
      total += count;
    },
    total: () => total,
    /** Notes them: those whose parents are to blame with the groups of the parents, all others with their own. */
    settle(own: GroupTally, parents: GroupTally | null) {
      if (parent === null) return;
      for (const { problem, groups, keys, parentKeys, count } of counted.values()) {
        if (parents && groups.length > 0) parents.follow(groups, entity, count);
        else {
          const issue = parentIssue(problem, parent.entity, parent.column);
          const above = { entity: parent.entity, keys: [...parentKeys] };
          own.add('waiting', keys, [parentKeys.size === 0 ? issue : { ...issue, parents: above }], count);
        }
      }
    },
  };
}
