import type { Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { Emit } from '../../domain/events.js';
import type { PushCounters } from '../../domain/outcome.js';
import type { AreaStop } from '../../domain/push/area-condition.js';
import type { Entity } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { Platform } from '../../ports/platform.js';
import type { Claim } from '../../ports/queue.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { State } from '../../ports/state.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { createAreaGate } from './area-gate.js';
import { createClaimCursor, URGENT_RECHECK_MS } from './claim-cursor.js';
import { claimLimit } from './claim-limit.js';
import { createAttempt } from './create-attempt.js';
import { createFailureStreak } from './failure-streak.js';
import { createOutcomeBuffer, GROUP_SIZE } from './outcome-buffer.js';
import type { RetryLimits } from './outcome-of.js';
import { createRefusalWatch } from './refusal-watch.js';

export interface PushSettings extends RetryLimits {
  readonly breakerAfter: number;
  readonly maxPauseMs: number;
  readonly maxRejectedInARow: number;
}

export interface AreaSettings {
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

export interface PushAreaOptions {
  readonly area: Area;
  /** Whether records of the entity may be deleted; a delete that was wanted under another policy is not sent. */
  readonly mayDelete: (entity: EntityName) => boolean;
  /** Of this area, parents first. */
  readonly entities: readonly Entity[];
  readonly state: Pick<State, 'queue' | 'entityStates'>;
  readonly platform: Platform;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly settings: PushSettings;
  readonly areaSettings: AreaSettings;
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
  /** Database time when this push began. */
  readonly since: string;
  /** Aborts when the process is to end: what is under way is finished, the rest handed back. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Counted into, record by record, so that the counts are there however the push ends. */
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  /** One request only, to see whether an area that was stopped answers again; one failure stops it anew. */
  readonly probe?: boolean;
}

/**
 * Sends everything of one area that is pending now, and gives why it stopped before that (null: it did not).
 * Deferred records are not waited for. Whatever went wrong, nothing is under way any more when this settles, and
 * what is known is written if it can be. Errors: SyncError of scope `run` when the state database or the lease is lost.
 */
export async function pushArea(options: PushAreaOptions): Promise<AreaStop | null> {
  const { area, entities, state, clock, emit, settings, areaSettings, lease, signal, counters } = options;
  let failure: { readonly error: unknown } | null = null;
  let underWay = 0;
  let wake = () => {};
  const noteFailure = (error: unknown) => {
    failure ??= { error };
    wake();
  };

  const probe = options.probe === true;
  const gate = createAreaGate(area, probe ? { ...settings, breakerAfter: 1 } : settings, clock, emit);
  const streak = createFailureStreak();
  const watch = await createRefusalWatch(
    state.entityStates,
    lease,
    entities,
    settings.maxRejectedInARow,
    clock,
    emit,
  );
  const buffer = createOutcomeBuffer(
    async (outcomes, tallies) => {
      const timeoutMs = () => areaSettings.timeoutMs;
      await lease.fenced((fence) => state.queue.record({ fence, outcomes, tallies, timeoutMs }));
    },
    () => watch.takeChanged(),
    noteFailure,
  );
  const cursor = createClaimCursor(
    entities,
    (entity, position, limit, changesOnly) =>
      lease.fenced((fence) =>
        state.queue.claim({
          fence,
          entity,
          position,
          changesOnly,
          limit,
          deletions: options.mayDelete(entity),
          since: options.since,
        }),
      ),
    watch.isHeld,
    () => clock.monotonic(),
  );
  const ending = () => signal.aborted || failure !== null || gate.stop() !== null || !lease.held();
  const attempt = createAttempt({
    ...options,
    entities: new Map(entities.map((entity) => [entity.name, entity])),
    limits: settings,
    gate,
    watch,
    streak,
    buffer,
    ending,
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

  const limit = probe ? 1 : claimLimit(areaSettings.ratePerSecond, areaSettings.concurrency);
  /** Until a request is answered, but no longer than what may not wait is left alone: a sweep may be under way. */
  const somethingMayBeDue = async (): Promise<void> => {
    const happened = new AbortController();
    await Promise.race([somethingHappens(), clock.sleep(URGENT_RECHECK_MS, happened.signal)]);
    happened.abort();
  };
  /** What may not wait is claimed beside a full load. */
  const claimUrgent = async (): Promise<void> => {
    const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
    const claims = await cursor.urgent(areaSettings.concurrency);
    claims.forEach((claim) => start(claim, sendBefore));
    await somethingMayBeDue();
  };
  const drain = async (): Promise<void> => {
    // Nothing of these entities is under way yet. What is claimed was forgotten by a database that went back in time.
    const names = entities.map(({ name }) => name);
    await lease.fenced((fence) => state.queue.takeOver(fence, names, () => areaSettings.timeoutMs));
    while (!ending()) {
      if (gate.pauseLeft() > 0) {
        await whenAllIsDone();
        await buffer.flush();
        await clock.sleep(gate.pauseLeft(), signal);
        continue;
      }
      await watch.refresh();
      const room = limit - underWay;
      if (room < limit / 2) {
        await claimUrgent();
        continue;
      }
      // A slow state database holds up claims, so that a kill never loses more than one group of outcomes.
      if (buffer.size() >= GROUP_SIZE) await buffer.flush();
      const idle = underWay === 0 && buffer.size() === 0;
      // A confirmation is due twice the time-out after the claim, so the first half is for waiting.
      const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
      const claims = await cursor.next(room, idle);
      claims.forEach((claim) => start(claim, sendBefore));
      if (probe && claims.length > 0) break;
      if (claims.length > 0) continue;
      if (idle) break;
      // An outcome that is written may set children free.
      if (buffer.size() > 0) await buffer.flush();
      else await somethingMayBeDue();
    }
  };

  await drain().catch(noteFailure);
  await whenAllIsDone();
  await buffer.flush().catch(noteFailure);
  if (failure) throw (failure as { readonly error: unknown }).error;
  const stop = gate.stop();
  if (stop?.code === 'breaker-open') await streak.forgive(state.queue, counters);
  return stop;
}
