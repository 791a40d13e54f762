import { AREAS, type EntityName } from '../../domain/names.js';
import { leftIn } from '../../domain/trouble/trouble.js';
import type { State } from '../../ports/state.js';
import { statusReport } from '../../sync/explain/read-status.js';
import { gatherFacts, lastEndedRun } from '../../sync/troubles.js';
import { createMetrics, type Metrics } from '../../telemetry/metrics.js';
import type { RunGauges } from '../../telemetry/state-gauges.js';
import type { StateUntil } from './open-looking.js';
import { VERSION } from './package-info.js';
import { systemClock } from './system-clock.js';

/** Metrics of a worker, made before its state is open so that they count every event. */
export function createWorkerMetrics(
  names: readonly EntityName[],
): Metrics & { use(stateUntil: StateUntil): void } {
  let opened: StateUntil | null = null;
  const metrics = createMetrics({
    version: VERSION,
    now: () => systemClock.now(),
    read: (signal) =>
      opened === null ? Promise.resolve({ entities: {}, lastRun: null }) : reading(opened(signal), names),
  });
  return {
    ...metrics,
    use(stateUntil) {
      opened = stateUntil;
    },
  };
}

async function reading(state: State, names: readonly EntityName[]) {
  const facts = await gatherFacts(state, {
    now: new Date(),
    entities: names,
    counts: (name) => state.records.counts(name),
    storedAreas: state.areaStates,
  });
  const { entities } = await statusReport(facts, state);
  const left = Object.fromEntries(AREAS.map((area) => [area, leftIn(facts, area)]));
  const ended = await lastEndedRun(state);
  const lastRun: RunGauges | null =
    ended?.finishedAt && ended.exitCode !== null
      ? {
          startedAt: ended.startedAt.toISOString(),
          finishedAt: ended.finishedAt.toISOString(),
          exitCode: ended.exitCode,
          entities: ended.entities,
        }
      : null;
  const pausedUntil = Object.fromEntries(
    facts.areas.flatMap(({ area, stop }) => (stop?.pausedUntil ? [[area, stop.pausedUntil]] : [])),
  );
  return { entities, lastRun, left, pausedUntil };
}
