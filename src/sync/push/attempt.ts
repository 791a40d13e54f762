import type { OperationName } from '../../contract/operation.js';
import type { SyncEvent } from '../../domain/events.js';
import { USUAL_CLOSED_STATUS } from '../../domain/guard.js';
import { rateNews } from '../../domain/learned-rate.js';
import type { Area, EntityName } from '../../domain/names.js';
import { ABSENT_HASH } from '../../domain/payload.js';
import { countedAs, countOutcome } from '../../domain/push-counters.js';
import { backoffDelay, judgeReply } from '../../domain/reply/judge-reply.js';
import { carriesWarnings } from '../../domain/reply/refusal.js';
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
import {
  type AreaSettings,
  type ConfiguredEntity,
  type RetrySettings,
  type RunContext,
  timeoutOf,
} from '../run-context.js';
import type { AreaGate, AreaPush, EarlierFailures, FailureStreak, RefusalWatch } from './area-gate.js';

/**
 * One claim, from its request to its outcome.
 *
 * An attempt waits for its place in the rate, composes the request (`requestOf`), sends it, and lets the reply be judged.
 * The area's gate hears the judgement at once, so that the next request already knows of a pause. Then the judgement
 * becomes an outcome (`outcomeOf`), which is counted, noted by the watches, and written with others
 * (`createOutcomeBuffer`). A claim whose request never left is handed back. One whose request met a connection that the
 * server had closed ends like every other without reply; its record is claimed and sent again at once, over a new
 * connection. What a dead process left claimed is ended by `takeOverClaims`, as an attempt without reply.
 */

interface PushProgress {
  readonly gate: AreaGate;
  readonly watch: RefusalWatch;
  readonly streak: FailureStreak;
  readonly noteVersion: (reply: Reply) => void;
  readonly buffer: ReturnType<typeof createOutcomeBuffer>;
  /** Whether the push is ending: nothing more may leave. */
  readonly ending: () => boolean;
  /** Whether the push still tries again what it has deferred. */
  readonly triesAgain: () => boolean;
  /** Claims the record of a claim that has ended, with what is desired of it now; undefined: it cannot be claimed. */
  readonly claimAgain: (ended: Claim) => Promise<Claim | undefined>;
}

/**
 * Takes one claim through: compose → sign → send → judge reply → record outcome. `sendBefore` is monotonic: the attempt
 * hands back a claim that gets its place in the rate later, because its confirmation counts from the claim.
 * Rejects when a refusal should hold the entity but the hold could not be stored.
 */
type Attempt = (claim: Claim, sendBefore: number) => Promise<void>;

export function createAttempt(push: AreaPush, progress: PushProgress): Attempt {
  const { gate, watch, streak, buffer, ending, triesAgain, claimAgain } = progress;
  const { area, areaSettings, clock, emit, signal } = push;
  const rules = configuredRules(areaSettings.replies);
  const noteVerdict = ({ entity, key, platformId }: Claim, judgement: Judgement): Promise<void> | null =>
    judgement.kind === 'accepted' || judgement.kind === 'refused'
      ? watch.note({ entity, key, name: recordName(entity, key, platformId) }, judgement)
      : null;
  /** Undefined: every failure counts. Nothing else would end a push whose records are due again at once. */
  const earlierFailures = (claim: Claim): EarlierFailures | undefined => {
    const earlier = triesAgain() ? streak.of(claim) : undefined;
    return earlier && earlier.failures > 0 ? earlier : undefined;
  };
  /** `again`: the request before met a closed connection. Null: nothing was sent. */
  const send = (
    entity: ConfiguredEntity,
    claim: Claim,
    { operation, method, body }: ClaimRequest,
    sendBefore: number,
    again: boolean,
  ): Promise<SentResult | null> => {
    const urgent = again || !entity.repeatable;
    const askedAt = clock.monotonic();
    const attempt = async (place: Place): Promise<SentResult | null> => {
      const late = clock.monotonic() > sendBefore;
      if (late || ending() || gate.pauseLeft() > 0 || watch.isHeld(claim.entity)) {
        place.release();
        return null;
      }
      const { platformId, requestId } = claim;
      const sentAt = clock.monotonic();
      const onWritten = place.written;
      const request = { operation, platformId, requestId, body, newConnection: again, onWritten };
      const reply = await push.platform(area).send(request);
      place.answered(rateNews(reply, clock.now()));
      progress.noteVersion(reply);
      emit(requestFinished(area, operation, reply, { askedAt, sentAt, now: clock.monotonic() }));
      const judgement = judgeReply(
        reply,
        {
          method,
          now: clock.now(),
          reused: claim.reused,
          takenDown: claim.takenDown === true,
          othersPass: claim.failsAlone || gate.othersPass(operation),
          operation,
          own: areaSettings.own,
        },
        rules,
      );
      // It says nothing about the area. What may not be repeated freely waits as after every lost reply.
      const closed =
        !again && entity.repeatable && reply.kind === 'silent' && reply.onIdleConnection === true;
      // It has counted for the area already, which answers others.
      const known =
        judgement.kind === 'deferred' && gate.condition().answered && earlierFailures(claim) !== undefined;
      // Still inside the attempt, so that the next one in the queue already sees it.
      if (!closed && !known) gate.note(entity.repeatable ? judgement : withoutWords(judgement), operation);
      // What the platform says about an application is personal.
      const kept =
        entity.repeatable &&
        reply.kind === 'answered' &&
        (judgement.kind !== 'accepted' || carriesWarnings(reply.json));
      const text = kept ? maskedBody(reply.text ?? '') : null;
      return { judgement, text, closed, noted: noteVerdict(claim, judgement) };
    };
    return scheduleUnlessAborted(push.rateLimit, attempt, urgent, signal);
  };

  const attempt = async (claim: Claim, sendBefore: number, again: boolean): Promise<void> => {
    const entity = push.entities.find(({ name }) => name === claim.entity);
    const request = entity && requestOf(entity, claim);
    const {
      judgement = null,
      text = null,
      closed = false,
      noted = null,
    } = (request && (await send(entity, claim, request, sendBefore, again))) ?? {};
    const earlier = closed ? UNCOUNTED : earlierFailures(claim);
    const outcome =
      request && judgement
        ? {
            ...outcomeOf(claim, judgement, push.settings.retry, push.random(), earlier),
            sent: request.sent,
            body: text,
            ...(isAwaited(entity, request, judgement, areaSettings) ? { awaited: true } : {}),
          }
        : handBack(claim);
    const counted = push.counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);

    const name = recordName(claim.entity, claim.key, claim.platformId);
    // Replies that were under way when the breaker opened do not close it.
    if (noted && gate.stop() === null) streak.end();
    if (judgement?.kind !== 'not-understood' && !closed) streak.note(outcome, claim.failsAlone);
    // Before anything can fail, so that the outcome is not lost.
    buffer.add(outcome);
    await noted;
    if (!judgement) return;
    if (closed) {
      // A claim of its own: a Request-Id and a line of the journal, and the first request is confirmed as without reply.
      await buffer.flush();
      const until = clock.monotonic() + areaSettings.timeoutMs;
      const next = ending() ? undefined : await claimAgain(claim);
      if (next) return attempt(next, until, true);
    }
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
  return (claim, sendBefore) => attempt(claim, sendBefore, false);
}

/** Whether an accepted record has still to be seen live: the platform decides later, and a Find shows what it decided. */
function isAwaited(
  { readBack }: Pick<ConfiguredEntity, 'readBack'>,
  { sent: { kind } }: ClaimRequest,
  { kind: judged, statusCode }: Judgement,
  { replies }: Pick<AreaSettings, 'replies'>,
): boolean {
  const later = statusCode === 202 || (replies?.state ?? null) !== null;
  return judged === 'accepted' && readBack !== null && later && (kind === 'new' || kind === 'update');
}

interface SentResult {
  readonly judgement: Judgement;
  /** What the platform said, as `maskedBody` has it. */
  readonly text: string | null;
  /** The request met a connection that the server had closed, and may be sent again at once. */
  readonly closed: boolean;
  /** Of a verdict: settles when what follows from it for the entity is stored. */
  readonly noted: Promise<void> | null;
}

/** No failure of this row, and the next one uses up no attempt either. */
const UNCOUNTED: EarlierFailures = { failures: 1, counted: 1 };

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

/**
 * What a judged reply means for the claimed record. `random` in [0, 1) spreads the retries. `earlier`: since these failures
 * of it the area has given no verdict. They make it wait longer, but a further one uses up no attempt: the area may be to
 * blame.
 */
export function outcomeOf(
  claim: Claim,
  judgement: Judgement,
  limits: RetryLimits,
  random: number,
  earlier: EarlierFailures = { failures: 0, counted: 0 },
): Outcome {
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
    case 'deferred': {
      const counts = judgement.reached && earlier.counted === 0;
      const failures = claim.attempts + 1 + earlier.failures - earlier.counted;
      return {
        ...base,
        kind: 'deferred',
        hash,
        known: judgement.known,
        delayMs: backoffDelay(failures, limits.baseDelayMs, limits.maxDelayMs, random),
        counts,
        // A failed confirmation is deferred; it does not reject what was accepted.
        exhausted:
          counts && claim.attempts + 1 >= limits.maxAttempts && !(claim.confirming && judgement.known),
        reused: claim.reused,
        statusCode: judgement.statusCode,
        error: judgement.message,
      };
    }
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
