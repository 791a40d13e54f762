import type { Area, EntityName, RecordStatus } from '../../domain/names.js';
import type { HoldCounts } from '../../domain/guard.js';
import { decidingError, describeEnding } from '../../domain/run-ending.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { isHeld, leftIn, stopMatters } from '../../domain/trouble/trouble.js';
import { isAboutApplications } from '../../entities/index.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { State } from '../../ports/state.js';
import { gatherFacts, type GatheredFacts } from '../troubles/gather-facts.js';

export interface EntityStatus extends Record<RecordStatus, number> {
  readonly held: boolean;
  /** ISO times; null: never, none. */
  readonly lastSuccessAt: string | null;
  readonly oldestPendingAt: string | null;
  /** Of the vanished ones, those whose last day was over when they left the source; absent: none. */
  readonly expired?: number;
  /** Application statuses only: rows whose application never came by webhook. They are in no other number. */
  readonly foreign?: number;
  /** Present while a guard holds the sweep: changes that it keeps back. These records count as they were before. */
  readonly heldBack?: HoldCounts;
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
  /** Entities in doubt; absent when there are none. */
  readonly inDoubt?: readonly { readonly entity: EntityName; readonly since: string }[];
}

/** Counts by status of every configured entity, and how the last run went. */
export async function readStatus(state: State, names: readonly EntityName[]): Promise<StatusReport> {
  const counts = (name: EntityName) => state.records.counts(name);
  return statusReport(
    await gatherFacts(state, { now: new Date(), entities: names, counts, storedAreas: state.areaStates }),
    state,
  );
}

const CUT_OFF = 'It did not end, and no process holds the leases: its process died. The next run continues.';

/** Everything that `status` shows to people; the reasons only on request. */
export async function readStatusFacts(
  state: State,
  configured: readonly Pick<ConfiguredEntity, 'name' | 'onVanished' | 'closedStatus'>[],
  staleAfterMs: number,
  asked: { readonly reasons: boolean },
): Promise<GatheredFacts> {
  return gatherFacts(state, {
    now: new Date(),
    entities: configured.map(({ name }) => name),
    configured,
    staleAfterMs,
    storedAreas: state.areaStates,
    counts: (name) => state.records.counts(name),
    ...(asked.reasons ? { reasons: state } : {}),
  });
}

/** The same from facts that were gathered with their counts. */
export async function statusReport(
  facts: GatheredFacts,
  state: Pick<State, 'runs' | 'leases'>,
): Promise<StatusReport> {
  const troubles = findTroubles(facts);
  const entities: Record<EntityName, EntityStatus> = {};
  for (const { name, counts: counted, state } of facts.entities) {
    if (counted === null) continue;
    const { blocked: _blocked, expired, oldestPendingAt, ...counts } = counted;
    entities[name] = {
      ...counts,
      held: isHeld(troubles, name),
      lastSuccessAt: state.lastSuccessAt?.toISOString() ?? null,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
      ...(expired > 0 ? { expired } : {}),
      ...(isAboutApplications(name) ? { foreign: state.foreign } : {}),
      ...(state.hold ? { heldBack: state.hold.counts } : {}),
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
  const cutOff = last?.finishedAt === null && (await state.leases.holders()).length === 0;
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
    ...(stoppedAreas.length > 0 ? { stoppedAreas } : {}),
  };
}
