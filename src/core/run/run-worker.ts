import { SyncError } from '../domain/errors.js';
import { type Area, AREAS } from '../domain/names.js';
import type { RateLimit } from '../ports/platform.js';
import { createWakeableSleep, untilFirstAbort } from '../runtime/time.js';
import { checkEnvironment } from './environment.js';
import { quietUntil, type RunLeases, withLeases } from '../leases.js';
import { takeOverClaims } from '../push/take-over.js';
import { countPushes, pushLoop } from '../push/push-loop.js';
import type { RunContext } from '../context.js';
import { announceFailure, warnOfDoubt, whatEnded } from './end.js';
import { runSweep } from './run.js';
import { scheduleLoop } from './schedule.js';

/**
 * The command `start`. While this process holds both leases, several loops work beside each other (`work`): sweeps on
 * schedule, a push for each area, reading back on schedule, and what the caller adds. The first loop that ends stops the
 * others, and `runWorker` stands by until it has the leases again.
 */

export interface WorkerSchedule {
  /** When sweeps begin: five or six fields. */
  readonly sync: string;
  /** How much later, milliseconds; absent: not at all. */
  readonly offsetMs?: number;
  /** When a sample is read back; null: never. */
  readonly verify: ScheduledVerify | null;
  readonly timeZone: string;
}

interface ScheduledVerify {
  readonly expression: string;
  readonly offsetMs?: number;
  /** Reads a sample back and warns of what differs. Never rejects; ends after the current request when the signal aborts. */
  readonly verify: (context: RunContext) => Promise<void>;
}

/** Other work while both leases are held, until the signal aborts. */
type OtherWork = (signal: AbortSignal) => Promise<void>;

/** How long the worker waits after losing the state database, milliseconds. */
const RETRY_MS = 5_000;

/**
 * When the signal aborts, it finishes and writes what is under way, and releases the leases. Errors: SyncError of scope
 * `usage` when the environment has changed.
 */
export async function runWorker(
  context: RunContext,
  schedule: WorkerSchedule,
  otherWork: OtherWork = () => Promise.resolve(),
): Promise<void> {
  const { settings, clock, emit, signal } = context;
  await checkEnvironment(context);
  const limits = rateLimits(context);
  let reported = '';
  while (!signal.aborted) {
    try {
      const held = await withLeases(context, async (leases, held) => {
        reported = '';
        emit({ type: 'worker-active' });
        // The first loop that ends stops the others: leases are for the whole work, and a loop that waits for hours
        // must not outlast them.
        const ended = new AbortController();
        await untilFirstAbort([held, ended.signal], (ends) =>
          work({ ...context, signal: ends }, ended, schedule, leases, limits, otherWork),
        );
      });
      if (!('heldBy' in held)) continue;
      const { holder, secondsLeft } = held.heldBy;
      const own = holder === context.holder;
      if (reported !== holder) emit({ type: 'worker-standby', holder, secondsLeft, own });
      reported = holder;
      await clock.sleep(settings.state.leaseTtlMs / 4, signal);
    } catch (error) {
      if (!(error instanceof SyncError) || error.scope === 'usage') throw error;
      if (error.code === 'lease-lost') {
        // No run has failed by that. No wait: the lease is free, or its holder is known.
        const { code, message, hint } = error;
        emit({ type: 'warning', code, message, hint });
      } else {
        announceFailure(context, error);
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }
}

type RateLimits = ReturnType<typeof rateLimits>;

/**
 * One limit per area for the life of the process: it knows what was sent before the leases were lost. Reading back has a
 * share of the push's rate, from the same places.
 */
function rateLimits({ rateLimit, readBackRateLimit, clock }: RunContext) {
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

async function work(
  context: RunContext,
  ended: AbortController,
  schedule: WorkerSchedule,
  leases: RunLeases,
  limits: RateLimits,
  otherWork: OtherWork,
): Promise<void> {
  const { state, settings, entities, clock, emit, signal: ends } = context;
  const pushes = AREAS.filter(
    (area) => settings.areas[area] && entities.some((entity) => entity.area === area),
  ).map((area) => ({
    area,
    waits: {
      idle: createWakeableSleep(clock, ends),
      stopped: createWakeableSleep(clock, ends),
      silent: createWakeableSleep(clock, ends),
    },
  }));
  const pushed = countPushes(state, emit);
  const together: RunContext = {
    ...context,
    emit(event) {
      pushed.emit(event);
      // The push sends at once what a sweep published or marked.
      if (event.type === 'sweep-finished' || event.type === 'run-finished')
        pushes.forEach(({ waits }) => waits.idle.wake());
      if (event.type === 'sweep-finished') {
        const { counters } = event;
        // A closing must not wait for the next try of a silent area either.
        if (counters.new + counters.changed + counters.vanished > 0)
          pushes.forEach(({ waits }) => waits.silent.wake());
      }
    },
  };
  const { verify, sync: expression, offsetMs = 0, timeZone } = schedule;
  const verifyLoop = ({ verify: readBack, ...times }: ScheduledVerify) => {
    // It must count the push's requests too.
    const reading = { ...together, readBackRateLimit: limits.readBack };
    const due = { name: 'verify', ...times, timeZone, atFirst: false, cutOff: false } as const;
    return scheduleLoop(together, due, leases.push, () => readBack(reading));
  };
  const loop = (running: Promise<void>) =>
    running.then(
      () => ended.abort(),
      (error: unknown) => {
        ended.abort(error);
        throw error;
      },
    );
  await checkEnvironment(context);
  await warnOfDoubt(context);
  await takeOverClaims(context, leases.push);
  // The rate counts requests in any sliding second, also those of the lease's previous holder.
  await clock.sleep(quietUntil(leases.push, clock) - clock.monotonic(), ends);
  // A sweep's due time moves on when it begins: without this, a nightly sweep that is cut off would wait a day.
  const last = await state.runs.last();
  const cutOff = last !== null && (last.finishedAt === null || last.error !== null);
  const results = await Promise.allSettled([
    otherWork(together.signal),
    loop(
      scheduleLoop(
        together,
        { name: 'sync', expression, offsetMs, timeZone, atFirst: true, cutOff },
        leases.sweep,
        async (trigger) => {
          // A user wants to see whether it works again, and the pause may have grown to hours.
          if (trigger === 'manual')
            pushes.forEach(({ waits }) => (waits.stopped.wake(), waits.silent.wake()));
          const present = (await together.presentEntities?.()) ?? entities;
          await runSweep({ ...together, entities: present }, leases.sweep, trigger);
        },
      ),
    ),
    ...(verify === null ? [] : [loop(verifyLoop(verify))]),
    ...pushes.map(({ area, waits }) => loop(pushLoop(together, leases.push, area, limits.push(area), waits))),
  ]);
  await pushed.counted();
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  // The loops end quietly when a lease is lost between two of their statements.
  const cause = whatEnded(ends);
  if (cause) throw cause;
}
