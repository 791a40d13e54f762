import type { AreaCondition, AreaStop } from '../domain/area-condition.js';
import type { Area, EntityName } from '../domain/names.js';
import { backoffDelay } from '../domain/reply/judge-reply.js';
import { isLasting } from '../domain/reply/reply.js';
import type { AreaFinding, AreaState } from '../ledger/queue/area-states.js';
import {
  type AreaPush,
  createAreaGate,
  createFailureStreak,
  createRateKeeper,
  createVersionWatch,
} from './area-gate.js';
import { createAttempt, createOutcomeBuffer, GROUP_SIZE, takingOver } from './attempt.js';
import { createRefusalWatch } from './refusal-watch.js';
import { createUndecided, type Undecided } from './undecided.js';
import type { Claim, QueuePosition } from '../ledger/queue/types.js';
import type { Queue } from '../ledger/queue/queue.js';

/**
 * Sends everything of one area that is pending now; gives why it stopped early (null: it did not). `push`: its entities
 * are those of the area; once its signal aborts, it finishes what is under way and hands back the rest. A run first sends
 * one request to an area that was stopped, whatever the back-off, and goes on if it is answered: somebody may have removed
 * the cause. Until `runForMs` has passed it waits for records that it has deferred, and tries an area that does not answer
 * again in the same way. When this settles, nothing is under way, and every known
 * outcome is written if possible. Errors: SyncError of scope `run` when the state database or the lease is lost.
 */
export async function pushArea(push: AreaPush): Promise<AreaStop | null> {
  const { area, entities, state, clock, emit, areaSettings, lease, signal, counters } = push;
  const { retry } = push.settings;
  let failure: { readonly error: unknown } | null = null;
  let underWay = 0;
  let wake = () => {};
  const noteFailure = (error: unknown) => {
    failure ??= { error };
    wake();
  };

  const probe = push.probe === true;
  const tryUntil = clock.monotonic() + (push.runForMs ?? 0);
  // A probe begins with records that have not failed: a single one that always fails must not keep the area stopped.
  let untried = probe;
  let prepared = false;
  const before = await state.areaStates.read(area);
  // A setting was to blame, and may have changed since: what waits because of it goes first.
  if (before?.stop?.code === 'reply-not-understood')
    for (const { name } of entities) await state.queue.retryBlameless(name);
  const isTrial = push.runId !== null && before !== null && before.stop !== null;
  const gate = createAreaGate(area, retry, clock, emit, before?.failuresInARow ?? 0);
  const streak = createFailureStreak();
  const watch = await createRefusalWatch(push);
  const rateKeeper = createRateKeeper(push, before?.learnedRate ?? null);
  const versions = createVersionWatch(push, before?.platformVersion ?? null);
  const { runId } = push;
  const timeoutMs = () => areaSettings.timeoutMs;
  const buffer = createOutcomeBuffer(
    async (outcomes, tallies) => {
      await lease.fenced((fence) => state.queue.record({ fence, outcomes, tallies, timeoutMs, runId }));
    },
    () => watch.takeChanged(),
    noteFailure,
  );
  // Only under policy `delete`: only then the configuration has checked the operation. A delete desired under an
  // earlier policy waits for the sweep that judges it again.
  const deleting = new Set(
    entities.filter(({ onVanished }) => onVanished === 'delete').map(({ name }) => name),
  );
  /** Entities that wait until their parents have settled, and how long. */
  const settling = new Map(
    entities.flatMap(({ name, parentSettleMs = 0 }) => (parentSettleMs > 0 ? [[name, parentSettleMs]] : [])),
  );
  // The database's own time: the clock of this process may be off. One claim is made at a time.
  let since: string | null = null;
  const claim = async (
    entity: EntityName,
    what: Omit<ClaimOptions, 'fence' | 'entity' | 'deletions' | 'since'>,
  ) => {
    const claims = await lease.fenced((fence) =>
      state.queue.claim({
        fence,
        entity,
        deletions: deleting.has(entity),
        since,
        parentSettleMs: settling.get(entity) ?? 0,
        ...what,
      }),
    );
    since ??= claims[0]?.claimedAt ?? null;
    return claims;
  };
  const isHeld = (name: EntityName) => watch.isHeld(name) || undecided.blocks(name);
  const cursor = createClaimCursor(
    entities,
    (entity, position, limit, changesOnly) =>
      claim(entity, { position, changesOnly, limit, untried, oldestFirst: probe && !untried }),
    isHeld,
    () => clock.monotonic(),
  );
  const cutShort = () => signal.aborted || failure !== null || !lease.held();
  const ending = () => cutShort() || gate.stop() !== null;
  const triesAgain = () => clock.monotonic() < tryUntil;
  const claimAgain = async ({ entity, key }: Claim) =>
    (await claim(entity, { position: null, limit: 1, key, evenDeferred: true }))[0];
  const attempt = createAttempt(push, {
    gate,
    watch,
    undecided: () => undecided,
    streak,
    noteVersion: versions.note,
    buffer,
    ending,
    triesAgain,
    claimAgain,
  });

  const start = (claim: Claim, sendBefore: number) => {
    underWay += 1;
    void attempt(claim, sendBefore)
      .catch(noteFailure)
      .finally(() => {
        underWay -= 1;
        wake();
      });
  };
  const somethingHappens = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (underWay === 0) resolve();
    });
  const whenAllIsDone = async () => {
    while (underWay > 0) await somethingHappens();
  };

  const stoppedBefore = before?.stop?.code;
  const undecided: Undecided = createUndecided(push, {
    ...{ gate, watch, whenAllIsDone, flush: buffer.flush },
    trial: stoppedBefore === 'same-refusal' || stoppedBefore === 'authentication-refused',
    send: (control) => attempt(control, clock.monotonic() + areaSettings.timeoutMs),
  });

  const limit = probe ? 1 : claimLimit(areaSettings.ratePerSecond, areaSettings.concurrency);
  /** Until a request is answered, but not past the next look at what may not wait: a sweep may be under way. */
  const somethingMayBeDue = async (): Promise<void> => {
    const happened = new AbortController();
    await Promise.race([somethingHappens(), clock.sleep(URGENT_RECHECK_MS, happened.signal)]);
    happened.abort();
  };
  /** Claims what may not wait even under full load. */
  const claimUrgent = async (): Promise<void> => {
    const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
    const claims = await cursor.urgent(areaSettings.concurrency);
    claims.forEach((claim) => start(claim, sendBefore));
    await somethingMayBeDue();
  };
  const prepare = async (): Promise<void> => {
    if (prepared) return;
    await push.platform(area).prepare();
    prepared = true;
  };
  /**
   * The record that tries a stopped area: one that has not failed, else the one whose attempt is the longest ago, due or
   * not, so that a record that always fails is not the only one that is tried.
   */
  const claimTrial = async (): Promise<Claim | undefined> => {
    const one = { position: null, limit: 1 };
    const names = entities.map(({ name }) => name).filter((name) => !isHeld(name));
    for (const name of names) {
      const [found] = await claim(name, { ...one, untried: true });
      if (found) return found;
    }
    for (const name of await state.queue.leastRecentlyTried(names)) {
      const [found] = await claim(name, { ...one, evenDeferred: true });
      if (found) return found;
    }
    return undefined;
  };
  /** Sends one request to an area that was stopped; true: nothing speaks against sending the rest. */
  const answersAgain = async (): Promise<boolean> => {
    while (!ending()) {
      await watch.refresh();
      const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
      const found = await claimTrial();
      if (!found) return true;
      await prepare();
      start(found, sendBefore);
      await whenAllIsDone();
      await undecided.settle(false);
      await buffer.flush();
      if (gate.wouldStop()) return false;
      if (gate.condition().answered) {
        // The outage is over, and not they were to blame.
        for (const { name } of entities) await state.queue.retryBlameless(name);
        return true;
      }
      await clock.sleep(gate.pauseLeft(), signal);
    }
    return false;
  };
  const sleepUntilRetry = async (delayMs: number): Promise<boolean> => {
    emit({ type: 'area-retry', area, delayMs });
    await clock.sleep(delayMs, signal);
    return !cutShort();
  };
  /** Waits for the next record that this push has deferred, while the area answers; false: none is due in time. */
  const waitForDeferred = async (): Promise<boolean> => {
    if (since === null || ending() || !gate.condition().answered || !triesAgain()) return false;
    const names = entities.map(({ name }) => name).filter((name) => !isHeld(name));
    const dueMs = await state.queue.nextAttemptIn(names, since);
    if (dueMs === null || clock.monotonic() + dueMs > tryUntil) return false;
    return sleepUntilRetry(Math.ceil(dueMs) + 1);
  };
  /**
   * Waits for the first record whose parent was accepted a moment ago, but not past the next look: a sweep may be under
   * way. False: there is none.
   */
  const waitForParents = async (): Promise<boolean> => {
    if (probe || ending()) return false;
    let dueMs = Infinity;
    for (const [name, settleMs] of settling)
      if (!isHeld(name))
        dueMs = Math.min(dueMs, (await state.queue.nextSettledIn(name, settleMs)) ?? Infinity);
    if (dueMs === Infinity) return false;
    await clock.sleep(Math.min(Math.ceil(dueMs) + 1, RECHECK_MS), signal);
    return !cutShort();
  };
  let pauses = 0;
  /** Waits before an area is tried again that does not answer; false: it stopped for another reason, or time is over. */
  const waitForAnswer = async (): Promise<boolean> => {
    const stop = gate.stop() ?? gate.wouldStop();
    if (stop?.code !== 'breaker-open' || cutShort() || isLasting(gate.condition().lastCause)) return false;
    const leftMs = tryUntil - clock.monotonic();
    if (leftMs < retry.baseDelayMs / 2) return false;
    await whenAllIsDone();
    await buffer.flush();
    await streak.forgive(state.queue, counters, { all: gate.stop() !== null });
    streak.end();
    pauses += 1;
    // The last one is at the end of the time, so that all of it is used.
    const delayMs = backoffDelay(pauses, retry.baseDelayMs, retry.maxDelayMs, push.random());
    if (!(await sleepUntilRetry(Math.min(delayMs, leftMs)))) return false;
    gate.reopen();
    return true;
  };
  const drain = async (): Promise<void> => {
    // Nothing of these entities is under way yet: existing claims come from a database that went back in time.
    const names = entities.map(({ name }) => name);
    await lease.fenced((fence) => state.queue.takeOver(fence, names, takingOver(entities, timeoutMs)));
    if (!isTrial || (await answersAgain())) await sendDue();
    while (await waitForAnswer()) if (await answersAgain()) await sendDue();
  };
  const sendDue = async (): Promise<void> => {
    while (!ending()) {
      await rateKeeper.keep();
      await versions.keep();
      if (gate.pauseLeft() > 0) {
        await whenAllIsDone();
        await buffer.flush();
        await clock.sleep(gate.pauseLeft(), signal);
        continue;
      }
      await watch.refresh();
      await undecided.settle(false);
      const room = limit - underWay;
      if (room < limit / 2) {
        await claimUrgent();
        continue;
      }
      // A slow state database delays claims, so that a kill never loses more than one group of outcomes.
      if (buffer.size() >= GROUP_SIZE) await buffer.flush();
      const idle = underWay === 0 && buffer.size() === 0;
      // A confirmation is due twice the time-out after the claim, so the first half is for waiting.
      const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
      const claims = await cursor.next(room, idle);
      if (claims.length === 0 && untried) {
        untried = false;
        continue;
      }
      if (claims.length > 0) await prepare();
      claims.forEach((claim) => start(claim, sendBefore));
      if (probe && claims.length > 0) {
        await whenAllIsDone();
        await undecided.settle(false);
        // A pause that the platform asked for is waited for here, else the next probe would ignore it.
        if (gate.pauseLeft() === 0 && !undecided.asksAnother()) break;
      }
      if (claims.length > 0) continue;
      if (idle && (await undecided.settle(true))) continue;
      if (idle && ((await waitForParents()) || (await waitForDeferred()))) continue;
      if (idle) break;
      // A written outcome may release children.
      if (buffer.size() > 0) await buffer.flush();
      else await somethingMayBeDue();
    }
  };

  await drain().catch(noteFailure);
  await whenAllIsDone();
  undecided.handBackAll();
  await buffer.flush().catch(noteFailure);
  if (failure) throw (failure as { readonly error: unknown }).error;
  // A push that was cut short has not given the area the time to answer.
  const byBreaker = gate.stop()?.code === 'breaker-open';
  const condition = signal.aborted || !lease.held() ? gate.condition() : gate.end();
  const { stop } = condition;
  if (stop?.code === 'breaker-open' || !condition.answered)
    await streak.forgive(state.queue, counters, { all: byBreaker });
  if (stop?.code === 'reply-not-understood') await watch.takeBack(counters);
  const finding = areaFinding(area, before, condition);
  if (finding && lease.held()) await lease.fenced((fence) => state.areaStates.save(fence, finding));
  if (lease.held()) await rateKeeper.keepLast();
  if (lease.held()) await versions.keep();
  return stop;
}

type ClaimOptions = Parameters<Queue['claim']>[0];

/**
 * How many records may be claimed and not yet answered: a quarter second's worth of the rate, at least the
 * concurrency. This bounds how many requests repeat after a kill. Without a rate as many again wait as are under way: they
 * are sent while the next ones are claimed.
 */
function claimLimit(ratePerSecond: number | null, concurrency: number): number {
  return ratePerSecond === null ? 2 * concurrency : Math.max(concurrency, Math.ceil(ratePerSecond / 4));
}

/** Pause before another look at what had no work or was passed by, while there is other work, milliseconds. */
const RECHECK_MS = 2_000;

/** The same for entities that go before all others. */
const URGENT_RECHECK_MS = 500;

type ClaimSome = (
  entity: EntityName,
  position: QueuePosition | null,
  limit: number,
  changesOnly: boolean,
) => Promise<readonly Claim[]>;

/**
 * Walks the queue of several entities, parents first; those that may not wait (application statuses) go before all. It
 * remembers its position in each, so that it passes records that cannot be claimed (waiting, deferred) once and not at
 * every claim; at the end it starts again. While it walks the new records of an entity, it keeps looking for changes
 * and closings, because they go before new ones.
 */
export function createClaimCursor(
  entities: readonly { readonly name: EntityName; readonly repeatable: boolean }[],
  claim: ClaimSome,
  isHeld: (entity: EntityName) => boolean,
  monotonic: () => number,
) {
  const urgent = entities.filter(({ repeatable }) => !repeatable);
  const inOrder = [...urgent, ...entities.filter(({ repeatable }) => repeatable)];
  const positions = new Map<EntityName, QueuePosition | null>();
  const emptyAt = new Map<EntityName, number>();
  const changesAt = new Map<EntityName, number>();
  const since = (times: ReadonlyMap<EntityName, number>, entity: EntityName) =>
    monotonic() - (times.get(entity) ?? -Infinity);

  /** Changes that came up behind the position, while it is among new records. */
  const overtaking = async (entity: EntityName, limit: number): Promise<readonly Claim[]> => {
    if (positions.get(entity)?.unacknowledged !== true || since(changesAt, entity) < RECHECK_MS) return [];
    const found = await claim(entity, null, limit, true);
    if (found.length < limit) changesAt.set(entity, monotonic());
    return found;
  };

  /** `whole`: every entity that may be sent was looked at from its beginning. */
  const walk = async (
    among: typeof inOrder,
    limit: number,
    everything: boolean,
  ): Promise<{ readonly claims: Claim[]; readonly whole: boolean }> => {
    const claims: Claim[] = [];
    let whole = true;
    for (const { name: entity, repeatable } of among) {
      if (claims.length >= limit) break;
      if (isHeld(entity)) continue;
      const pause = repeatable ? RECHECK_MS : URGENT_RECHECK_MS;
      if (!everything && since(emptyAt, entity) < pause) {
        whole = false;
        continue;
      }
      claims.push(...(await overtaking(entity, limit - claims.length)));
      const room = limit - claims.length;
      if (room === 0) break;
      const position = positions.get(entity) ?? null;
      if (position !== null) whole = false;
      const found = await claim(entity, position, room, false);
      const last = found.at(-1);
      if (found.length === room && last) {
        positions.set(entity, { unacknowledged: last.unacknowledged, key: last.key });
        emptyAt.delete(entity);
      } else {
        positions.delete(entity);
        emptyAt.set(entity, monotonic());
      }
      claims.push(...found);
    }
    return { claims, whole };
  };

  return {
    /**
     * Up to `limit` claims, in the order of the entities. `thorough`: before reporting no work, look at everything from
     * its beginning, which is expensive where many records wait.
     */
    async next(limit: number, thorough: boolean): Promise<readonly Claim[]> {
      const { claims, whole } = await walk(inOrder, limit, false);
      if (claims.length > 0 || whole || !thorough) return claims;
      positions.clear();
      return (await walk(inOrder, limit, true)).claims;
    },
    /** Up to `limit` claims of the entities that may not wait; asks at most twice a second. */
    urgent: async (limit: number) => (await walk(urgent, limit, false)).claims,
  };
}

/** What a push learned about its area, to be stored; null: nothing new. `before`: what was stored. */
function areaFinding(
  area: Area,
  before: AreaState | null,
  { answered, transientInARow, lastError, stop }: AreaCondition,
): AreaFinding | null {
  if (!answered && stop === null && transientInARow === (before?.failuresInARow ?? 0)) return null;
  return {
    area,
    answered,
    failuresInARow: transientInARow,
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
