import type { JsonObject } from '../../domain/row.js';
import { configuredRules } from '../../domain/reply/reply-rules.js';
import { judgeReply } from '../../domain/reply/judge-reply.js';
import type { Judgement, Reply } from '../../domain/reply/reply.js';
import type { Claim, Outcome } from '../../ports/queue.js';
import type { HeldLease } from '../lease/hold-lease.js';
import { handBack, outcomeOf } from '../push/outcome-of.js';
import { composeBody, requestFor } from '../push/request-for.js';
import { sentRequest } from '../push/sent-request.js';
import type { RunContext } from '../run-context.js';
import { timeoutOf } from '../run-settings.js';
import type { ProbeLane } from './create-probe-lane.js';
import type { ProbeSubject } from './probe-subject.js';

export interface ProbePut {
  readonly subject: ProbeSubject;
  /** What is sent of it, and its hash. */
  readonly payload: JsonObject;
  readonly hash: string;
  /** The parent that it names; null: it has none. */
  readonly parent: { readonly reference: string | number; readonly payload: JsonObject } | null;
  readonly requestId: string;
  /** The Request-Id was used before, so a refusal says nothing about the record. */
  readonly repeated?: true;
}

export interface PutContext extends Pick<RunContext, 'state' | 'settings' | 'clock' | 'random'> {
  readonly lane: ProbeLane;
  /** Of the push. */
  readonly lease: Pick<HeldLease, 'fenced' | 'held'>;
}

/**
 * One Put under the protocol of a push: claim → compose → sign → send → judge reply → record outcome. A kill in between
 * leaves an open claim, which the next push confirms. `mayStart`: asked when its turn in the rate has come. Null: it was
 * not sent. Errors: SyncError `lease-lost`.
 */
export async function putSubject(
  { state, settings, clock, random, lane, lease }: PutContext,
  { subject, payload, hash, parent, requestId, repeated }: ProbePut,
  mayStart: () => boolean,
): Promise<Reply | null> {
  const { entity, key, platformId } = subject;
  const timeoutMs = timeoutOf(settings, entity.name);
  // The confirmation counts from the claim, so its first half is for waiting.
  const sendBefore = clock.monotonic() + timeoutMs;
  const claim = await lease.fenced((fence) =>
    state.queue.claimRecord({ fence, entity: entity.name, key, requestId, hash, payload }),
  );
  if (claim === null) return null;
  const { operation, method } = requestFor(entity, claim);
  const body = composeBody(payload, entity.parent, parent);
  const reply = await lane.send(
    { operation, platformId, requestId, body },
    () => mayStart() && lease.held() && clock.monotonic() <= sendBefore,
  );
  const rules = configuredRules(settings.areas[entity.area]?.replies);
  const outcome = ((): Outcome => {
    if (reply === null) return handBack(claim);
    const judgement = judgeReply(
      reply,
      { method, now: clock.now(), operation, own: settings.areas[entity.area]?.own },
      rules,
    );
    if (repeated)
      return outcomeOfRepeat(claim, judgement, () => outcomeOf(claim, judgement, settings.retry, random()));
    return { ...outcomeOf(claim, judgement, settings.retry, random()), sent: sentRequest(entity, claim) };
  })();
  await lease.fenced((fence) =>
    state.queue.record({ fence, outcomes: [outcome], tallies: [], timeoutMs: () => timeoutMs }),
  );
  return reply;
}

/**
 * The request went out once before, with the same payload: processed or not, the platform holds the same. Only one that
 * may still arrive, after a newer payload, must be confirmed. The journal has the first one.
 */
function outcomeOfRepeat(claim: Claim, judgement: Judgement, usual: () => Outcome): Outcome {
  const mayArrive = 'known' in judgement && !judgement.known;
  return judgement.kind === 'accepted' || mayArrive ? usual() : handBack(claim);
}
