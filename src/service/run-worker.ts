import { untilFirstAbort } from '../runtime/until-first-abort.js';
import { AREAS, type Area } from '../domain/area.js';
import type { EntityName } from '../domain/entity-name.js';
import { SyncError } from '../domain/errors.js';
import type { RateLimit } from '../ports/rate-limit.js';
import { checkEnvironment } from '../sync/environment/check-environment.js';
import { announceFailure } from '../sync/run/end-run.js';
import type { EntityPlan } from '../sync/entity-plan.js';
import { QUIET_MS } from '../runtime/quiet-ms.js';
import { pushLoop } from '../sync/push/push-loop.js';
import type { RunDependencies } from '../sync/run-dependencies.js';
import type { RunSettings } from '../sync/run-settings.js';
import { runSweep } from '../sync/run/run-sweep.js';
import { timeoutOf } from '../sync/run/run-sync.js';
import { createWakeableSleep } from '../sync/run/wakeable-sleep.js';
import { warnOfDoubt } from '../sync/run/warn-of-doubt.js';
import { withLeases, type RunLeases } from '../sync/lease/with-leases.js';
import { scheduleLoop } from './schedule-loop.js';
import { scheduledVerify } from './scheduled-verify.js';

export interface WorkerSchedule {
  /** When sweeps begin: five or six fields. */
  readonly sync: string;
  /** When a sample is read back; null: never. */
  readonly verify: ScheduledVerify | null;
  readonly timeZone: string;
}

export interface ScheduledVerify {
  /** Five or six fields. */
  readonly expression: string;
  /** Whether the Find of an entity may be used. */
  readonly isReadable: (entity: EntityName) => boolean;
}

/** What else is done while both leases are held, until the signal aborts. */
export type Beside = (signal: AbortSignal) => Promise<void>;

/** How long the worker waits after losing the state database, milliseconds. */
const RETRY_MS = 5_000;

/**
 * The long-running worker: sweeps on schedule and sends beside it, while it holds both leases; stands by while
 * another process does. Ends when the signal aborts: what is under way is finished and written, the leases are
 * released. Errors: SyncError of scope `usage` when the environment has changed.
 */
export async function runWorker(
  dependencies: RunDependencies,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  schedule: WorkerSchedule,
  beside: Beside = () => Promise.resolve(),
): Promise<void> {
  const { state, clock, emit, signal } = dependencies;
  await checkEnvironment(state.environments, settings);
  const limits = rateLimits(dependencies);
  let told = '';
  while (!signal.aborted) {
    try {
      const held = await withLeases(dependencies, settings.leaseTtlMs, async (leases, held) => {
        told = '';
        emit({ type: 'worker-active' });
        // Whichever loop ends first ends the others, so that the leases are not held for half the work; and a loop
        // that waits for hours must not outlast them.
        const ended = new AbortController();
        await untilFirstAbort([held, ended.signal], (ends) =>
          work({ ...dependencies, signal: ends }, ended, plans, settings, schedule, leases, limits, beside),
        );
      });
      if (!('heldBy' in held)) continue;
      const { holder, secondsLeft } = held.heldBy;
      if (told !== holder) emit({ type: 'worker-standby', holder, secondsLeft });
      told = holder;
      await clock.sleep(settings.leaseTtlMs / 4, signal);
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope === 'usage') throw error;
      announceFailure(dependencies, error);
      // A lease that is lost is free, or its holder is known, at once.
      if (error.code !== 'lease-lost') await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Until the signal aborts. `ended`: aborted by the first loop that ends, and aborts the signal in turn. */
async function work(
  dependencies: RunDependencies,
  ended: AbortController,
  plans: readonly EntityPlan[],
  settings: RunSettings,
  schedule: WorkerSchedule,
  leases: RunLeases,
  limits: RateLimits,
  beside: Beside,
): Promise<void> {
  const { state, clock, emit, signal: ends } = dependencies;
  const pushes = AREAS.filter(
    (area) => settings.areas[area] && plans.some(({ entity }) => entity.area === area),
  ).map((area) => ({
    area,
    waits: { idle: createWakeableSleep(clock, ends), stopped: createWakeableSleep(clock, ends) },
  }));
  const together: RunDependencies = {
    ...dependencies,
    emit(event) {
      emit(event);
      // What a sweep published, or marked after that, is sent at once.
      if (event.type === 'sweep-finished' || event.type === 'run-finished')
        pushes.forEach(({ waits }) => waits.idle.wake());
    },
  };
  const { verify, timeZone } = schedule;
  const verifyLoop = ({ expression, isReadable }: ScheduledVerify) => {
    const reading = { ...together, readBackRateLimit: limits.readBack };
    return scheduleLoop(
      together,
      { name: 'verify', expression, timeZone, atFirst: false, cutOff: false },
      leases.push,
      () => scheduledVerify(reading, plans, settings, isReadable),
    );
  };
  const loop = (running: Promise<void>) =>
    running.then(
      () => ended.abort(),
      (error: unknown) => {
        ended.abort(error);
        throw error;
      },
    );
  await checkEnvironment(state.environments, settings);
  await warnOfDoubt(
    dependencies,
    plans.map(({ entity }) => entity.name),
  );
  await leases.push.fenced((fence) => state.queue.takeOver(fence, null, timeoutOf(plans, settings)));
  // The rate counts requests in any sliding second, also those of whoever held the lease before.
  const { idleMs } = leases.push;
  if (idleMs !== null) await clock.sleep(QUIET_MS - idleMs, ends);
  // Its due time was moved on when it began: without this a nightly sweep that is cut off would be made the next night.
  const last = await state.runs.last();
  const cutOff = last !== null && (last.finishedAt === null || last.error !== null);
  const results = await Promise.allSettled([
    beside(together.signal),
    loop(
      scheduleLoop(
        together,
        { name: 'sync', expression: schedule.sync, timeZone, atFirst: true, cutOff },
        leases.sweep,
        async (trigger) => {
          // Somebody is there who wants to see whether it works again; the pause may have grown to hours.
          if (trigger === 'manual') pushes.forEach(({ waits }) => waits.stopped.wake());
          await runSweep(together, plans, settings, leases.sweep, trigger);
        },
      ),
    ),
    ...(verify === null ? [] : [loop(verifyLoop(verify))]),
    ...pushes.map(({ area, waits }) =>
      loop(pushLoop(together, plans, settings, leases.push, area, limits.push(area), waits)),
    ),
  ]);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

interface RateLimits {
  readonly push: (area: Area) => RateLimit;
  /** A share of that of the push, out of the same places. */
  readonly readBack: (area: Area) => RateLimit;
}

/** One limit per area for the life of the process: it knows what was sent before the leases were lost. */
function rateLimits({ rateLimit, readBackRateLimit, clock }: RunDependencies): RateLimits {
  const push = onePerArea((area) => rateLimit(area, clock.monotonic()));
  return { push, readBack: onePerArea((area) => readBackRateLimit(area, push(area))) };
}

function onePerArea(make: (area: Area) => RateLimit): (area: Area) => RateLimit {
  const limits = new Map<Area, RateLimit>();
  return (area) => {
    const limit = limits.get(area) ?? make(area);
    limits.set(area, limit);
    return limit;
  };
}
