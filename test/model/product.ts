import { judgeReply } from '../../src/core/domain/reply/judge-reply.js';
import type { Reply } from '../../src/core/domain/reply/reply.js';
import { vacancies } from '../../src/core/entities/vacancies.js';
import type { Claim, Outcome } from '../../src/core/ledger/queue/types.js';
import { handBack, outcomeOf, outcomeOfControl } from '../../src/core/push/outcome.js';
import { requestOf } from '../../src/core/push/request.js';
import { ABSENT, NOTHING, type Hash } from './hash.js';
import type { RowOutcome } from './ledger-row.js';
import {
  HASHES,
  hashCode,
  KEY,
  OTHER_PARENT_ID,
  parentId,
  payloadCode,
  PAYLOADS,
  PLATFORM_ID,
  REFERENCE_OF_OTHER,
  REFERENCES,
} from './samples.js';

/**
 * The product's own pure functions, in the model's numbers: a request is composed and its reply judged by the code that
 * does it in production. Each answer is asked for once and kept.
 */

/** A claim of hash `sent`, composed with the first parent's reference of number `reference`, or under the other one. */
export function claimOf(sent: Hash, moved: boolean, reference: number, triedBefore: boolean): Claim {
  const payload = PAYLOADS[sent === ABSENT ? 1 : sent];
  return {
    entity: 'vacancies',
    key: KEY,
    platformId: PLATFORM_ID,
    requestId: 'request',
    claimedAt: '2026-01-01',
    reused: false,
    hash: HASHES[sent] ?? '',
    payload: payload ?? {},
    attempts: 0,
    confirming: false,
    parentPlatformId: parentId(moved),
    parent: {
      reference: REFERENCES[moved ? REFERENCE_OF_OTHER : reference] ?? '',
      payload: { name: 'Company' },
    },
    previousAttemptAt: triedBefore ? '2026-01-01' : null,
    failsAlone: false,
    previousOutcome: null,
    unacknowledged: false,
  };
}

const SENT_AS = { ...vacancies, closedStatus: 'closed' };

/** What a request brings to a platform that processes it: a payload, or nothing, and the parent it names. */
function effectOf(sent: Hash, moved: boolean, reference: number): { platform: Hash; reference: number } {
  const { method, body } = requestOf(SENT_AS, claimOf(sent, moved, reference, false));
  if (method === 'DELETE') return { platform: NOTHING, reference: 0 };
  const { employer, ...payload } = body ?? {};
  return {
    platform: payloadCode(payload),
    reference: REFERENCES.indexOf((employer as { readonly id?: string } | undefined)?.id ?? ''),
  };
}

const answered = {
  kind: 'answered',
  status: 200,
  result: null,
  malformed: null,
  json: {},
  html: false,
  retryAfter: null,
  date: null,
  location: null,
  receivedAt: 0,
} as const;

/** What comes of a request; `null`: it was handed back because its place in the rate came too late. */
export const REPLIES: readonly { readonly name: string; readonly reply: Reply | null }[] = [
  { name: 'accepted', reply: { ...answered, result: { id: 'id', reference: 'reference' } } },
  { name: 'refused with 422', reply: { ...answered, status: 422, json: { message: 'no' } } },
  { name: 'no reply', reply: { kind: 'silent', code: 'ETIMEDOUT', message: 'time-out' } },
  { name: 'the platform’s own 500', reply: { ...answered, status: 500, json: { message: 'broken' } } },
  {
    name: 'a gateway’s 503 that asks to wait',
    reply: { ...answered, status: 503, json: undefined, html: true, retryAfter: '60' },
  },
  { name: 'handed back unsent', reply: null },
];
export const ACCEPTED = 0;
export const REFUSED = 1;
/** Faults: whether the request may still arrive. */
export const FAULTS = [
  { reply: 2, late: true },
  { reply: 3, late: false },
  { reply: 4, late: true },
  { reply: 5, late: false },
];

const LIMITS = { maxAttempts: 10, baseDelayMs: 36_000_000, maxDelayMs: 36_000_000 };

/** The outcome that the product writes for a claim and a reply. */
export function outcomeFor(claim: Claim, reply: number): Outcome {
  const found = REPLIES[reply]?.reply;
  if (!found) return handBack(claim);
  const { method } = requestOf(SENT_AS, claim);
  const judgement = judgeReply(found, { method, now: 0, reused: claim.reused });
  const usual = () => outcomeOf(claim, judgement, LIMITS, 0.5);
  return claim.control ? outcomeOfControl(claim, judgement, usual) : usual();
}

function rowOutcome(
  sent: Hash,
  moved: boolean,
  reply: number,
  triedBefore: boolean,
  control: boolean,
): RowOutcome {
  const claimed = claimOf(sent, moved, 0, triedBefore);
  const outcome = outcomeFor(control ? { ...claimed, control } : claimed, reply);
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'accepted',
        sent: hashCode(outcome.hash),
        payload: payloadCode(outcome.payload),
        moved: outcome.parentPlatformId === OTHER_PARENT_ID,
      };
    case 'refused':
      return { kind: 'refused', sent: hashCode(outcome.hash) };
    case 'deferred':
      if (outcome.exhausted) throw new Error('an attempt was the last one');
      return { kind: 'deferred', sent: hashCode(outcome.hash), known: outcome.known };
    case 'handed-back':
      return {
        kind: 'handed-back',
        sent,
        known: outcome.known,
        triedBefore: outcome.previousAttemptAt !== null,
      };
  }
}

function remembered<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>();
  return (index) => {
    let found = made.get(index);
    if (found === undefined) made.set(index, (found = make(index)));
    return found;
  };
}

const outcomes = remembered((n) => rowOutcome(n >> 6, (n & 32) > 0, (n >> 2) & 7, (n & 2) > 0, (n & 1) > 0));
export const knownOutcome = (
  sent: Hash,
  moved: boolean,
  reply: number,
  triedBefore: boolean,
  control = false,
): RowOutcome =>
  outcomes((sent << 6) | (moved ? 32 : 0) | (reply << 2) | (triedBefore ? 2 : 0) | (control ? 1 : 0));

const effects = remembered((n) => effectOf(n >> 2, (n & 2) > 0, n & 1));
export const knownEffect = (sent: Hash, moved: boolean, reference: number) =>
  effects((sent << 2) | (moved ? 2 : 0) | reference);
