import type { Area } from '../../domain/area.js';
import type { EntityName } from '../../domain/entity-name.js';
import type { Emit } from '../../domain/events.js';
import type { PushCounters } from '../../domain/outcome.js';
import { countOutcome } from '../../domain/push/count-outcome.js';
import { recordName } from '../../entities/record-name.js';
import { countedAs } from '../../domain/push/counted-as.js';
import { clockSkew } from '../../domain/reply/clock-skew.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import type { Judgement } from '../../domain/reply/judgement.js';
import type { Entity } from '../../entities/entity.js';
import type { Clock } from '../../ports/clock.js';
import type { Platform } from '../../ports/platform.js';
import type { Claim } from '../../ports/queue.js';
import type { RateLimit } from '../../ports/rate-limit.js';
import type { AreaGate } from './area-gate.js';
import type { FailureStreak } from './failure-streak.js';
import type { OutcomeBuffer } from './outcome-buffer.js';
import { handBack, outcomeOf, type RetryLimits } from './outcome-of.js';
import type { RefusalWatch } from './refusal-watch.js';
import { requestFor } from './request-for.js';

export interface AttemptOptions {
  readonly area: Area;
  readonly entities: ReadonlyMap<EntityName, Entity>;
  readonly platform: Platform;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly limits: RetryLimits;
  readonly random: () => number;
  readonly gate: AreaGate;
  readonly watch: RefusalWatch;
  readonly streak: FailureStreak;
  readonly buffer: OutcomeBuffer;
  readonly counters: ReadonlyMap<EntityName, PushCounters>;
  /** Whether the push is coming to its end: nothing more may leave. */
  readonly ending: () => boolean;
}

/**
 * Takes one claim through: compose → sign → send → judge reply → record outcome. `sendBefore` is monotonic: a claim
 * that gets its place in the rate later than that is handed back, because its confirmation counts from the claim.
 * Rejects when a refusal should have held the entity and that could not be stored.
 */
export type Attempt = (claim: Claim, sendBefore: number) => Promise<void>;

export function createAttempt(options: AttemptOptions): Attempt {
  const { area, entities, clock, emit, gate, watch, streak, buffer, counters } = options;

  /** Null: nothing was sent. */
  const send = (claim: Claim, sendBefore: number): Promise<Judgement | null> => {
    const entity = entities.get(claim.entity);
    const urgent = entity?.repeatable === false;
    const claimedAt = clock.monotonic();
    return options.rateLimit.schedule(async (place) => {
      const late = clock.monotonic() > sendBefore;
      if (!entity || late || options.ending() || gate.pauseLeft() > 0 || watch.isHeld(claim.entity)) {
        place.release();
        return null;
      }
      const { platformId, requestId } = claim;
      const { operation, method, body } = requestFor(entity, claim);
      const sentAt = clock.monotonic();
      const reply = await options.platform.send({ operation, platformId, requestId, body });
      if (reply.kind === 'unreachable') place.unreached();
      emit({
        type: 'request-finished',
        area,
        operation,
        statusCode: reply.kind === 'answered' ? reply.status : null,
        elapsedMs: clock.monotonic() - sentAt,
        waitedMs: sentAt - claimedAt,
        clockSkewMs: reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
      });
      const judgement = judgeReply(reply, { method, now: clock.now(), reused: claim.reused });
      // Still inside the attempt, so that the next one in the queue already sees it.
      gate.note(judgement);
      return judgement;
    }, urgent);
  };

  return async (claim, sendBefore) => {
    const judgement = await send(claim, sendBefore);
    const outcome = judgement
      ? outcomeOf(claim, judgement, options.limits, options.random())
      : handBack(claim);
    const counted = counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);

    const name = recordName(claim.entity, claim.key, claim.platformId);
    let noted: Promise<void> | null = null;
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      // Replies that were still under way when the breaker opened do not change that it did.
      if (gate.stop() === null) streak.end();
      noted = watch.note(claim.entity, name, outcome.kind);
    }
    streak.note(outcome);
    // Before anything can fail: what is known of the record must not be lost.
    buffer.add(outcome);
    await noted;
    if (!judgement) return;
    emit({
      type: 'record-sent',
      area,
      entity: claim.entity,
      key: name,
      outcome: outcome.kind,
      statusCode: judgement.statusCode,
      message: judgement.kind === 'accepted' ? null : judgement.message,
    });
  };
}
