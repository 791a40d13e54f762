import type { EntityName } from '../../domain/entity-name.js';
import type { RecordStatus } from '../../domain/record-status.js';
import { findTroubles } from '../../domain/trouble/find-troubles.js';
import { isHeld } from '../../domain/trouble/is-held.js';
import type { ConfiguredEntity } from '../configured-entity.js';
import type { State } from '../../ports/state.js';
import { gatherFacts, type GatheredFacts } from '../troubles/gather-facts.js';

export interface EntityStatus extends Record<RecordStatus, number> {
  readonly held: boolean;
  /** ISO times; null: never, none. */
  readonly lastSuccessAt: string | null;
  readonly oldestPendingAt: string | null;
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
    readonly error: { readonly code: string; readonly message: string } | null;
  } | null;
  /** Entities in doubt; absent when there are none. */
  readonly inDoubt?: readonly { readonly entity: EntityName; readonly since: string }[];
}

/** Counts by status of every configured entity, and how the last run went. */
export async function readStatus(state: State, names: readonly EntityName[]): Promise<StatusReport> {
  const counts = (name: EntityName) => state.records.counts(name);
  return statusReport(await gatherFacts(state, { now: new Date(), entities: names, counts }), state);
}

/** Hours in which `status` looks for a silent platform. */
const HOURS = 3;

/** Everything that `status` shows to people; the reasons only on request. */
export async function readStatusFacts(
  state: State,
  configured: readonly Pick<ConfiguredEntity, 'name' | 'onVanished' | 'closedStatus'>[],
  staleAfterMs: number,
  asked: { readonly reasons: boolean },
): Promise<GatheredFacts> {
  const { now, hours } = await state.pushHours.recent(HOURS);
  return gatherFacts(state, {
    now,
    hours,
    entities: configured.map(({ name }) => name),
    configured,
    staleAfterMs,
    counts: (name) => state.records.counts(name),
    ...(asked.reasons ? { reasons: state } : {}),
  });
}

/** The same from facts that were gathered with their counts. */
export async function statusReport(facts: GatheredFacts, state: Pick<State, 'runs'>): Promise<StatusReport> {
  const troubles = findTroubles(facts);
  const entities: Record<EntityName, EntityStatus> = {};
  for (const { name, counts: counted, state } of facts.entities) {
    if (counted === null) continue;
    const { blocked: _blocked, oldestPendingAt, ...counts } = counted;
    entities[name] = {
      ...counts,
      held: isHeld(troubles, name),
      lastSuccessAt: state.lastSuccessAt?.toISOString() ?? null,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    };
  }
  const doubt = troubles.find(({ kind }) => kind === 'in-doubt');
  const inDoubt = doubt?.kind === 'in-doubt' ? doubt.entities : [];
  const last = await state.runs.last();
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
      error: last.error,
    },
  };
}
