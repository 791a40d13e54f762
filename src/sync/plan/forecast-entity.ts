import { createGroupTally, type GroupId, type GroupTally } from '../../domain/issue-group.js';
import type { Issue } from '../../domain/issue.js';
import { childrenOf, recordName } from '../../entities/index.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import type { Forecasts, RecordStanding } from '../../ports/forecasts.js';
import type { StatusCounts } from '../../ports/records.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { Change } from '../sweep/read-changes.js';
import type { ParentOutlook, PlannedParents } from './parent-outlook.js';
import { readParentOutlooks } from './read-parent-outlooks.js';
import { recordOutlook } from './record-outlook.js';
import { createReplacedRecords, type ReplacedRecords } from './replaced-records.js';
import { createWaitingTally } from './waiting-tally.js';

/** What a run will do with the records of one entity. */
export interface EntityForecast {
  /** New records, changed ones, and vanished ones that are closed or deleted. */
  readonly create: number;
  readonly update: number;
  readonly withdraw: number;
  /** To be sent already before this sweep, also those whose parent comes only now. */
  readonly before: number;
  readonly waiting: number;
}

/** How the reading of the entity ended. */
export interface ReadingEnd {
  /** Its sweep is published. */
  readonly applied: boolean;
  readonly pushed: boolean;
  readonly read: boolean;
  /** Rejected records are pending again, because the mapping changed while their push was held. */
  readonly rearmed: boolean;
}

/** Predicts what a run does with one entity; writes nothing. */
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
  /** Everything is read. */
  end(end: ReadingEnd): Promise<EntityForecast>;
  /** After `end`. */
  parents(): PlannedParents;
  groups(): GroupTally;
}

export interface ForecastOptions {
  readonly entity: ConfiguredEntity;
  readonly forecasts: Forecasts;
  /** As the ledger has them. */
  readonly counts: StatusCounts;
  /** `YYYY-MM-DD` in the platform's zone. */
  readonly today: string;
  /** The forecast of the parents; null: the plan leaves them out, or the entity has none. */
  readonly above: Forecaster | null;
}

interface Tally {
  create: number;
  update: number;
  withdraw: number;
  /** Records that were to be sent again because they are old. */
  replacedRefreshable: number;
  readonly replaced: ReplacedRecords;
  readonly coming: Set<string>;
  readonly invalid: Map<string, readonly GroupId[]>;
  readonly gone: Set<string>;
}

const emptyTally = (): Tally => ({
  create: 0,
  update: 0,
  withdraw: 0,
  replacedRefreshable: 0,
  replaced: createReplacedRecords(),
  coming: new Set(),
  invalid: new Map(),
  gone: new Set(),
});

export function createForecaster({ entity, forecasts, counts, today, above }: ForecastOptions): Forecaster {
  const { name, parent } = entity;
  const hasChildren = childrenOf(name).length > 0;
  const { oldestPendingAt: _, blocked: __, ...statuses } = counts;
  const isNew = Object.values(statuses).every((count) => count === 0);
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
    const own = groups.addIssues('invalid', recordName(name, key, platformId), issues);
    if (hasChildren && platformId !== null && !referenced) tally.invalid.set(platformId, own);
  };

  return {
    async take(changes) {
      const real = changes.filter(({ finding }) => finding.kind !== 'touched');
      const { byKey, byId } = await standingsOf(real);
      tally.replacedRefreshable += await refreshable([...byKey.keys()]);
      const toSend: Change[] = [];
      for (const change of real) {
        const { finding, known } = change;
        const before = (known ? byKey.get(finding.key) : byId.get(finding.platformId ?? '')) ?? null;
        if (before) tally.replaced.note(before);
        const outlook = recordOutlook(finding, before);
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
        const { kind, key, platformId } = change.finding;
        const outlook = outlooks.get(parentOf(change) ?? '') ?? 'comes';
        if (outlook !== 'comes') waiting?.add(outlook, [recordName(name, key, platformId)]);
        else if (kind === 'vanished') tally.withdraw += 1;
        else tally[kind === 'new' ? 'create' : 'update'] += 1;
      }
    },

    warn: (record, warnings) => void groups.addIssues('doubtful', record, warnings),

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
      const { create, update, withdraw, replaced } = found;
      const again = end.applied ? Math.max((await refreshable()) - found.replacedRefreshable, 0) : 0;
      const rearmed = end.rearmed ? Math.max(counts.rejected - replaced.rejected(), 0) : 0;
      const before = Math.max(counts.pending - replaced.pending(), 0) + released + rearmed + again;
      return { create, update, withdraw, before, waiting: waiting?.total() ?? 0 };
    },

    parents: () => ({ coming: tally.coming, invalid: tally.invalid, gone: tally.gone, ...end }),
    groups: () => groups,
  };
}
