import type { Area } from '../domain/area.js';
import type { EntityName } from '../domain/entity-name.js';
import type { EntityState } from '../ports/entity-states.js';
import type { PushHour } from '../ports/push-hours.js';
import type { StatusCounts } from '../ports/records.js';
import type { ListedRun } from '../ports/runs.js';

export type HealthState =
  'ok' | 'sending' | 'attention' | 'held' | 'failed' | 'interrupted' | 'stale' | 'new';

/** What is known of one entity. */
export interface EntityFacts {
  readonly name: EntityName;
  readonly area: Area;
  /** Null: it has none. */
  readonly parent: EntityName | null;
  readonly counts: StatusCounts;
  readonly state: EntityState;
}

/** One entity, judged. */
export interface EntityHealth extends EntityFacts {
  readonly health: HealthState;
  /** Why the last run could not read it; null: it could. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly stale: boolean;
}

const HOUR_MS = 3_600_000;

/** `staleAfterMs`: `notify.staleAfter`; `unreachable`: areas to which nothing gets through. Pure. */
export function judgeHealth(
  facts: EntityFacts,
  context: {
    readonly now: Date;
    readonly lastRun: ListedRun | null;
    readonly unreachable: ReadonlySet<Area>;
    readonly staleAfterMs: number;
  },
): EntityHealth {
  const { counts, state, name, area } = facts;
  const failure = context.lastRun?.entities[name]?.error ?? null;
  const since = state.lastSuccessAt ?? state.lastSweepAt;
  const stale = since !== null && context.now.getTime() - since.getTime() > context.staleAfterMs;
  const left = counts.pending + counts.waiting - counts.blocked + counts.deferred;
  const health: HealthState =
    state.hold !== null || state.pushHold !== null
      ? 'held'
      : failure
        ? 'failed'
        : context.unreachable.has(area) && left > 0
          ? 'interrupted'
          : stale
            ? 'stale'
            : counts.rejected + counts.invalid + counts.blocked > 0
              ? 'attention'
              : left > 0
                ? 'sending'
                : state.lastSweepAt === null
                  ? 'new'
                  : 'ok';
  return { ...facts, health, failure, stale };
}

/** Areas whose latest requests, within two hours, all came to nothing; and how many those were. Pure. */
export function silentAreas(
  hours: readonly PushHour[],
  now: Date,
  areaOf: (entity: EntityName) => Area | null,
): ReadonlyMap<Area, number> {
  const latest = new Map<Area, { at: number; answered: number; deferred: number }>();
  for (const { entity, hour, accepted, rejected, deferred } of hours) {
    const area = areaOf(entity);
    const at = hour.getTime();
    if (area === null || now.getTime() - at > 2 * HOUR_MS) continue;
    const known = latest.get(area);
    const base = known?.at === at ? known : known && known.at > at ? null : { at, answered: 0, deferred: 0 };
    if (base === null) continue;
    latest.set(area, {
      at,
      answered: base.answered + accepted + rejected,
      deferred: base.deferred + deferred,
    });
  }
  return new Map(
    [...latest].flatMap(([area, { answered, deferred }]) =>
      answered === 0 && deferred > 0 ? [[area, deferred] as const] : [],
    ),
  );
}
