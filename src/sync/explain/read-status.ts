import type { EntityName } from '../../domain/entity-name.js';
import type { RecordStatus } from '../../domain/record-status.js';
import type { State } from '../../ports/state.js';

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
  /** Only where there are some: entities of which the platform may hold something else than the ledger believes. */
  readonly inDoubt?: readonly { readonly entity: EntityName; readonly since: string }[];
}

/** Counts by status of every configured entity, and how the last run went. */
export async function readStatus(state: State, names: readonly EntityName[]): Promise<StatusReport> {
  const entities: Record<EntityName, EntityStatus> = {};
  const inDoubt: { entity: EntityName; since: string }[] = [];
  for (const name of names) {
    const { blocked: _blocked, oldestPendingAt, ...counts } = await state.records.counts(name);
    const { hold, pushHold, lastSuccessAt, inDoubtSince } = await state.entityStates.read(name);
    if (inDoubtSince) inDoubt.push({ entity: name, since: inDoubtSince.toISOString() });
    entities[name] = {
      ...counts,
      held: hold !== null || pushHold !== null,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    };
  }
  const last = await state.runs.last();
  return {
    ...(inDoubt.length > 0 ? { inDoubt } : {}),
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
