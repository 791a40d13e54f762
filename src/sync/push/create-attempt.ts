import { countedAs, countOutcome } from '../../domain/push-counters.js';
import type { Entity } from '../../entities/entity.js';
import { recordName } from '../../entities/index.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import { clockSkew, type Judgement } from '../../domain/reply/reply.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import type { Claim } from '../../ports/queue.js';
import type { Place } from '../../ports/rate-limit.js';
import type { AreaGate } from './area-gate.js';
import type { FailureStreak } from './failure-streak.js';
import type { OutcomeBuffer } from './outcome-buffer.js';
import { handBack, outcomeOf } from './outcome-of.js';
import type { AreaPush } from './area-push.js';
import type { RefusalWatch } from './refusal-watch.js';
import { requestFor } from './request-for.js';
import { sentRequest } from './sent-request.js';

/** What all attempts of one push share. */
export interface PushProgress {
  readonly gate: AreaGate;
  readonly watch: RefusalWatch;
  readonly streak: FailureStreak;
  readonly buffer: OutcomeBuffer;
  /** Whether the push is ending: nothing more may leave. */
  readonly ending: () => boolean;
}

/**
 * Takes one claim through: compose → sign → send → judge reply → record outcome. `sendBefore` is monotonic: the attempt
 * hands back a claim that gets its place in the rate later, because its confirmation counts from the claim.
 * Rejects when a refusal should hold the entity but the hold could not be stored.
 */
export type Attempt = (claim: Claim, sendBefore: number) => Promise<void>;

export function createAttempt(
  {
    area,
    areaSettings,
    entities,
    platform,
    rateLimit,
    clock,
    emit,
    signal,
    settings,
    random,
    counters,
  }: AreaPush,
  { gate, watch, streak, buffer, ending }: PushProgress,
): Attempt {
  const rules = configuredRules(areaSettings.replies);
  /** Null: nothing was sent. */
  const send = (entity: Entity, claim: Claim, sendBefore: number): Promise<Judgement | null> => {
    const urgent = !entity.repeatable;
    const claimedAt = clock.monotonic();
    const attempt = async (place: Place): Promise<Judgement | null> => {
      const late = clock.monotonic() > sendBefore;
      if (late || ending() || gate.pauseLeft() > 0 || watch.isHeld(claim.entity)) {
        place.release();
        return null;
      }
      const { platformId, requestId } = claim;
      const { operation, method, body } = requestFor(entity, claim);
      const sentAt = clock.monotonic();
      const reply = await platform(area).send({
        ...{ operation, platformId, requestId, body },
        onWritten: place.written,
      });
      emit({
        type: 'request-finished',
        area,
        operation,
        statusCode: reply.kind === 'answered' ? reply.status : null,
        elapsedMs: clock.monotonic() - sentAt,
        waitedMs: sentAt - claimedAt,
        clockSkewMs: reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
      });
      const judgement = judgeReply(
        reply,
        { method, now: clock.now(), reused: claim.reused, operation, own: areaSettings.own },
        rules,
      );
      // Still inside the attempt, so that the next one in the queue already sees it.
      gate.note(entity.repeatable ? judgement : withoutWords(judgement), operation);
      return judgement;
    };
    // A place may be far ahead, behind a pause of the platform. The claim is handed back now, and the run ends.
    return rateLimit.schedule(attempt, urgent, signal).catch((error: unknown) => {
      if (signal.aborted && error === signal.reason) return null;
      throw error;
    });
  };

  return async (claim, sendBefore) => {
    const entity = entities.find(({ name }) => name === claim.entity);
    const judgement = entity ? await send(entity, claim, sendBefore) : null;
    const outcome =
      entity && judgement
        ? { ...outcomeOf(claim, judgement, settings.retry, random()), sent: sentRequest(entity, claim) }
        : handBack(claim);
    const counted = counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);

    const name = recordName(claim.entity, claim.key, claim.platformId);
    let noted: Promise<void> | null = null;
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      // Replies that were under way when the breaker opened do not close it.
      if (gate.stop() === null) streak.end();
      noted = watch.note(claim.entity, name, outcome.kind);
    }
    if (judgement?.kind !== 'not-understood') streak.note(outcome, claim.failsAlone);
    // Before anything can fail, so that the outcome is not lost.
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

/** What the platform says about an application is personal, and the state of an area is shown to everybody. */
function withoutWords(judgement: Judgement): Judgement {
  if (judgement.kind === 'accepted' || judgement.statusCode === null) return judgement;
  // Names of fields and settings.
  if (judgement.kind === 'not-understood') return judgement;
  return { ...judgement, message: `HTTP ${judgement.statusCode}` };
}
