import type { AreaCondition, AreaStop } from '../domain/area-condition.js';
import type { Area } from '../domain/names.js';
import { backoffDelay } from '../domain/reply/judge-reply.js';
import { isLasting } from '../domain/reply/reply.js';
import type { AreaFinding, AreaState } from '../ledger/queue/area-states.js';
import type { Claim } from '../ledger/queue/types.js';
import { AreaClaims } from './area-claims.js';
import { RateKeeper, VersionWatch } from './area-memory.js';
import { RECHECK_MS, URGENT_RECHECK_MS } from './claim-cursor.js';
import { FailureStreak } from './failure-streak.js';
import { AreaGate } from './gate.js';
import { GROUP_SIZE, OutcomeBuffer } from './outcome-buffer.js';
import type { PushOptions } from './push-options.js';
import { RefusalWatch } from './refusal-watch.js';
import { Sender, type Sending } from './sender.js';
import { takingOver } from './take-over.js';
import { Undecided } from './undecided.js';

/**
 * Sends everything of one area that is pending now; gives why it stopped early (null: it did not). Once its signal aborts,
 * it finishes what is under way and hands back the rest. When this settles, nothing is under way, and every known outcome
 * is written if possible. Errors: SyncError of scope `run` when the state database or the lease is lost.
 */
export async function pushArea(options: PushOptions): Promise<AreaStop | null> {
  return (await AreaPush.open(options)).run();
}

/**
 * What the push does now. It goes on from phase to phase until it is over.
 * - `trial`: one request to an area that was stopped, whatever its back-off: somebody may have removed the cause.
 * - `steady`: everything that is due, and until `runForMs` has passed what it has deferred.
 * - `single`: one record; does a stopped area answer again?
 * - `outage`: waits before an area that does not answer is tried again.
 */
type Phase = 'trial' | 'steady' | 'single' | 'outage';

class AreaPush implements Sending {
  readonly gate: AreaGate;
  readonly undecided: Undecided;
  readonly streak = new FailureStreak();
  readonly versions: VersionWatch;
  readonly buffer: OutcomeBuffer;
  readonly claims: AreaClaims;
  readonly #rateKeeper: RateKeeper;
  readonly #sender: Sender;
  /** Most requests under way. */
  readonly #limit: number;
  /** What the push does in each phase; gives the next one, null: it is over. */
  readonly #phases: Readonly<Record<Phase, () => Promise<Phase | null>>> = {
    trial: async () => ((await this.#answersAgain()) ? 'steady' : 'outage'),
    steady: () => this.#sendDue().then(() => 'outage'),
    single: () => this.#sendOne().then(() => 'outage'),
    outage: async () => ((await this.#waitForAnswer()) ? 'trial' : null),
  };
  /** Claims whose outcome is not known yet. */
  #underWay = 0;
  /** Ends the wait for one of them. */
  #wake = () => {};
  /** What ends the push early. */
  #failure: { readonly error: unknown } | null = null;
  /** Waits for an area that did not answer. */
  #outages = 0;
  /** The platform's connections are open. */
  #prepared = false;

  static async open(options: PushOptions): Promise<AreaPush> {
    const tryUntil = options.clock.monotonic() + (options.runForMs ?? 0);
    const { queue, areaStates } = options.state;
    const before = await areaStates.read(options.area);
    // A setting was to blame, and may have changed since: what waits because of it goes first.
    if (before?.stop?.code === 'reply-not-understood')
      for (const { name } of options.entities) await queue.retryBlameless(name);
    return new AreaPush(options, before, tryUntil, await RefusalWatch.open(options));
  }

  private constructor(
    private readonly options: PushOptions,
    /** What the push before stored of the area. */
    private readonly before: AreaState | null,
    /** Until then what is deferred is tried again; monotonic. */
    private readonly tryUntil: number,
    readonly watch: RefusalWatch,
  ) {
    const { area, settings, areaSettings, clock, emit, lease, state, runId } = options;
    this.#limit = claimLimit(areaSettings.ratePerSecond, areaSettings.concurrency);
    this.gate = new AreaGate(area, settings.retry, clock, emit, before);
    this.#rateKeeper = new RateKeeper(options, before?.learnedRate ?? null);
    this.versions = new VersionWatch(options, before?.platformVersion ?? null);
    const timeoutMs = () => areaSettings.timeoutMs;
    this.buffer = new OutcomeBuffer({
      write: async (outcomes, tallies) => {
        await lease.fenced((fence) => state.queue.record({ fence, outcomes, tallies, timeoutMs, runId }));
      },
      tallies: () => watch.takeChanged(),
      onError: (error) => this.#fail(error),
    });
    this.claims = new AreaClaims(options, (name) => watch.isHeld(name) || this.undecided.blocks(name));
    this.#sender = new Sender(options, this);
    const stoppedBefore = before?.stop?.code;
    this.undecided = new Undecided(options, {
      gate: this.gate,
      watch,
      trial: stoppedBefore === 'same-refusal' || stoppedBefore === 'authentication-refused',
      whenAllIsDone: () => this.#whenAllIsDone(),
      flush: () => this.buffer.flush(),
      send: (control) => this.#sender.send(control, this.#sendBefore()),
    });
  }

  async run(): Promise<AreaStop | null> {
    try {
      await this.#takeOver();
      for (let phase: Phase | null = this.#firstPhase(); phase !== null;) phase = await this.#phases[phase]();
    } catch (error) {
      this.#fail(error);
    }
    await this.#whenAllIsDone();
    this.undecided.handBackAll();
    await this.buffer.flush().catch((error: unknown) => this.#fail(error));
    if (this.#failure) throw this.#failure.error;
    return this.#conclude();
  }

  ending(): boolean {
    return this.#cutShort() || this.gate.stop() !== null;
  }

  triesAgain(): boolean {
    return this.options.clock.monotonic() < this.tryUntil;
  }

  /** A worker tries a stopped area with single pushes, in its own time. */
  #firstPhase(): Phase {
    const { probe, runId } = this.options;
    if (probe === true) return 'single';
    const isTrial = runId !== null && this.before !== null && this.before.stop !== null;
    return isTrial ? 'trial' : 'steady';
  }

  #cutShort(): boolean {
    const { signal, lease } = this.options;
    return signal.aborted || this.#failure !== null || !lease.held();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Nothing of these entities is under way yet: existing claims come from a database that went back in time. */
  async #takeOver(): Promise<void> {
    const { entities, lease, state, areaSettings } = this.options;
    const names = entities.map(({ name }) => name);
    const options = takingOver(entities, () => areaSettings.timeoutMs);
    await lease.fenced((fence) => state.queue.takeOver(fence, names, options));
  }

  /** Sends one request to an area that was stopped; true: nothing speaks against sending the rest. */
  async #answersAgain(): Promise<boolean> {
    const { entities, state, clock, signal } = this.options;
    while (!this.ending()) {
      await this.watch.refresh();
      const sendBefore = this.#sendBefore();
      const claim = await this.claims.trial();
      if (!claim) return true;
      await this.#start([claim], sendBefore);
      await this.#whenAllIsDone();
      await this.undecided.settle(false);
      await this.buffer.flush();
      if (this.gate.wouldStop()) return false;
      if (this.gate.condition().answered) {
        // The outage is over, and not they were to blame.
        for (const { name } of entities) await state.queue.retryBlameless(name);
        return true;
      }
      await clock.sleep(this.gate.pauseLeft(), signal);
    }
    return false;
  }

  async #sendDue(): Promise<void> {
    while (!this.ending()) {
      if (!(await this.#mayClaim())) continue;
      const room = this.#limit - this.#underWay;
      if (room < this.#limit / 2) {
        await this.#claimUrgent();
        continue;
      }
      // A slow state database delays claims, so that a kill never loses more than one group of outcomes.
      if (this.buffer.size() >= GROUP_SIZE) await this.buffer.flush();
      const idle = this.#underWay === 0 && this.buffer.size() === 0;
      const sendBefore = this.#sendBefore();
      const claims = await this.claims.next(room, idle);
      if (claims.length > 0) await this.#start(claims, sendBefore);
      else if (!idle) await this.#waitForMore();
      else if (await this.undecided.settle(true)) continue;
      else if (!(await this.#waitForParents()) && !(await this.#waitForDeferred())) return;
    }
  }

  async #sendOne(): Promise<void> {
    while (!this.ending()) {
      if (!(await this.#mayClaim())) continue;
      await this.buffer.flush();
      const sendBefore = this.#sendBefore();
      const claims = await this.claims.next(1, true);
      if (claims.length === 0) {
        if (await this.undecided.settle(true)) continue;
        return;
      }
      await this.#start(claims, sendBefore);
      await this.#whenAllIsDone();
      await this.undecided.settle(false);
      // A pause that the platform asked for is waited for here, else the next probe would ignore it.
      if (this.gate.pauseLeft() === 0 && !this.undecided.asksAnother()) return;
    }
  }

  /** Waits before an area is tried again that does not answer; false: it stopped for another reason, or time is over. */
  async #waitForAnswer(): Promise<boolean> {
    const { clock, random, state, counters, settings } = this.options;
    const { baseDelayMs, maxDelayMs } = settings.retry;
    const { gate, streak } = this;
    const stop = gate.stop() ?? gate.wouldStop();
    const isOutage = stop?.code === 'breaker-open' && !isLasting(gate.condition().lastCause);
    if (!isOutage || this.#cutShort()) return false;
    const leftMs = this.tryUntil - clock.monotonic();
    if (leftMs < baseDelayMs / 2) return false;
    await this.#whenAllIsDone();
    await this.buffer.flush();
    await streak.forgive(state.queue, counters, { all: gate.stop() !== null });
    streak.end();
    this.#outages += 1;
    // The last one is at the end of the time, so that all of it is used.
    const delayMs = backoffDelay(this.#outages, baseDelayMs, maxDelayMs, random());
    if (!(await this.#sleepUntilRetry(Math.min(delayMs, leftMs)))) return false;
    gate.reopen();
    return true;
  }

  /** What comes before each claim. False: it has waited for a pause that the platform asked for. */
  async #mayClaim(): Promise<boolean> {
    await this.#rateKeeper.keep();
    await this.versions.keep();
    if (this.gate.pauseLeft() > 0) {
      await this.#whenAllIsDone();
      await this.buffer.flush();
      await this.options.clock.sleep(this.gate.pauseLeft(), this.options.signal);
      return false;
    }
    await this.watch.refresh();
    await this.undecided.settle(false);
    return true;
  }

  /** A confirmation is due twice the time-out after the claim, so the first half is for waiting. */
  #sendBefore(): number {
    return this.options.clock.monotonic() + this.options.areaSettings.timeoutMs;
  }

  async #start(claims: readonly Claim[], sendBefore: number): Promise<void> {
    if (!this.#prepared) await this.options.platform(this.options.area).prepare();
    this.#prepared = true;
    for (const claim of claims) {
      this.#underWay += 1;
      void this.#sender
        .send(claim, sendBefore)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => {
          this.#underWay -= 1;
          this.#wake();
        });
    }
  }

  #somethingHappens(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#underWay === 0) resolve();
    });
  }

  async #whenAllIsDone(): Promise<void> {
    while (this.#underWay > 0) await this.#somethingHappens();
  }

  /** A written outcome may release children. */
  async #waitForMore(): Promise<void> {
    if (this.buffer.size() > 0) await this.buffer.flush();
    else await this.#somethingMayBeDue();
  }

  /** Until a request is answered, but not past the next look at what may not wait: a sweep may be under way. */
  async #somethingMayBeDue(): Promise<void> {
    const happened = new AbortController();
    const look = this.options.clock.sleep(URGENT_RECHECK_MS, happened.signal);
    await Promise.race([this.#somethingHappens(), look]);
    happened.abort();
  }

  /** Claims what may not wait even under full load. */
  async #claimUrgent(): Promise<void> {
    const sendBefore = this.#sendBefore();
    await this.#start(await this.claims.urgent(this.options.areaSettings.concurrency), sendBefore);
    await this.#somethingMayBeDue();
  }

  /** Waits for the next record that this push has deferred, while the area answers; false: none is due in time. */
  async #waitForDeferred(): Promise<boolean> {
    if (this.ending() || !this.gate.condition().answered || !this.triesAgain()) return false;
    const dueMs = await this.claims.nextDeferredIn();
    if (dueMs === null || this.options.clock.monotonic() + dueMs > this.tryUntil) return false;
    return this.#sleepUntilRetry(Math.ceil(dueMs) + 1);
  }

  /**
   * Waits for the first record whose parent was accepted a moment ago, but not past the next look: a sweep may be under
   * way. False: there is none.
   */
  async #waitForParents(): Promise<boolean> {
    if (this.ending()) return false;
    const dueMs = await this.claims.nextSettledIn();
    if (dueMs === null) return false;
    await this.options.clock.sleep(Math.min(Math.ceil(dueMs) + 1, RECHECK_MS), this.options.signal);
    return !this.#cutShort();
  }

  async #sleepUntilRetry(delayMs: number): Promise<boolean> {
    const { emit, clock, area, signal } = this.options;
    emit({ type: 'area-retry', area, delayMs });
    await clock.sleep(delayMs, signal);
    return !this.#cutShort();
  }

  /** Stores what the push learned about its area. */
  async #conclude(): Promise<AreaStop | null> {
    const { area, signal, lease, state, counters, clock } = this.options;
    const byBreaker = this.gate.stop()?.code === 'breaker-open';
    // A push that was cut short has not given the area the time to answer.
    const condition = signal.aborted || !lease.held() ? this.gate.condition() : this.gate.end();
    const { stop } = condition;
    if (stop?.code === 'breaker-open' || !condition.answered)
      await this.streak.forgive(state.queue, counters, { all: byBreaker });
    if (stop?.code === 'reply-not-understood') await this.watch.takeBack(counters);
    const finding = areaFinding(area, this.before, condition, clock.monotonic());
    if (finding && lease.held()) await lease.fenced((fence) => state.areaStates.save(fence, finding));
    if (lease.held()) await this.#rateKeeper.keepLast();
    if (lease.held()) await this.versions.keep();
    return stop;
  }
}

/**
 * How many records may be claimed and not yet answered: a quarter second's worth of the rate, at least the
 * concurrency. This bounds how many requests repeat after a kill. Without a rate as many again wait as are under way: they
 * are sent while the next ones are claimed.
 */
function claimLimit(ratePerSecond: number | null, concurrency: number): number {
  return ratePerSecond === null ? 2 * concurrency : Math.max(concurrency, Math.ceil(ratePerSecond / 4));
}

/** What a push learned about its area, to be stored; null: nothing new. `before`: what was stored. */
function areaFinding(
  area: Area,
  before: AreaState | null,
  { answered, transientInARow, failingFrom, lastError, stop }: AreaCondition,
  now: number,
): AreaFinding | null {
  if (!answered && stop === null && transientInARow === (before?.failuresInARow ?? 0)) return null;
  return {
    area,
    answered,
    failuresInARow: transientInARow,
    failingMs: failingFrom === null ? null : now - failingFrom,
    lastError: answered ? lastError : (lastError ?? before?.lastError ?? null),
    // A push that was cut short before an answer does not know better.
    stop: stop ?? (answered ? null : stopBefore(before)),
  };
}

function stopBefore(before: AreaState | null): AreaFinding['stop'] {
  if (!before?.stop) return null;
  const { code, message, hint, cause = null } = before.stop;
  return { code, message, hint, cause, ...(before.pause ? { delayMs: before.pause.leftMs } : {}) };
}
