import type { AreaStop } from '../domain/area-condition.js';
import type { Emit, SyncEvent } from '../domain/events.js';
import type { Area, EntityName } from '../domain/names.js';
import type { PushCounters } from '../domain/outcome.js';
import { sentOf } from '../domain/push-counters.js';
import { backoffDelay } from '../domain/reply/judge-reply.js';
import { isInStep } from '../domain/trouble/trouble.js';
import type { Clock } from '../ports/clock.js';
import type { RateLimit } from '../ports/platform.js';
import type { CoreState } from '../ledger/core-state.js';
import type { WakeableSleep } from '../runtime/time.js';
import type { HeldLease } from '../leases.js';
import type { RunContext } from '../context.js';
import { pushArea } from './area-push.js';
import type { PushOptions } from './push-options.js';

/** Shortest and longest pause of an area without work before it looks again, milliseconds. */
const FIRST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 5_000;

/**
 * Longest pause before a stopped area is tried again with one request, milliseconds. `retry.maxDelay` is for records: an
 * outage of hours would otherwise be noticed hours after its end.
 */
const LONGEST_STOP_MS = 300_000;

/** Stops that one record may cause, which must not keep others waiting. */
const MAY_BE_ONE: readonly string[] = ['breaker-open', 'reply-not-understood', 'same-refusal'];

/** Pause before another look whether a pause that the platform asked for has been ended by hand, milliseconds. */
const PAUSE_LOOK_MS = 30_000;

/** The waits of one area's push, which others can end early. */
interface PushWaits {
  /** While nothing is due: woken when something was published. */
  readonly idle: WakeableSleep;
  /** While the area is stopped: woken by a request to try it again. */
  readonly stopped: WakeableSleep;
  /** While the area does not answer: woken like `stopped`, and when a sweep has found something to send. */
  readonly silent: WakeableSleep;
}

/**
 * Sends what is due of one area while the lease is held. Errors: SyncError of scope `run` when the state database is lost.
 */
export async function pushLoop(
  context: RunContext,
  lease: HeldLease,
  area: Area,
  rateLimit: RateLimit,
  waits: PushWaits,
): Promise<void> {
  const areaSettings = context.settings.areas[area];
  const entities = context.entities.filter((entity) => entity.area === area);
  if (!areaSettings || entities.length === 0) return;
  await new AreaLoop(context, { area, areaSettings, entities, lease, rateLimit }, waits).run();
}

/** What all pushes of a loop have in common. */
type LoopArea = Pick<PushOptions, 'area' | 'areaSettings' | 'entities' | 'rateLimit'> & {
  readonly lease: HeldLease;
};

/**
 * Pushes one after the other. While nothing is due it looks less and less often, but at once after a publication. It tries a
 * stopped area again with one request after a pause that grows from `baseDelay` to five minutes, or when it is woken; one
 * that does not answer also after each sweep that found something to send, so that a record that always fails does not keep
 * the others waiting. Unlike a run, it waits to the end of a pause that the platform asked for, however long, also one that
 * an earlier process stored.
 */
class AreaLoop {
  /** The area was stopped: the next push sends one request. */
  #probe = false;
  /** Pauses of the stopped area that it slept to their end. */
  #stops = 0;
  /** The platform may have asked for a pause that is not over. */
  #pause: 'unknown' | 'shown' | 'none' = 'unknown';
  /** How long it rests when nothing is due, milliseconds. */
  #lookMs = FIRST_LOOK_MS;
  /** Something was sent since a success was noted. */
  #sentSome = false;

  constructor(
    private readonly context: RunContext,
    private readonly of: LoopArea,
    private readonly waits: PushWaits,
  ) {}

  async run(): Promise<void> {
    while (!this.context.signal.aborted && this.of.lease.held()) {
      if (this.#pause !== 'none') {
        await this.#sleepThroughPause();
        continue;
      }
      const { stop, sent } = await this.#push();
      this.#sentSome ||= sent > 0;
      if (stop) await this.#waitStopped(stop);
      else await this.#goOn(sent);
    }
  }

  async #push(): Promise<{ readonly stop: AreaStop | null; readonly sent: number }> {
    const { area, entities } = this.of;
    const counters = new Map<EntityName, PushCounters>(
      entities.map(({ name }) => [name, { sent: 0, accepted: 0, rejected: 0, deferred: 0 }]),
    );
    const sent = () => [...counters.values()].reduce((sum, counted) => sum + counted.sent, 0);
    // Also when it ends with an error: what was sent is stored.
    const report = () => {
      if (sent() > 0)
        this.context.emit({
          type: 'push-finished',
          area,
          entities: sentOf(counters, [...counters.keys()]),
        });
    };
    const emit = reportProgress(this.context, area, counters);
    const options = { ...this.context, ...this.of, emit, runId: null, counters, probe: this.#probe };
    const stop = await pushArea(options).finally(report);
    return { stop, sent: sent() };
  }

  async #waitStopped(stop: AreaStop): Promise<void> {
    const { emit, settings, random, state } = this.context;
    const { area, lease } = this.of;
    const { baseDelayMs, maxDelayMs } = settings.retry;
    this.#probe = true;
    if (stop.delayMs !== undefined) {
      this.#pause = 'shown';
      emit({ type: 'area-retry', area, delayMs: stop.delayMs });
      return;
    }
    this.#stops += 1;
    const longest = Math.min(maxDelayMs, LONGEST_STOP_MS);
    const delayMs = backoffDelay(this.#stops, baseDelayMs, longest, random());
    emit({ type: 'area-retry', area, delayMs });
    if (lease.held()) await lease.fenced((fence) => state.areaStates.saveRetry(fence, area, delayMs));
    const wait = MAY_BE_ONE.includes(stop.code) ? this.waits.silent : this.waits.stopped;
    // Woken early, it has not waited: the next pause is no longer for it.
    if (await wait.sleep(delayMs)) this.#stops -= 1;
  }

  async #goOn(sent: number): Promise<void> {
    if (sent > 0) {
      this.#stops = 0;
      this.#lookMs = FIRST_LOOK_MS;
      // A probe sends one of perhaps many requests.
      if (this.#probe) {
        this.#probe = false;
        return;
      }
    }
    if (this.#sentSome) await noteSuccess(this.context, this.of.entities);
    this.#sentSome = false;
    const woken = await this.waits.idle.sleep(this.#lookMs);
    this.#lookMs = woken ? FIRST_LOOK_MS : Math.min(this.#lookMs * 2, LONGEST_LOOK_MS);
  }

  /** A part of a stored pause at a time, because `retry` may end it. Being woken does not end it. */
  async #sleepThroughPause(): Promise<void> {
    const { state, emit } = this.context;
    const { area } = this.of;
    const known = await state.areaStates.read(area);
    if (!known?.stop || !known.pause) {
      this.#pause = 'none';
      return;
    }
    const { code, message, hint, cause = null } = known.stop;
    const { leftMs } = known.pause;
    if (this.#pause === 'unknown') {
      emit({ type: 'area-stopped', area, code, message, hint, cause, delayMs: leftMs });
      emit({ type: 'area-retry', area, delayMs: leftMs });
    }
    this.#pause = 'shown';
    await this.waits.stopped.sleep(Math.min(leftMs, PAUSE_LOOK_MS));
  }
}

/** The last sweep of an entity succeeded when nothing of it is left to send, also nothing that waits for its parent. */
async function noteSuccess(
  { state }: RunContext,
  entities: readonly { readonly name: EntityName }[],
): Promise<void> {
  for (const { name } of entities) {
    const counts = await state.records.counts(name);
    if (isInStep(counts)) await state.entityStates.noteSuccess(name);
  }
}

const EVERY_MS = 5 * 60_000;

/**
 * Passes all events on, and reports every few minutes what the push that begins now has sent so far: a first load takes
 * hours. `counters`: of that push.
 */
function reportProgress(
  { emit, clock }: { readonly emit: Emit; readonly clock: Pick<Clock, 'monotonic'> },
  area: Area,
  counters: ReadonlyMap<EntityName, PushCounters>,
): Emit {
  let reportedAt = clock.monotonic();
  return (event) => {
    emit(event);
    if (event.type !== 'record-sent' || clock.monotonic() - reportedAt < EVERY_MS) return;
    reportedAt = clock.monotonic();
    emit({ type: 'push-progress', area, entities: sentOf(counters, [...counters.keys()]) });
  };
}

/**
 * Adds what the pushes of a worker send to its last run: a push there is no part of a run, and the run that found the
 * records has often ended by then.
 */
export function countPushes({ runs }: Pick<CoreState, 'runs'>, emit: Emit) {
  let storing = Promise.resolve();
  return {
    /** Counts what each push sent, and passes all events on. */
    emit(event: SyncEvent) {
      emit(event);
      if (event.type !== 'push-finished' || Object.keys(event.entities).length === 0) return;
      // The outcomes themselves are stored already; numbers of a run are not worth stopping the work for.
      storing = storing.then(() => runs.addPushed(event.entities)).catch(() => undefined);
    },
    /** Resolves when everything so far is stored, as far as it can be. Never rejects. */
    counted: () => storing,
  };
}
