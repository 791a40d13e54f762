import { platformDay } from '../../core/contract/time.js';
import { groupBy } from '../../core/domain/group-by.js';
import type { HoldCounts } from '../../core/domain/guard.js';
import { type IssueGroup, largestFirst } from '../../core/domain/issue-group.js';
import { type Issue, shownIssue } from '../../core/domain/issue.js';
import type { Area, EntityName, RecordStatus } from '../../core/domain/names.js';
import type { StateCounts } from '../../core/domain/reply/reply.js';
import { decidingError } from '../../core/domain/run-ending.js';
import { describeEnding } from '../troubles/describe-ending.js';
import { findTroubles } from '../../core/domain/trouble/find-troubles.js';
import {
  isHeld,
  leftIn,
  type RefusedWebhooks,
  stopMatters,
  type WebhookRefusal,
} from '../../core/domain/trouble/trouble.js';
import { isAboutApplications } from '../../core/entities/index.js';
import type { LeaseName } from '../../core/ports/clock.js';
import type { RecordLists } from './record-lists.js';
import type { CoreState } from '../../core/ledger/core-state.js';
import { changedFields, type FieldChange } from '../../core/domain/payload.js';
import type { ConfiguredEntity } from '../../core/context.js';
import { recordPages } from './list-records.js';
import type { RecordViews } from './record-views.js';
import {
  type GatheredEntity,
  type GatheredFacts,
  gatherFacts,
  type LearnedAreaRate,
  readReasons,
  type GatherOptions,
} from '../../core/run/troubles.js';

/**
 * What `status` shows, and the lists behind it: reasons, invalid records, records that end soon.
 */

interface EntityStatus extends Record<RecordStatus, number> {
  readonly held: boolean;
  /** ISO times; null: never, none. */
  readonly lastSuccessAt: string | null;
  readonly oldestPendingAt: string | null;
  /** Of the vanished ones, those whose last day was over when they left the source; absent: none. */
  readonly expired?: number;
  /** Vanished ones that the platform still shows as open, because `onVanished` is `report`; absent: none. */
  readonly leftOpen?: number;
  /** Application statuses only: rows whose application never came by webhook. They are in no other number. */
  readonly foreign?: number;
  /** Of accepted records: how many the platform does not show as live, by its state; absent: none. */
  readonly atPlatform?: StateCounts;
  /** Records that a `verify` found missing or otherwise at the platform, and nobody has repaired; absent: none. */
  readonly drifted?: number;
  /** Present while a guard holds the sweep: changes that it keeps back. These records count as they were before. */
  readonly heldBack?: HoldCounts;
  /** The source was a replica at the last applied sweep: how many seconds behind; null: it did not say. */
  readonly sourceLag?: number | null;
}

/** Which processes work, and when the next run begins. */
interface WorkerStatus {
  readonly holders: readonly { readonly holder: string; readonly leases: readonly LeaseName[] }[];
  /** ISO time, of the schedule of `start`; null: it has none. */
  readonly nextRunAt: string | null;
}

/** What `status --json` prints: public interface. */
export interface StatusReport {
  readonly entities: Record<EntityName, EntityStatus>;
  readonly lastRun: {
    readonly runId: string;
    readonly trigger: string;
    readonly outcome: string | null;
    readonly exitCode: number | null;
    readonly startedAt: string;
    readonly finishedAt: string | null;
    /** What decided the outcome: the run's own error, or that of an entity or an area. */
    readonly error: { readonly code: string; readonly message: string } | null;
    /** Why it ended so, or that it was cut off, in plain words; null: it is under way. */
    readonly message: string | null;
  } | null;
  /** Who works now; absent: no process holds a lease. */
  readonly worker?: WorkerStatus;
  /** Areas to which nothing is sent although something is left, and why; absent when there are none. */
  readonly stoppedAreas?: readonly {
    readonly area: Area;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly since: string;
    /** The platform asked for a pause until then; absent: it did not, or the pause is over. */
    readonly pausedUntil?: string;
  }[];
  /** Areas that take less than the setting allows; absent when there are none. */
  readonly learnedRates?: readonly LearnedAreaRate[];
  /** Webhooks refused since one was accepted last, with the reason of the latest; absent when there are none. */
  readonly refusedWebhooks?: {
    readonly count: number;
    readonly since: string;
    readonly lastAt: string;
    readonly reason: WebhookRefusal;
    /** How far its time was ahead of the clock here; absent: that was not the reason. */
    readonly offsetSeconds?: number;
  };
  /** Entities in doubt; absent when there are none. */
  readonly inDoubt?: readonly { readonly entity: EntityName; readonly since: string }[];
}

/** The stores that a status reads. */
type StatusStores = CoreState & {
  readonly recordLists: RecordLists;
  readonly inbox: Required<GatherOptions>['inbox'];
};

/** Counts by status of every configured entity, and how the last run went. */
export async function readStatus(state: StatusStores, names: readonly EntityName[]): Promise<StatusReport> {
  const counts = (name: EntityName) => state.records.counts(name);
  const storedAreas = state.areaStates;
  const facts = await gatherFacts(state, {
    now: new Date(),
    entities: names,
    counts,
    storedAreas,
    inbox: state.inbox,
    worker: false,
  });
  return statusReport(facts, state);
}

const CUT_OFF = 'It did not end, and no process holds the leases: its process died. The next run continues.';

/** What only the process of `start` begins with. */
const BY_WORKER: readonly unknown[] = ['cron', 'catch-up'];

/** Everything that `status` shows to people; the reasons only on request. */
export async function readStatusFacts(
  state: StatusStores,
  configured: readonly Pick<ConfiguredEntity, 'name' | 'onVanished' | 'closedStatus'>[],
  staleAfterMs: number,
  asked: { readonly reasons: boolean },
): Promise<GatheredFacts> {
  const isRunning = (await state.leases.holders()).length > 0;
  return gatherFacts(state, {
    now: new Date(),
    entities: configured.map(({ name }) => name),
    configured,
    staleAfterMs,
    storedAreas: state.areaStates,
    // Between two runs nobody holds them.
    worker: isRunning,
    // A `run` ends by itself; the process of `start` should not.
    idle: !isRunning && BY_WORKER.includes((await state.runs.last())?.trigger),
    inbox: state.inbox,
    counts: (name) => state.records.counts(name),
    leftOpen: state.records,
    ...(asked.reasons ? { reasons: state } : {}),
  });
}

/** The same from facts that were gathered with their counts. */
export async function statusReport(
  facts: GatheredFacts,
  state: Pick<CoreState, 'runs' | 'leases' | 'schedules'>,
): Promise<StatusReport> {
  const troubles = findTroubles(facts);
  const entities: Record<EntityName, EntityStatus> = {};
  for (const { name, counts: counted, state, leftOpen = 0 } of facts.entities) {
    if (counted === null) continue;
    const { blocked: _blocked, expired, oldestPendingAt, ...counts } = counted;
    entities[name] = {
      ...counts,
      held: isHeld(troubles, name),
      lastSuccessAt: state.lastSuccessAt?.toISOString() ?? null,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
      ...(expired > 0 ? { expired } : {}),
      ...(leftOpen > 0 ? { leftOpen } : {}),
      ...(isAboutApplications(name) ? { foreign: state.foreign } : {}),
      ...(state.drift ? { drifted: state.drift.count } : {}),
      ...(state.hold ? { heldBack: state.hold.counts } : {}),
      ...(state.source?.replica ? { sourceLag: inSeconds(state.source.replica.lagMs) } : {}),
    };
  }
  const doubt = troubles.find(({ kind }) => kind === 'in-doubt');
  const inDoubt = doubt?.kind === 'in-doubt' ? doubt.entities : [];
  const stoppedAreas = facts.areas.flatMap(({ area, stop }) => {
    if (!stop || !stopMatters(stop.code, leftIn(facts, area))) return [];
    const { code, message, hint, since, pausedUntil } = stop;
    const paused = pausedUntil ? { pausedUntil: pausedUntil.toISOString() } : {};
    return [{ area, code, message, hint, since: since.toISOString(), ...paused }];
  });
  const last = await state.runs.last();
  const worker = await readWorker(state);
  const cutOff = last?.finishedAt === null && worker === null;
  return {
    ...(inDoubt.length > 0
      ? { inDoubt: inDoubt.map(({ entity, since }) => ({ entity, since: since.toISOString() })) }
      : {}),
    entities,
    lastRun: last && {
      runId: last.runId,
      trigger: last.trigger,
      outcome: last.outcome,
      exitCode: last.exitCode,
      startedAt: last.startedAt.toISOString(),
      finishedAt: last.finishedAt?.toISOString() ?? null,
      error: decidingError(last),
      message: cutOff ? CUT_OFF : describeEnding(last),
    },
    ...(worker === null ? {} : { worker }),
    ...(stoppedAreas.length > 0 ? { stoppedAreas } : {}),
    ...(facts.learnedRates.length > 0 ? { learnedRates: facts.learnedRates } : {}),
    ...(facts.refusedWebhooks ? { refusedWebhooks: shownRefusals(facts.refusedWebhooks) } : {}),
  };
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}

/** Years from this one on mean never. */
const NEVER_YEAR = 9999;

/** Null: no process holds a lease. */
async function readWorker({
  leases,
  schedules,
}: Pick<CoreState, 'leases' | 'schedules'>): Promise<WorkerStatus | null> {
  const held = await leases.holders();
  if (held.length === 0) return null;
  const due = await schedules.read('sync');
  // One that has passed is of a worker that ended.
  const isDue = due !== null && !due.overdue && due.at.getUTCFullYear() < NEVER_YEAR;
  return {
    holders: [...groupBy(held, ({ holder }) => holder)].map(([holder, own]) => ({
      holder,
      leases: own.map(({ name }) => name),
    })),
    nextRunAt: isDue ? due.at.toISOString() : null,
  };
}

function shownRefusals({ count, since, lastAt, reason, offsetMs }: RefusedWebhooks) {
  const times = { since: since.toISOString(), lastAt: lastAt.toISOString() };
  return {
    count,
    ...times,
    reason,
    ...(offsetMs === null ? {} : { offsetSeconds: Math.round(offsetMs / 1_000) }),
  };
}

/** Reasons of one entity that are read: of codes, and of others. */
const MOST = 1_000;

/** All reasons why records of the ledger are invalid or wait; the largest effect first. `entities`: with their counts. */
export async function readGroups(
  state: Pick<StatusStores, 'records' | 'recordLists'>,
  entities: readonly Pick<GatheredEntity, 'name' | 'counts'>[],
): Promise<readonly IssueGroup[]> {
  const groups: IssueGroup[] = [];
  for (const { name, counts } of entities) {
    if (counts === null) continue;
    const reasons = await readReasons(state, name, { ...counts, rejected: 0 }, MOST);
    const { invalid, waiting = [] } = reasons;
    // Children of invalid parents are in the groups of these.
    const others = waiting.filter(({ code }) => code !== 'parent-invalid');
    groups.push(...invalid.codes, ...invalid.others, ...others);
  }
  return largestFirst(groups);
}

/** What `status --invalid --json` prints of a record: public interface. */
export interface InvalidRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** Without values where the record is about an application: they are personal. */
  readonly issues: readonly Issue[];
}

/** Every invalid record of these entities, in the order of their keys, page by page. */
export async function* readInvalid(
  lists: Pick<RecordLists, 'page'>,
  entities: readonly EntityName[],
): AsyncGenerator<readonly InvalidRecord[]> {
  for (const entity of entities) {
    const personal = isAboutApplications(entity);
    for await (const records of recordPages(lists, entity, { status: 'invalid', reason: null }))
      yield records.map(({ key, issues }) => {
        const shown = issues.map(shownIssue);
        return { entity, key, issues: personal ? shown.map(({ value: _, ...issue }) => issue) : shown };
      });
  }
}

/** A record that ends by itself soon, while it is still open in the source. */
export interface ExpiringRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** `YYYY-MM-DD` */
  readonly lastDay: string;
}

const WEEK_MS = 7 * 86_400_000;

const LISTED = 100;

/** Records that end within seven days, the soonest first. `now`: milliseconds since the Unix epoch. */
export async function readExpiring(
  recordViews: RecordViews,
  entities: readonly ConfiguredEntity[],
  now: number,
  timeZone: string,
): Promise<readonly ExpiringRecord[]> {
  const [from, to] = [platformDay(now, timeZone), platformDay(now + WEEK_MS, timeZone)];
  const found = await Promise.all(
    entities.map(async (entity) => {
      const records = await recordViews.expiring(entity, { from, to, limit: LISTED });
      return records.map((record) => ({ entity: entity.name, ...record }));
    }),
  );
  return found.flat();
}

/**
 * What differs between the payload that the platform accepted last and the desired one. The ledger keeps both while they
 * differ. None of a record about an application: its payload is dropped once it is accepted.
 */
export async function unsentChanges(
  { ledger }: Pick<CoreState, 'ledger'>,
  entity: EntityName,
  key: string,
): Promise<readonly FieldChange[]> {
  if (isAboutApplications(entity)) return [];
  const known = (await ledger.payloads(entity, [key])).get(key);
  if (!known?.acknowledged || !known.desired || known.deleted) return [];
  return changedFields(known.acknowledged, known.desired);
}
