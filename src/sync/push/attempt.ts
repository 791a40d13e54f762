import type { OperationName } from '../../contract/operation.js';
import type { SyncEvent } from '../../domain/events.js';
import { USUAL_CLOSED_STATUS } from '../../domain/guard.js';
import type { Area, EntityName } from '../../domain/names.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import { countedAs, countOutcome } from '../../domain/push-counters.js';
import { backoffDelay, judgeReply } from '../../domain/reply/judge-reply.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import { clockSkew, type Judgement, type Reply } from '../../domain/reply/reply.js';
import type { DeliveryKind } from '../../domain/report.js';
import type { JsonObject } from '../../domain/row.js';
import { maskedBody } from '../../domain/scrub-text.js';
import { withFullStop } from '../../domain/text.js';
import type { ParentLink } from '../../entities/entity.js';
import { entity as entityNamed, operationOf, recordName } from '../../entities/index.js';
import type { Place, RateLimit } from '../../ports/platform.js';
import type { Claim, Outcome, SentRequest, TakeOver, Tally } from '../../ports/queue.js';
import type { HeldLease } from '../lease.js';
import { type ConfiguredEntity, type RetrySettings, type RunContext, timeoutOf } from '../run-context.js';
import type { AreaGate, AreaPush, FailureStreak, RefusalWatch } from './area-gate.js';

/**
 * One claim, from its request to its outcome.
 *
 * An attempt waits for its place in the rate, composes the request (`requestOf`), sends it, and lets the reply be judged.
 * The area's gate hears the judgement at once, so that the next request already knows of a pause. Then the judgement
 * becomes an outcome (`outcomeOf`), which is counted, noted by the watches, and written with others
 * (`createOutcomeBuffer`). A claim whose request never left is handed back. What a dead process left claimed is ended by
 * `takeOverClaims`, as an attempt without reply.
 */

interface PushProgress {
  readonly gate: AreaGate;
  readonly watch: RefusalWatch;
  readonly streak: FailureStreak;
  readonly buffer: ReturnType<typeof createOutcomeBuffer>;
  /** Whether the push is ending: nothing more may leave. */
  readonly ending: () => boolean;
}

/**
 * Takes one claim through: compose → sign → send → judge reply → record outcome. `sendBefore` is monotonic: the attempt
 * hands back a claim that gets its place in the rate later, because its confirmation counts from the claim.
 * Rejects when a refusal should hold the entity but the hold could not be stored.
 */
type Attempt = (claim: Claim, sendBefore: number) => Promise<void>;

export function createAttempt(push: AreaPush, progress: PushProgress): Attempt {
  const { gate, watch, streak, buffer, ending } = progress;
  const { area, areaSettings, clock, emit, signal } = push;
  const rules = configuredRules(areaSettings.replies);
  /** Null: nothing was sent. */
  const send = (
    entity: ConfiguredEntity,
    claim: Claim,
    { operation, method, body }: ClaimRequest,
    sendBefore: number,
  ): Promise<Judged | null> => {
    const urgent = !entity.repeatable;
    const askedAt = clock.monotonic();
    const attempt = async (place: Place): Promise<Judged | null> => {
      const late = clock.monotonic() > sendBefore;
      if (late || ending() || gate.pauseLeft() > 0 || watch.isHeld(claim.entity)) {
        place.release();
        return null;
      }
      const { platformId, requestId } = claim;
      const sentAt = clock.monotonic();
      const request = { operation, platformId, requestId, body, onWritten: place.written };
      const reply = await push.platform(area).send(request);
      emit(requestFinished(area, operation, reply, { askedAt, sentAt, now: clock.monotonic() }));
      const judgement = judgeReply(
        reply,
        {
          method,
          now: clock.now(),
          reused: claim.reused,
          othersPass: claim.failsAlone || gate.othersPass(operation),
          operation,
          own: areaSettings.own,
        },
        rules,
      );
      // Still inside the attempt, so that the next one in the queue already sees it.
      gate.note(entity.repeatable ? judgement : withoutWords(judgement), operation);
      // What the platform says about an application is personal.
      const said = entity.repeatable && reply.kind === 'answered' ? maskedBody(reply.text ?? '') : null;
      return { judgement, body: said };
    };
    return scheduleUnlessAborted(push.rateLimit, attempt, urgent, signal);
  };

  return async (claim, sendBefore) => {
    const entity = push.entities.find(({ name }) => name === claim.entity);
    const request = entity && requestOf(entity, claim);
    const judged = request ? await send(entity, claim, request, sendBefore) : null;
    const judgement = judged?.judgement ?? null;
    const outcome =
      request && judged
        ? {
            ...outcomeOf(claim, judged.judgement, push.settings.retry, push.random()),
            sent: request.sent,
            body: judged.body,
          }
        : handBack(claim);
    const counted = push.counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);

    const name = recordName(claim.entity, claim.key, claim.platformId);
    let noted: Promise<void> | null = null;
    if (judgement?.kind === 'accepted' || judgement?.kind === 'refused') {
      // Replies that were under way when the breaker opened do not close it.
      if (gate.stop() === null) streak.end();
      noted = watch.note({ entity: claim.entity, key: claim.key, name }, judgement);
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

interface Judged {
  readonly judgement: Judgement;
  /** As `maskedBody` has it. */
  readonly body: string | null;
}

/**
 * The result of an attempt in its place in the rate; null when the signal aborts first: the place may be far ahead, behind
 * a pause of the platform or of a low rate.
 */
export function scheduleUnlessAborted<T>(
  rateLimit: RateLimit,
  attempt: (place: Place) => Promise<T>,
  urgent: boolean,
  signal: AbortSignal,
): Promise<T | null> {
  return rateLimit.schedule(attempt, urgent, signal).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  });
}

/** What is reported of a request. `times`: monotonic; `askedAt` is when its place in the rate was asked for. */
export function requestFinished(
  area: Area,
  operation: OperationName,
  reply: Reply,
  { askedAt, sentAt, now }: { readonly askedAt: number; readonly sentAt: number; readonly now: number },
): SyncEvent {
  return {
    type: 'request-finished',
    area,
    operation,
    statusCode: reply.kind === 'answered' ? reply.status : null,
    elapsedMs: now - sentAt,
    waitedMs: sentAt - askedAt,
    clockSkewMs: reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null,
  };
}

/** What the platform says about an application is personal, and the state of an area is shown to everybody. */
function withoutWords(judgement: Judgement): Judgement {
  if (judgement.kind === 'accepted' || judgement.statusCode === null) return judgement;
  // These name fields and settings.
  if (judgement.kind === 'not-understood') return judgement;
  return { ...judgement, message: `HTTP ${judgement.statusCode}` };
}

type RetryLimits = Pick<RetrySettings, 'maxAttempts' | 'baseDelayMs' | 'maxDelayMs'>;

/** A claim whose request never left. */
export function handBack({ entity, key, requestId, previousAttemptAt, reused }: Claim): Outcome {
  return { entity, key, requestId, kind: 'handed-back', known: true, reply: null, previousAttemptAt, reused };
}

/** What a judged reply means for the claimed record. `random` in [0, 1) spreads the retries. */
export function outcomeOf(claim: Claim, judgement: Judgement, limits: RetryLimits, random: number): Outcome {
  const { entity, key, requestId, hash, payload, parentPlatformId } = claim;
  const base = { entity, key, requestId };
  switch (judgement.kind) {
    case 'accepted': {
      const { statusCode, details } = judgement;
      const deleted = hash === ABSENT_HASH;
      const given = deleted ? null : judgement.reference;
      // As text; `details` have it as the platform gave it.
      const reference = given === null ? null : String(given);
      const remoteId = deleted ? null : judgement.remoteId;
      const accepted = { hash, payload, parentPlatformId, reference, remoteId, details, statusCode };
      return { ...base, kind: 'accepted', ...accepted };
    }
    case 'refused':
      return { ...base, kind: 'refused', hash, statusCode: judgement.statusCode, error: judgement.message };
    case 'deferred':
      return {
        ...base,
        kind: 'deferred',
        hash,
        known: judgement.known,
        delayMs: backoffDelay(claim.attempts + 1, limits.baseDelayMs, limits.maxDelayMs, random),
        counts: judgement.reached,
        // A failed confirmation is deferred; it does not reject what was accepted.
        exhausted:
          judgement.reached &&
          claim.attempts + 1 >= limits.maxAttempts &&
          !(claim.confirming && judgement.known),
        reused: claim.reused,
        statusCode: judgement.statusCode,
        error: judgement.message,
      };
    // Nothing of the record is at fault, so it uses up no attempt.
    case 'not-understood':
      return {
        ...base,
        kind: 'deferred',
        hash,
        known: false,
        delayMs: backoffDelay(1, limits.baseDelayMs, limits.maxDelayMs, random),
        counts: false,
        exhausted: false,
        reused: claim.reused,
        statusCode: judgement.statusCode,
        error: `${withFullStop(judgement.message)} ${judgement.hint}`,
      };
    case 'paused':
    case 'stopped':
      return {
        ...base,
        kind: 'handed-back',
        known: judgement.kind === 'stopped' || judgement.known,
        reply: { statusCode: judgement.statusCode, error: judgement.message },
        previousAttemptAt: claim.previousAttemptAt,
        reused: claim.reused,
      };
  }
}

type SentEntity = Pick<
  ConfiguredEntity,
  'put' | 'delete' | 'repeatable' | 'parent' | 'statusField' | 'closedStatus'
>;

interface ClaimRequest {
  readonly operation: OperationName;
  readonly method: 'PUT' | 'PATCH' | 'DELETE';
  readonly body: JsonObject | null;
  /** What the journal notes of it. */
  readonly sent: SentRequest;
}

export function requestOf(entity: SentEntity, claim: Claim): ClaimRequest {
  const { platformId, parentPlatformId, hash, claimedAt } = claim;
  const { operation, method } = operationOf(entity, hash);
  const body = method === 'DELETE' ? null : composeBody(claim.payload, entity.parent, claim.parent);
  const kind = deliveryKind(entity, claim);
  const sent = { platformId, parentPlatformId, kind, operation, payloadHash: hash, claimedAt };
  return { operation, method, body, sent };
}

/**
 * The body as it is sent: the payload, and for a child its parent's last acknowledged payload with the `reference`
 * that the platform gave it as `id` (interface §2, `employer`). Composed at sending, so that it is never stale.
 */
export function composeBody(
  payload: JsonObject,
  link: ParentLink | null,
  parent: { readonly reference: string | number; readonly payload: JsonObject } | null,
): JsonObject {
  if (link === null || parent === null) return payload;
  return { ...payload, [link.field]: { ...parent.payload, id: parent.reference } };
}

/**
 * What the journal calls a request: a payload (null: not known any more) or, by its hash, a deletion. A payload that says
 * "closed" closes, whether the source says so or the record vanished.
 */
function deliveryKind(
  entity: Omit<SentEntity, 'parent'>,
  { hash, payload, unacknowledged }: Parameters<TakeOver['kindOf']>[1],
): DeliveryKind {
  const { statusField, closedStatus } = entity;
  if (operationOf(entity, hash).method === 'DELETE') return 'delete';
  if (statusField !== null && payload?.[statusField] === closedStatus) return 'close';
  return unacknowledged ? 'new' : 'update';
}

/**
 * Ends the claims that other processes left open, of all entities; gives how many. A process that holds the push lease
 * does so before it sends.
 */
export function takeOverClaims(
  { state, entities, settings }: Pick<RunContext, 'state' | 'entities' | 'settings'>,
  { fenced }: Pick<HeldLease, 'fenced'>,
): Promise<number> {
  const options = takingOver(entities, (entity) => timeoutOf(settings, entity));
  return fenced((fence) => state.queue.takeOver(fence, null, options));
}

/** What ending the claims of a dead process needs to know. `entities`: those of this process, which may be some of all. */
export function takingOver(
  entities: readonly ConfiguredEntity[],
  timeoutMs: (entity: EntityName) => number,
): TakeOver {
  const settingsOf = (name: EntityName) =>
    entities.find((entity) => entity.name === name) ?? {
      ...entityNamed(name),
      closedStatus: USUAL_CLOSED_STATUS,
    };
  return { timeoutMs, kindOf: (entity, sent) => deliveryKind(settingsOf(entity), sent) };
}

/** Most outcomes that one transaction writes, and that a kill can lose. */
export const GROUP_SIZE = 100;
/** Longest time that an outcome waits for its group, milliseconds. */
const GROUP_MS = 200;

/**
 * Groups outcomes: one transaction for at most 100 records or 200 ms. `onError` gets a failed write at once: the timer
 * has no caller.
 */
export function createOutcomeBuffer(
  write: (outcomes: readonly Outcome[], tallies: readonly Tally[]) => Promise<void>,
  tallies: () => readonly Tally[],
  onError: (error: unknown) => void,
) {
  let waiting: Outcome[] = [];
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  /** Writes everything added so far. Rejects with what writing it rejected with. */
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const group = waiting;
    waiting = [];
    if (group.length > 0) {
      // One group after the other. The next one is tried even after a failure: every outcome written saves sending a
      // record again.
      writing = writing
        .catch(() => undefined)
        .then(() => write(group, tallies()))
        .finally(() => {
          unwritten -= group.length;
        });
      writing.catch(onError);
    }
    return writing;
  };

  return {
    add(outcome: Outcome) {
      waiting.push(outcome);
      unwritten += 1;
      if (waiting.length >= GROUP_SIZE) void flush().catch(() => undefined);
      else timer ??= setTimeout(() => void flush().catch(() => undefined), GROUP_MS);
    },
    flush,
    size: () => unwritten,
  };
}
