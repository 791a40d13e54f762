import type { OperationName } from '../contract/operation.js';
import type { AdapterState } from '../contract/adapter.js';
import type { ConfiguredEntity } from '../context.js';
import { countedAs, countOutcome } from '../domain/push-counters.js';
import { judgeReply } from '../domain/reply/judge-reply.js';
import { carriesWarnings } from '../domain/reply/refusal.js';
import type { Judgement, Reply } from '../domain/reply/reply.js';
import { retryAfterDelay } from '../domain/reply/waits.js';
import { maskedBody } from '../domain/scrub-text.js';
import type { Claim, Outcome } from '../ledger/queue/types.js';
import { isAbsent } from './absence.js';
import type { AreaClaims } from './area-claims.js';
import type { VersionWatch } from './area-memory.js';
import { exchange } from './exchange.js';
import type { EarlierFailures, FailureStreak } from './failure-streak.js';
import type { AreaGate } from './gate.js';
import type { OutcomeBuffer } from './outcome-buffer.js';
import { handBack, outcomeOf, outcomeOfControl } from './outcome.js';
import type { PushOptions } from './push-options.js';
import type { RefusalWatch } from './refusal-watch.js';
import { type ClaimRequest, requestOf } from './request.js';
import type { Undecided } from './undecided.js';

/** The push that a claim is part of: who hears of its reply, and whether anything may still leave. */
export interface Sending {
  readonly gate: AreaGate;
  readonly watch: RefusalWatch;
  readonly undecided: Undecided;
  readonly streak: FailureStreak;
  readonly versions: VersionWatch;
  readonly buffer: OutcomeBuffer;
  readonly claims: AreaClaims;
  /** Whether the push is ending: nothing more may leave. */
  ending(): boolean;
  /** Whether the push still tries again what it has deferred. */
  triesAgain(): boolean;
}

/** A claim whose request leaves. */
interface Departure {
  readonly claim: Claim;
  readonly entity: ConfiguredEntity;
  readonly request: ClaimRequest;
  /** It met a connection that the server had closed, and goes again at once. */
  readonly again: boolean;
}

interface Answer {
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
 * Takes claims through. `send` composes the request (`requestOf`), sends it in its place in the rate, and lets the reply be
 * judged. The area's gate hears the judgement at once, so that the next request already knows of a pause. Then the
 * judgement becomes an outcome (`outcomeOf`), which is counted, noted by the watches, and written with others
 * (`OutcomeBuffer`). A claim whose request never left is handed back. One whose request met a connection that the server
 * had closed ends like every other without reply; its record is claimed and sent again at once, over a new connection.
 * What a dead process left claimed is ended by `takeOverClaims`.
 */
export class Sender {
  /** When a claim came here; monotonic. */
  readonly #startedAt = new WeakMap<Claim, number>();

  constructor(
    private readonly push: PushOptions,
    private readonly sending: Sending,
  ) {}

  /**
   * `sendBefore` is monotonic: a claim that gets its place in the rate later is handed back, because its confirmation
   * counts from the claim. Gives the judgement; null: nothing was sent. Rejects when a refusal should hold the entity but
   * the hold could not be stored.
   */
  async send(claim: Claim, sendBefore: number, again = false): Promise<Judgement | null> {
    this.#startedAt.set(claim, this.push.clock.monotonic());
    const entity = this.push.entities.find(({ name }) => name === claim.entity);
    if (entity === undefined) return this.#handBack(claim);
    const departure = { claim, entity, again, request: requestOf(entity, claim) };
    if (await this.#closesNothing(departure)) return this.#forget(claim);
    const answer = await this.#exchange(departure, sendBefore);
    return answer === null ? this.#handBack(claim) : this.#conclude(departure, answer);
  }

  #exchange({ claim, entity, request, again }: Departure, sendBefore: number): Promise<Answer | null> {
    const { clock, lease } = this.push;
    const { gate, watch, undecided } = this.sending;
    const isControl = claim.control === true;
    // While a machine is suspended its monotonic clock may stand still, and the other one not.
    const sendBeforeNow = clock.now() + Math.max(0, sendBefore - clock.monotonic());
    const isLate = () => clock.monotonic() > sendBefore || clock.now() > sendBeforeNow;
    const isHeld = () => !isControl && (watch.isHeld(claim.entity) || undecided.blocks(claim.entity));
    const { operation, body } = request;
    const { key, platformId, requestId } = claim;
    const mayLeave = () => !isLate() && lease.held();
    const newConnection = again || isControl;
    return exchange(
      this.push,
      { operation, key, platformId, requestId, body, newConnection, mayLeave },
      {
        urgent: again || !entity.repeatable || isControl,
        mayLeave: () => !isLate() && !this.sending.ending() && gate.pauseLeft() === 0 && !isHeld(),
        slowsDown: (reply) => isUnavailable(reply, clock.now()) && gate.slowsDown(platformId),
        judge: (reply, slowsDown) => this.#judge({ claim, entity, request, again }, reply, slowsDown),
      },
    );
  }

  #judge({ claim, entity, request, again }: Departure, reply: Reply, slowsDown: boolean): Answer {
    const { gate, versions } = this.sending;
    const { operation, method } = request;
    versions.note(reply);
    const judgement = judgeReply(reply, {
      method,
      now: this.push.clock.now(),
      reused: claim.reused,
      takenDown: claim.takenDown === true,
      slowsDown,
      othersPass: claim.failsAlone || gate.othersPass(operation),
      operation,
      parent: entity.parent,
      own: this.push.areaSettings.own,
    });
    // It says nothing about the area. What may not be repeated freely waits as after every lost reply.
    const closed =
      !again &&
      entity.repeatable &&
      !claim.control &&
      reply.kind === 'silent' &&
      reply.onIdleConnection === true;
    // It has counted for the area already, which answers others.
    const known =
      judgement.kind === 'deferred' &&
      gate.condition().answered &&
      this.#earlierFailures(claim) !== undefined;
    if (!closed && !known) gate.note(entity.repeatable ? judgement : withoutWords(judgement), operation);
    // What the platform says about an application is personal.
    const kept =
      entity.repeatable &&
      reply.kind === 'answered' &&
      (judgement.kind !== 'accepted' || carriesWarnings(reply.json));
    const text = kept ? maskedBody(reply.text ?? '') : null;
    return { judgement, text, closed, noted: this.#noteVerdict(claim, judgement, operation) };
  }

  #noteVerdict(claim: Claim, judgement: Judgement, operation: OperationName): Promise<void> | null {
    const { undecided, watch } = this.sending;
    if (claim.control) return null;
    const open = undecidedOf(judgement);
    if (open) undecided.refused(claim, operation, open);
    else if (judgement.kind === 'accepted' || judgement.kind === 'refused') {
      const passed = judgement.kind === 'accepted' ? undecided.passed(claim, operation) : null;
      return Promise.all([passed, watch.note(claim, judgement)]).then(() => undefined);
    }
    return null;
  }

  /** Ends an answered claim: with its outcome, or open until others show what a refusal is about. */
  async #conclude(departure: Departure, answer: Answer): Promise<Judgement | null> {
    const { claim, request } = departure;
    const { judgement, text: body, closed, noted } = answer;
    const { gate, streak, undecided } = this.sending;
    const outcome = this.#outcome(departure, answer);
    // Replies that were under way when the breaker opened do not close it.
    const open = claim.control ? null : undecidedOf(judgement);
    if ((noted ?? (open && !open.unproven)) && gate.stop() === null) streak.end();
    if (judgement.kind !== 'not-understood' && !closed) streak.note(outcome, claim.failsAlone);
    if (open) {
      const end = (ending: Outcome) => this.#end(claim, ending, open);
      await undecided.hold(request.operation, { claim, judgement: open, sent: request.sent, body, end });
      return judgement;
    }
    // Before anything can fail, so that the outcome is not lost.
    this.#end(claim, outcome, closed || claim.control ? null : judgement);
    await noted;
    return closed ? this.#sendAgain(claim, outcome, judgement) : judgement;
  }

  #outcome({ claim, entity, request }: Departure, { judgement, text, closed }: Answer): Outcome {
    const { settings, random } = this.push;
    const earlier = closed ? UNCOUNTED : this.#earlierFailures(claim);
    const usual = () => outcomeOf(claim, judgement, settings.retry, random(), earlier);
    const outcome = claim.control ? outcomeOfControl(claim, judgement, usual) : usual();
    return { ...outcome, sent: request.sent, body: text, ...stateOf(entity, request, judgement) };
  }

  /** A claim of its own: a Request-Id and a line of the journal, and the first request is confirmed as without reply. */
  async #sendAgain(claim: Claim, outcome: Outcome, judgement: Judgement): Promise<Judgement | null> {
    await this.sending.buffer.flush();
    const until = this.push.clock.monotonic() + this.push.areaSettings.timeoutMs;
    const next = this.sending.ending() ? undefined : await this.sending.claims.again(claim);
    if (next) return this.send(next, until, true);
    this.#report(claim, outcome, judgement);
    return judgement;
  }

  /** Undefined: every failure counts. Nothing else would end a push whose records are due again at once. */
  #earlierFailures(claim: Claim): EarlierFailures | undefined {
    const earlier = this.sending.triesAgain() ? this.sending.streak.of(claim) : undefined;
    return earlier && earlier.failures > 0 ? earlier : undefined;
  }

  /** What was never there is not created in order to be closed. */
  async #closesNothing({ claim, entity, request }: Departure): Promise<boolean> {
    if (claim.mayBeAbsent !== true || request.sent.kind !== 'close') return false;
    const { gate } = this.sending;
    const mayLeave = () => !this.sending.ending() && gate.pauseLeft() === 0;
    return isAbsent(this.push, gate, mayLeave, entity, claim);
  }

  async #forget(claim: Claim): Promise<null> {
    const { lease, state, emit, area } = this.push;
    const isForgotten = await lease.fenced((fence) => state.queue.forget(fence, claim));
    // It returned meanwhile.
    if (!isForgotten) this.sending.buffer.add(handBack(claim));
    else
      emit({
        type: 'record-read-back',
        ...{ area, entity: claim.entity, outcome: 'missing', fields: [] },
        key: claim.key,
        message: 'it vanished, and the platform never took it, so there is nothing to close',
      });
    return null;
  }

  #handBack(claim: Claim): null {
    this.#end(claim, handBack(claim), null);
    return null;
  }

  /** Counts an outcome, writes it, and reports it. Null: it is not reported. */
  #end(claim: Claim, outcome: Outcome, judgement: Judgement | null): void {
    const counted = this.push.counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);
    this.sending.buffer.add(outcome);
    if (judgement) this.#report(claim, outcome, judgement);
  }

  #report(claim: Claim, outcome: Outcome, judgement: Judgement): void {
    const { entity, key, confirming, pendingMs } = claim;
    const now = this.push.clock.monotonic();
    const isChange = outcome.kind === 'accepted' && !confirming && typeof pendingMs === 'number';
    const own = outcome.kind === 'refused' ? outcome.error : null;
    const said = judgement.kind === 'accepted' ? null : (own ?? judgement.message);
    this.push.emit({
      type: 'record-sent',
      ...{ area: this.push.area, entity, key },
      outcome: outcome.kind,
      statusCode: judgement.statusCode,
      message: said,
      ...(isChange ? { pendingMs: pendingMs + now - (this.#startedAt.get(claim) ?? now) } : {}),
    });
  }
}

/**
 * What the platform makes of an accepted record: `pending` where it decides later, and a Find shows what it decided. The
 * adapter knows better. Nothing: it is live, or nobody asks.
 */
function stateOf(
  { readBack }: Pick<ConfiguredEntity, 'readBack'>,
  { sent: { kind } }: ClaimRequest,
  judgement: Judgement,
): { readonly state?: Exclude<AdapterState, 'live'> } {
  if (judgement.kind !== 'accepted' || readBack === null || (kind !== 'new' && kind !== 'update')) return {};
  const state = judgement.state ?? (judgement.statusCode === 202 ? 'pending' : 'live');
  return state === 'live' ? {} : { state };
}

/** A refusal that may be about its record or about all. */
function undecidedOf(judgement: Judgement): Extract<Judgement, { kind: 'refused' }> | null {
  const isOpen = judgement.kind === 'refused' && !judgement.failure;
  return isOpen ? judgement : null;
}

/** A 503 that does not say how long to wait. */
function isUnavailable(reply: Reply, now: number): boolean {
  return (
    reply.kind === 'answered' &&
    reply.status === 503 &&
    retryAfterDelay(reply.retryAfter, reply.date, now) === null
  );
}

/** What the platform says about an application is personal, and the state of an area is shown to everybody. */
function withoutWords(judgement: Judgement): Judgement {
  if (judgement.kind === 'accepted' || judgement.statusCode === null) return judgement;
  // These name fields and settings, except the title of a web page.
  if (judgement.kind === 'not-understood' && judgement.cause !== 'page') return judgement;
  return { ...judgement, message: `HTTP ${judgement.statusCode}` };
}
