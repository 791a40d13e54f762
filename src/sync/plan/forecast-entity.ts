import { createGroupTally, type GroupId, type GroupTally } from '../../domain/issue-group.js';
import type { Issue } from '../../domain/issue.js';
import { type EntityName, RECORD_STATUSES } from '../../domain/names.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import { parentIssue, type ParentProblem } from '../../domain/reason.js';
import { takenDown } from '../../domain/reply/reply.js';
import type { ParentLink } from '../../entities/entity.js';
import { childrenOf } from '../../entities/index.js';
import type { Forecasts, RecordStanding } from '../../state/ledger/forecasts.js';
import type { ConfiguredEntity } from '../run-context.js';
import type { Change } from '../sweep/read-changes.js';
import type { StatusCounts } from '../../state/ledger/records.js';
import type { StagedFinding } from '../../state/ledger/staging.js';

/**
 * Predicts what a run sends of one entity and what waits, from the changes of its sweep and the standings in the
 * ledger.
 *
 * `take` gets the changes page by page: each is sent or not (`recordOutlook`), and what is sent comes at once or waits
 * for its parent (`parentOutlook`, by the forecast of the parents). `end` adds what was to be sent before this sweep,
 * without what the changes replace, and what is released because its parent comes now. The rules are those by which the
 * ledger publishes and claims; test/sync/plan/foretell.slow.test.ts compares plan and run.
 */

export interface EntityForecast {
  /** Records that the platform has not accepted yet, and others. */
  readonly create: number;
  readonly update: number;
  /** Records that are still in the source, and closed there. */
  readonly close: number;
  /** Vanished ones that are closed or deleted, those that the platform keeps, and those that it does not have. */
  readonly withdraw: number;
  readonly kept: number;
  readonly absent: number;
  /** To be sent already before this sweep, also those whose parent comes only now. */
  readonly before: number;
  readonly waiting: number;
}

interface ReadingEnd {
  /** Its sweep is published. */
  readonly applied: boolean;
  readonly pushed: boolean;
  readonly read: boolean;
  /** Rejected records are pending again, because the mapping changed while their push was held. */
  readonly rearmed: boolean;
}

export interface Forecaster {
  take(changes: readonly Change[]): Promise<void>;
  warn(name: string, warnings: readonly Issue[]): void;
  restart(): void;
  /** Invalid records that the sweep did not judge, as an earlier one found them. */
  standInvalid(record: {
    key: string;
    platformId: string;
    referenced: boolean;
    issues: readonly Issue[];
  }): void;
  end(end: ReadingEnd): Promise<EntityForecast>;
  /** After `end`. */
  parents(): PlannedParents;
  groups(): GroupTally;
}

interface ForecastOptions {
  readonly entity: ConfiguredEntity;
  readonly forecasts: Forecasts;
  readonly counts: StatusCounts;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  /** The forecast of the parents; null: the plan leaves them out, or the entity has none. */
  readonly above: Forecaster | null;
}

const emptyTally = () => ({
  create: 0,
  update: 0,
  withdraw: 0,
  close: 0,
  kept: 0,
  absent: 0,
  /** Records that were to be sent again because they are old. */
  replacedRefreshable: 0,
  replaced: createReplacedRecords(),
  coming: new Set<string>(),
  invalid: new Map<string, readonly GroupId[]>(),
  gone: new Set<string>(),
});

export function createForecaster({ entity, forecasts, counts, today, above }: ForecastOptions): Forecaster {
  const { name, parent } = entity;
  const { statusField, closedStatus } = entity;
  const closes = ({ desiredPayload }: StagedFinding) =>
    statusField !== null && desiredPayload?.[statusField] === closedStatus;
  const hasChildren = childrenOf(name).length > 0;
  const isNew = RECORD_STATUSES.every((status) => counts[status] === 0);
  let tally = emptyTally();
  let groups = createGroupTally(name);
  const newWaiting = () => (parent ? createWaitingTally(name, parent) : null);
  let waiting = newWaiting();
  let end: ReadingEnd = { applied: true, pushed: true, read: true, rearmed: false };

  /** Records that the run sends again because they are old; `keys`: only of these. */
  const refreshable = async (keys?: readonly string[]) => {
    const { refreshAfterMs: afterMs, repeatable } = entity;
    return afterMs === null || !repeatable || isNew || keys?.length === 0
      ? 0
      : forecasts.refreshable(entity, { afterMs, today }, keys);
  };

  const standingsOf = async (changes: readonly Change[]) => {
    if (isNew) return { byKey: new Map<string, RecordStanding>(), byId: new Map<string, RecordStanding>() };
    const found = await forecasts.standings(name, {
      keys: changes.filter(({ known }) => known !== null).map(({ finding }) => finding.key),
      platformIds: changes.flatMap(({ known, finding }) =>
        known === null ? (finding.platformId ?? []) : [],
      ),
    });
    return {
      byKey: new Map(found.map((standing) => [standing.key, standing])),
      byId: new Map(found.map((standing) => [standing.platformId, standing])),
    };
  };

  const parentOutlooks = async (ids: readonly string[]): Promise<ReadonlyMap<string, ParentOutlook>> =>
    parent && ids.length > 0
      ? readParentOutlooks(forecasts, parent.entity, ids, above?.parents() ?? null)
      : new Map();

  const noteInvalid = (
    key: string,
    platformId: string | null,
    referenced: boolean,
    issues: readonly Issue[],
  ) => {
    const own = groups.add('invalid', key, issues);
    if (hasChildren && platformId !== null && !referenced) tally.invalid.set(platformId, own);
  };

  return {
    async take(changes) {
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      const { byKey, byId } = await standingsOf(real);
      tally.replacedRefreshable += await refreshable([...byKey.keys()]);
      const toSend: Change[] = [];
      /** Keys of what the platform has accepted. */
      const accepted = new Set<string>();
      for (const change of real) {
        const { finding, known } = change;
        const before = (known ? byKey.get(finding.key) : byId.get(finding.platformId ?? '')) ?? null;
        if (before) tally.replaced.note(before);
        const outlook = recordOutlook(finding, before);
        if (isAccepted(before)) accepted.add(finding.key);
        if (finding.kind === 'vanished' && outlook === 'nothing') {
          if (isAccepted(before)) tally.kept += 1;
          else tally.absent += 1;
        }
        if (outlook === 'send') toSend.push(change);
        if (outlook === 'invalid') {
          noteInvalid(
            finding.key,
            finding.platformId,
            before?.referenced ?? false,
            finding.invalidReason ?? [],
          );
        }
        const unreferenced = hasChildren && !before?.referenced;
        if (unreferenced && finding.kind === 'vanished' && before) tally.gone.add(before.platformId);
        else if (unreferenced && outlook === 'send' && finding.platformId)
          tally.coming.add(finding.platformId);
      }
      const parentOf = ({ finding }: Change) =>
        finding.desiredHash === ABSENT_HASH ? null : finding.parentPlatformId;
      const outlooks = await parentOutlooks(toSend.flatMap((change) => parentOf(change) ?? []));
      for (const change of toSend) {
        const { kind, key } = change.finding;
        const outlook = outlooks.get(parentOf(change) ?? '') ?? 'comes';
        if (outlook !== 'comes') waiting?.add(outlook, [key]);
        else if (kind === 'vanished') tally.withdraw += 1;
        else if (closes(change.finding)) tally.close += 1;
        else tally[accepted.has(key) ? 'update' : 'create'] += 1;
      }
    },

    warn: (record, warnings) => void groups.add('doubtful', record, warnings),

    restart() {
      tally = emptyTally();
      groups = createGroupTally(name);
      waiting = newWaiting();
    },

    standInvalid: ({ key, platformId, referenced, issues }) =>
      noteInvalid(key, platformId, referenced, issues),

    async end(reached) {
      end = reached;
      if (!end.applied) waiting = newWaiting();
      const found = end.applied ? tally : emptyTally();
      let released = 0;
      if (counts.waiting > 0) {
        for await (const page of forecasts.waiting(name)) {
          const outlooks = await parentOutlooks(page.map(({ parentPlatformId }) => parentPlatformId));
          for (const { parentPlatformId, count, keys } of page) {
            const left = count - found.replaced.waitingFor(parentPlatformId);
            const outlook = outlooks.get(parentPlatformId) ?? 'comes';
            if (left <= 0) continue;
            if (outlook === 'comes') released += left;
            else waiting?.add(outlook, keys, left);
          }
        }
      }
      waiting?.settle(groups, above?.groups() ?? null);
      const { create, update, close, withdraw, kept, absent, replaced } = found;
      const again = end.applied ? Math.max((await refreshable()) - found.replacedRefreshable, 0) : 0;
      const rearmed = end.rearmed
        ? Math.max(counts.rejected - takenDown(counts) - replaced.rejected(), 0)
        : 0;
      const before = Math.max(counts.pending - replaced.pending(), 0) + released + rearmed + again;
      return { create, update, close, withdraw, kept, absent, before, waiting: waiting?.total() ?? 0 };
    },

    parents: () => ({ coming: tally.coming, invalid: tally.invalid, gone: tally.gone, ...end }),
    groups: () => groups,
  };
}

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
type ParentOutlook =
  | 'comes'
  | {
      readonly problem: ParentProblem;
      readonly groups: readonly GroupId[];
      /** Null: the ledger does not have the parent. */
      readonly parentKey: string | null;
    };

/**
 * Whether a parent is there when its children are sent. `standing`: null when the ledger does not have it; `planned`:
 * null when the plan leaves its entity out.
 */
export function parentOutlook(
  platformId: string,
  standing: (Pick<RecordStanding, 'status' | 'referenced'> & Partial<Pick<RecordStanding, 'key'>>) | null,
  planned: PlannedParents | null,
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

/** Whether these parents are there when their children are sent, by platform id. `planned`: as in `parentOutlook`. */
async function readParentOutlooks(
  forecasts: Pick<Forecasts, 'standings'>,
  entity: EntityName,
  ids: readonly string[],
  planned: PlannedParents | null,
): Promise<ReadonlyMap<string, ParentOutlook>> {
  const platformIds = [...new Set(ids)];
  const standings = await forecasts.standings(entity, { keys: [], platformIds });
  const known = new Map(standings.map((standing) => [standing.platformId, standing]));
  return new Map(platformIds.map((id) => [id, parentOutlook(id, known.get(id) ?? null, planned)]));
}

/**
 * What a run does with a record of which its sweep has found something: as the ledger publishes a finding, and as the
 * claim chooses. `send`: unless it has to wait for its parent.
 */
type RecordOutlook = 'send' | 'nothing' | 'invalid' | 'rejected' | 'deferred';

/** `before`: null when the ledger does not have the record. */
export function recordOutlook(
  { kind, desiredHash: desired }: Pick<StagedFinding, 'kind' | 'desiredHash'>,
  before: RecordStanding | null,
): RecordOutlook {
  if (kind === 'invalid') return 'invalid';
  if (desired === null) return 'nothing';
  if (before === null) return 'send';
  // What the platform cannot have leaves the ledger when it vanishes.
  if (kind === 'vanished' && before.neverThere) return 'nothing';
  // Another payload starts without its rejection and its pause, and so does a record that vanishes.
  const same = kind !== 'vanished' && desired === before.desiredHash;
  if (same && before.refusedHash === desired) return 'rejected';
  if (kind !== 'vanished' && staysDown(before, desired)) return 'rejected';
  if (desired === before.acknowledgedHash && !before.confirming) return 'nothing';
  return same && before.postponed ? 'deferred' : 'send';
}

/** What the platform removed stays so whatever its row says; what it refused after it had accepted it may be corrected. */
function staysDown({ platformState, acknowledgedHash }: RecordStanding, desired: string): boolean {
  return platformState === 'removed' || (platformState === 'refused' && acknowledgedHash === desired);
}

/** The platform has accepted it, and it is not deleted there. */
function isAccepted(before: RecordStanding | null): boolean {
  return before !== null && before.accepted && before.acknowledgedHash !== ABSENT_HASH;
}

/** Records of the ledger of which a sweep found something else, by what they were: they count no longer as that. */
function createReplacedRecords() {
  let pending = 0;
  let rejected = 0;
  const waiting = new Map<string, number>();
  return {
    note({ status, parentPlatformId }: RecordStanding) {
      if (status === 'pending') pending += 1;
      if (status === 'rejected') rejected += 1;
      if (status === 'waiting' && parentPlatformId !== null)
        waiting.set(parentPlatformId, (waiting.get(parentPlatformId) ?? 0) + 1);
    },
    pending: () => pending,
    rejected: () => rejected,
    waitingFor: (parentPlatformId: string) => waiting.get(parentPlatformId) ?? 0,
  };
}

type Waits = Exclude<ParentOutlook, 'comes'>;
type WaitingGroup = Pick<Waits, 'problem' | 'groups'>;

const SAMPLE_KEYS = 3;

/** Counts children that wait, by the reason; a reading that begins again makes a new one. */
function createWaitingTally(entity: EntityName, parent: ParentLink) {
  const counted = new Map<
    string,
    WaitingGroup & { readonly keys: string[]; readonly parentKeys: Set<string>; count: number }
  >();
  let total = 0;
  return {
    add({ problem, groups, parentKey }: Waits, keys: readonly string[], count = keys.length) {
      const name = `${problem} ${groups.join(' ')}`;
      const known = counted.get(name) ?? { problem, groups, keys: [], parentKeys: new Set(), count: 0 };
      if (parentKey !== null && known.parentKeys.size < SAMPLE_KEYS) known.parentKeys.add(parentKey);
      known.keys.push(...keys.slice(0, SAMPLE_KEYS - known.keys.length));
      known.count += count;
      counted.set(name, known);
      total += count;
    },
    total: () => total,
    /** Notes them: those whose parents are to blame with the groups of the parents, all others with their own. */
    settle(own: GroupTally, parents: GroupTally | null) {
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
