import { type Area, AREAS, type EntityName } from '../../domain/names.js';
import type { EntityReport } from '../../domain/outcome.js';
import type { AreaStop } from '../../domain/area-condition.js';
import { withFullStop } from '../../domain/text.js';
import { sentOf } from '../../domain/push-counters.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { quietUntil } from '../lease/quiet-time.js';
import { pushArea } from '../push/push-area.js';
import type { RunContext } from '../run-context.js';

/** Pushes all areas side by side into `reports`. Errors: SyncError of scope `run`. */
export async function pushAll(
  context: RunContext,
  lease: HeldLease,
  runId: string,
  reports: ReadonlyMap<EntityName, EntityReport>,
): Promise<void> {
  const { clock, emit, settings, signal } = context;
  const notBefore = quietUntil(lease, clock);
  const results = await Promise.allSettled(
    AREAS.map(async (area) => {
      const entities = context.entities.filter((entity) => entity.area === area);
      const areaSettings = settings.areas[area];
      if (!areaSettings || entities.length === 0) return;
      const due = await dueIn(context, entities);
      emit({ type: 'push-started', area, due });
      // Before the first claim, because its confirmation counts from the claim.
      if (due > 0) await clock.sleep(notBefore - clock.monotonic(), signal);
      const paused = await waitForPause(context, area, entities);
      const stop =
        paused ??
        (await pushArea({
          ...context,
          entities,
          area,
          areaSettings,
          rateLimit: context.rateLimit(area, notBefore),
          lease,
          runId,
          counters: reports,
        }));
      for (const { name } of entities) {
        const report = reports.get(name);
        if (report && stop) report.error ??= { code: stop.code, message: stopText(stop) };
      }
      const names = entities.map(({ name }) => name);
      emit({ type: 'push-finished', area, entities: sentOf(reports, names) });
    }),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

type Entities = readonly { readonly name: EntityName }[];

/**
 * A pause that the platform asked an earlier push for is waited for while it is short. Gives the stop for one that is
 * longer than `retry.maxPause`: then nothing is sent, because the platform itself said when.
 */
async function waitForPause(context: RunContext, area: Area, entities: Entities): Promise<AreaStop | null> {
  const { state, clock, emit, settings, signal } = context;
  const known = await state.areaStates.read(area);
  if (!known?.stop || !known.pause || (await unsentIn(context, entities)) === 0) return null;
  const { until, leftMs } = known.pause;
  if (leftMs <= settings.retry.maxPauseMs) {
    emit({ type: 'area-paused', area, delayMs: leftMs, message: 'the platform asked to wait' });
    await clock.sleep(leftMs, signal);
    return null;
  }
  const { code, message, hint } = known.stop;
  const stop = { code, message: `${message}; the pause ends at ${until.toISOString()}`, hint };
  emit({ type: 'area-stopped', area, ...stop, delayMs: leftMs });
  return stop;
}

/** Records that wait for the area alone: not those that wait for a parent, nor those of an entity whose push is held. */
async function unsentIn({ state }: Pick<RunContext, 'state'>, entities: Entities): Promise<number> {
  let unsent = 0;
  for (const { name } of entities) {
    if ((await state.entityStates.read(name)).pushHold) continue;
    const { pending, deferred } = await state.records.counts(name);
    unsent += pending + deferred;
  }
  return unsent;
}

async function dueIn({ state }: Pick<RunContext, 'state'>, entities: Entities): Promise<number> {
  const counts = await Promise.all(entities.map(({ name }) => state.records.counts(name)));
  return counts.reduce((sum, { pending, waiting, blocked }) => sum + pending + waiting - blocked, 0);
}

/** For the summary. Where a setting is to blame, or the clock, the hint names it; the status alone does not help. */
function stopText({ code, message, hint }: AreaStop): string {
  if (code !== 'authentication-refused' && code !== 'reply-not-understood') return message;
  return `${withFullStop(message)} ${hint}`;
}
