import { ABSENT_HASH } from '../domain/payload.js';
import { backoffDelay } from '../domain/reply/judge-reply.js';
import type { Judgement } from '../domain/reply/reply.js';
import { withFullStop } from '../domain/text.js';
import type { Claim, Outcome } from '../ledger/queue/types.js';
import type { RetrySettings } from '../context.js';
import type { EarlierFailures } from './failure-streak.js';

/**
 * What a claim ends with: a judged reply becomes the outcome that is written (`outcomeOf`), or nothing was sent (`handBack`).
 */

type HandedBack = Extract<Outcome, { kind: 'handed-back' }>;

const NO_FAILURES: EarlierFailures = { failures: 0, counted: 0 };

type DeferredReply = Pick<
  Extract<Judgement, { kind: 'deferred' }>,
  'known' | 'reached' | 'statusCode' | 'message'
>;

type RetryLimits = Pick<RetrySettings, 'maxAttempts' | 'baseDelayMs' | 'maxDelayMs'>;

/** A claim whose request never left. */
export function handBack({ entity, key, requestId, previousAttemptAt, reused }: Claim): HandedBack {
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
  earlier: EarlierFailures = NO_FAILURES,
): Outcome {
  const { entity, key, requestId, hash, payload, parentPlatformId } = claim;
  const base = { entity, key, requestId, ...(judgement.adapter ? { adapter: true as const } : {}) };
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
      if (judgement.unproven) return { ...handBack(claim), reply: replyOf(judgement) };
      return { ...base, kind: 'refused', hash, statusCode: judgement.statusCode, error: judgement.message };
    case 'deferred':
      return { ...base, ...deferral(claim, judgement, limits, random, earlier) };
    // Nothing of the record is at fault, so it uses up no attempt.
    case 'not-understood':
      return {
        ...base,
        ...deferral(claim, { ...judgement, known: false, reached: false }, limits, random),
        delayMs: backoffDelay(1, limits.baseDelayMs, limits.maxDelayMs, random),
        error: `${withFullStop(judgement.message)} ${judgement.hint}`,
      };
    case 'paused':
    case 'stopped':
      return {
        ...base,
        kind: 'handed-back',
        known: judgement.kind === 'stopped' ? (judgement.known ?? true) : judgement.known,
        reply: replyOf(judgement),
        previousAttemptAt: claim.previousAttemptAt,
        reused: claim.reused,
      };
  }
}

/** It is tried again after a delay, and may use up an attempt. */
function deferral(
  claim: Claim,
  { known, reached, statusCode, message }: DeferredReply,
  limits: RetryLimits,
  random: number,
  earlier = NO_FAILURES,
): Omit<Extract<Outcome, { kind: 'deferred' }>, 'entity' | 'key' | 'requestId'> {
  const { hash, reused, attempts, confirming } = claim;
  const counts = reached && earlier.counted === 0;
  const failures = attempts + 1 + earlier.failures - earlier.counted;
  return {
    kind: 'deferred',
    hash,
    known,
    delayMs: backoffDelay(failures, limits.baseDelayMs, limits.maxDelayMs, random),
    counts,
    // A failed confirmation is deferred; it does not reject what was accepted.
    exhausted: counts && attempts + 1 >= limits.maxAttempts && !(confirming && known),
    reused,
    statusCode,
    error: message,
  };
}

function replyOf({ statusCode, message }: Exclude<Judgement, { kind: 'accepted' }>) {
  return { statusCode, error: message };
}

/**
 * What a control ends with. It says nothing about what is desired of its record: that stays as it was, unless nobody knows
 * any more what the platform holds.
 */
export function outcomeOfControl(claim: Claim, judgement: Judgement, usual: () => Outcome): Outcome {
  if (judgement.kind === 'accepted') return { ...usual(), control: true };
  const known = 'known' in judgement ? (judgement.known ?? true) : judgement.kind !== 'not-understood';
  return { ...handBack(claim), known, reply: replyOf(judgement), control: true };
}
