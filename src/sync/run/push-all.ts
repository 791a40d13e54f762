import { AREAS } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { AreaStop } from '../../domain/push/area-condition.js';
import { mayDelete } from '../push/may-delete.js';
import type { EntityPlan } from '../entity-plan.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { QUIET_MS } from '../../runtime/quiet-ms.js';
import { pushArea } from '../push/push-area.js';
import type { RunDependencies } from '../run-dependencies.js';
import type { RunSettings } from '../run-settings.js';

/** Pushes all areas side by side into `reports`. Errors: SyncError of scope `run`. */
export async function pushAll(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  lease: HeldLease,
  since: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<void> {
  const { clock, emit, state } = dependencies;
  const notBefore = clock.monotonic() + (lease.idleMs === null ? 0 : Math.max(0, QUIET_MS - lease.idleMs));
  const results = await Promise.allSettled(
    AREAS.map(async (area) => {
      const areaSettings = settings.areas[area];
      const entities = plans.map(({ entity }) => entity).filter((entity) => entity.area === area);
      if (!areaSettings || entities.length === 0) return;
      const due = await dueIn(
        dependencies,
        entities.map(({ name }) => name),
      );
      emit({ type: 'push-started', area, due });
      // Waited for before the first claim: a claim's confirmation counts from the claim.
      if (due > 0) await clock.sleep(notBefore - clock.monotonic(), dependencies.signal);
      const stop = await pushArea({
        counters: reports,
        area,
        entities,
        mayDelete: mayDelete(plans),
        state,
        platform: dependencies.platform(area),
        rateLimit: dependencies.rateLimit(area, notBefore),
        clock,
        emit,
        settings: settings.push,
        areaSettings,
        lease,
        since,
        signal: dependencies.signal,
        random: dependencies.random,
      });
      for (const { name } of entities) {
        const report = reports.get(name);
        if (report && stop) report.error ??= { code: stop.code, message: stopText(stop) };
      }
      emit({ type: 'push-finished', area });
    }),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

async function dueIn({ state }: RunDependencies, entities: readonly EntityName[]): Promise<number> {
  const counts = await Promise.all(entities.map((entity) => state.records.counts(entity)));
  return counts.reduce((sum, { pending, waiting, blocked }) => sum + pending + waiting - blocked, 0);
}

/** For the summary. A refused authentication is told with its likely cause: the status alone helps nobody. */
function stopText({ code, message, hint }: AreaStop): string {
  if (code !== 'authentication-refused') return message;
  return `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${hint}`;
}
