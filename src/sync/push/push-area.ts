import type { Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { Emit } from '../../domain/events.js';
import type { PushCounters } from '../../domain/outcome.js';
import {
  nextCondition,
  OPEN_AREA,
  type AreaCondition,
  type AreaStop,
} from '../../domain/push/area-condition.js';
import { countOutcome } from '../../domain/push/count-outcome.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import type { Judgement } from '../../domain/reply/judgement.js';
import type { Entity } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { Platform } from '../../ports/platform.js';
import type { Claim } from '../../ports/queue.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { State } from '../../ports/state.js';
import type { HeldLease } from '../hold-lease.js';
import { createClaimCursor } from './claim-cursor.js';
import { claimLimit } from './claim-limit.js';
import { composeBody } from './compose-body.js';
import { createOutcomeBuffer, GROUP_SIZE } from './outcome-buffer.js';
import { handBack, outcomeOf, type RetryLimits } from './outcome-of.js';
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
  /** Of this area, parents first. */
  readonly entities: readonly Entity[];
  readonly state: State;
  readonly platform: Platform;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly settings: PushSettings;
  readonly areaSettings: AreaSettings;
  readonly lease: HeldLease;
  /** Database time when this push began. */
  readonly since: string;
  /** Aborts when the process is to end: what is under way is finished, the rest handed back. */
  readonly signal: AbortSignal;
  readonly random: () => number;
}

export interface PushAreaResult {
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  readonly stop: AreaStop | null;
}

/**
 * Sends everything of one area that is pending now: claim → compose → sign → send → judge reply → record outcome.
 * Returns when nothing is left that could be sent at once; deferred records are not waited for.
 * Errors: SyncError of scope `run` when the state database or the lease is lost.
 */
export async function pushArea(options: PushAreaOptions): Promise<PushAreaResult> {
  const { area, entities, state, clock, emit, settings, areaSettings, lease, signal } = options;
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const counters = new Map<EntityName, PushCounters>(
    entities.map(({ name }) => [name, { sent: 0, accepted: 0, rejected: 0, deferred: 0 }]),
  );
  const limit = claimLimit(areaSettings.ratePerSecond, areaSettings.concurrency);
  const watch = await createRefusalWatch(
    state.entityStates,
    entities,
    settings.maxRejectedInARow,
    clock,
    emit,
  );

  let condition: AreaCondition = OPEN_AREA;
  let failure: { error: unknown } | null = null;
  let outstanding = 0;
  /** Records whose transient failures are in a row right now: forgiven when the area turns out to be the cause. */
  let failedInARow: FailedRecord[] = [];
  let wake = () => {};

  const timeoutMs = () => areaSettings.timeoutMs;
  const buffer = createOutcomeBuffer(
    async (outcomes, tallies) => {
      await state.queue.record({ token: lease.token, outcomes, tallies, timeoutMs });
    },
    () => watch.takeChanged(),
    (error) => {
      failure ??= { error };
      wake();
    },
  );
  const cursor = createClaimCursor(
    entities.map(({ name }) => name),
    (entity, position, count) =>
      state.queue.claim({ token: lease.token, entity, position, limit: count, since: options.since }),
    watch.isHeld,
    () => clock.monotonic(),
  );
  const paused = () => condition.pausedUntil !== null && condition.pausedUntil > clock.monotonic();
  const ending = () => signal.aborted || failure !== null || condition.stop !== null || !lease.held();

  /** `sendBefore`: a confirmation is due twice the time-out after the claim, so the first half is for waiting. */
  const send = (claim: Claim, sendBefore: number): Promise<Judgement | null> =>
    options.rateLimit.schedule(async (place) => {
      const entity = byName.get(claim.entity);
      const late = clock.monotonic() > sendBefore;
      if (!entity || late || ending() || paused() || watch.isHeld(claim.entity)) {
        place.release();
        return null;
      }
      const body = composeBody(claim.payload, entity.parent, claim.parent);
      const { requestId, platformId } = claim;
      const reply = await options.platform.send({ operation: entity.put, platformId, requestId, body });
      const judgement = judgeReply(reply, { method: 'PUT', now: clock.now() });
      // Still inside the attempt, so that the next one in the queue already sees it.
      const before = condition;
      condition = nextCondition(condition, judgement, settings, clock.monotonic());
      announce(before, condition);
      return judgement;
    });

  const announce = (before: AreaCondition, after: AreaCondition) => {
    if (after.stop && !before.stop) emit({ type: 'area-stopped', area, ...after.stop });
    if (after.pausedUntil !== null && after.pausedUntil !== before.pausedUntil) {
      const delayMs = Math.max(0, after.pausedUntil - clock.monotonic());
      emit({ type: 'area-paused', area, delayMs, message: 'the platform asked to wait' });
    }
  };

  const attempt = async (claim: Claim, sendBefore: number): Promise<void> => {
    const judgement = await send(claim, sendBefore);
    const outcome = judgement ? outcomeOf(claim, judgement, settings, options.random()) : handBack(claim);
    const counted = counters.get(claim.entity);
    if (counted && outcome.kind !== 'handed-back') {
      const as =
        outcome.kind === 'refused' || (outcome.kind === 'deferred' && outcome.exhausted)
          ? 'rejected'
          : outcome.kind;
      countOutcome(counted, claim.previousOutcome, as);
    }
    let noted: Promise<void> | null = null;
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      // Replies that were still under way when the breaker opened do not change that it did.
      if (condition.stop === null) failedInARow = [];
      noted = watch.note(claim.entity, claim.key, outcome.kind);
    } else if (outcome.kind === 'deferred') {
      failedInARow.push({ entity: claim.entity, key: claim.key, exhausted: outcome.exhausted });
    }
    // Before anything can fail: what is known of the record must not be lost.
    buffer.add(outcome);
    await noted;
    if (judgement) {
      const { statusCode } = judgement;
      const message = judgement.kind === 'accepted' ? null : judgement.message;
      emit({
        type: 'record-sent',
        area,
        entity: claim.entity,
        key: claim.key,
        outcome: outcome.kind,
        statusCode,
        message,
      });
    }
  };

  const start = (claim: Claim, sendBefore: number) => {
    outstanding += 1;
    attempt(claim, sendBefore)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        outstanding -= 1;
        wake();
      });
  };
  const somethingHappens = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (outstanding === 0) resolve();
    });
  const whenAllIsDone = async () => {
    while (outstanding > 0) await somethingHappens();
  };

  const drain = async (): Promise<void> => {
    while (!ending()) {
      if (paused()) {
        await whenAllIsDone();
        await buffer.flush();
        await clock.sleep((condition.pausedUntil ?? 0) - clock.monotonic(), signal);
        continue;
      }
      const room = limit - outstanding;
      if (room < limit / 2) {
        await somethingHappens();
        continue;
      }
      const idle = outstanding === 0;
      // A slow state database holds up claims, so that a kill never loses more than one group of outcomes.
      if (idle || buffer.size() >= GROUP_SIZE) await buffer.flush();
      const sendBefore = clock.monotonic() + areaSettings.timeoutMs;
      const claims = await cursor.next(room);
      claims.forEach((claim) => start(claim, sendBefore));
      if (claims.length > 0) continue;
      if (idle) break;
      await buffer.flush();
      await somethingHappens();
    }
  };

  // Whatever went wrong, nothing is under way any more when this returns, and what is known is written if it can be.
  const noteFailure = (error: unknown) => {
    failure ??= { error };
  };
  await drain().catch(noteFailure);
  await whenAllIsDone();
  await buffer.flush().catch(noteFailure);
  if (failure) throw (failure as { error: unknown }).error;
  if (condition.stop?.code === 'breaker-open') await forgive(state, failedInARow, counters);
  return { counters, stop: condition.stop };
}

interface FailedRecord {
  readonly entity: EntityName;
  readonly key: string;
  /** It was its last attempt, so the record counted as rejected. */
  readonly exhausted: boolean;
}

/** Failures that were the area's use up no attempt of their records; one that gets its last back is deferred. */
async function forgive(
  state: State,
  records: readonly FailedRecord[],
  counters: ReadonlyMap<EntityName, PushCounters>,
): Promise<void> {
  for (const entity of new Set(records.map((record) => record.entity))) {
    const failed = records.filter((record) => record.entity === entity);
    await state.queue.forgiveAttempts(
      entity,
      failed.map(({ key }) => key),
    );
    const counted = counters.get(entity);
    const exhausted = failed.filter((record) => record.exhausted).length;
    if (!counted) continue;
    counted.rejected -= exhausted;
    counted.deferred += exhausted;
  }
}
