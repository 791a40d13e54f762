import type { AdapterState } from '../contract/adapter.js';
import { USUAL_CLOSED_STATUS } from '../domain/guard.js';
import { rateNews } from '../domain/learned-rate.js';
import type { EntityName } from '../domain/names.js';
import { countedAs, countOutcome } from '../domain/push-counters.js';
import { judgeReply } from '../domain/reply/judge-reply.js';
import { carriesWarnings } from '../domain/reply/refusal.js';
import { type Judgement, type Reply } from '../domain/reply/reply.js';
import { retryAfterDelay } from '../domain/reply/waits.js';
import type { OperationName } from '../contract/operation.js';
import { maskedBody } from '../domain/scrub-text.js';
import { entity as entityNamed } from '../entities/index.js';
import { NOT_SENT, type Place } from '../ports/platform.js';
import type { Claim, Outcome, TakeOver, Tally } from '../ledger/queue/types.js';
import type { HeldLease } from '../leases.js';
import { type ConfiguredEntity, type RunContext, timeoutOf } from '../context.js';
import type { AreaGate, AreaPush, EarlierFailures, FailureStreak } from './area-gate.js';
import { createIsAbsent } from './absence.js';
import { handBack, outcomeOf, outcomeOfControl } from './outcome.js';
import type { RefusalWatch } from './refusal-watch.js';
import type { Undecided } from './undecided.js';
import {
  type ClaimRequest,
  deliveryKind,
  requestFinished,
  requestOf,
  scheduleUnlessAborted,
} from './request.js';

/**
 * One claim, from its request to its outcome.
 *
 * An attempt waits for its place in the rate, composes the request (`requestOf`), sends it, and lets the reply be judged.
 * The area's gate hears the judgement at once, so that the next request already knows of a pause. Then the judgement becomes
 * an outcome (`outcomeOf`), which is counted, noted by the watches, and written with others (`createOutcomeBuffer`). A claim whose request never left is handed back. One whose request met a connection that the
 * server had closed ends like every other without reply; its record is claimed and sent again at once, over a new
 * connection. What a dead process left claimed is ended by `takeOverClaims`, as an attempt without reply.
 */

interface PushProgress {
  readonly gate: AreaGate;
  readonly watch: Pick<RefusalWatch, 'isHeld' | 'note'>;
  readonly undecided: () => Undecided;
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
 * Gives the judgement; null: nothing was sent. Rejects when a refusal should hold the entity but the hold could not be
 * stored.
 */
type Attempt = (claim: Claim, sendBefore: number) => Promise<Judgement | null>;

export function createAttempt(push: AreaPush, progress: PushProgress): Attempt {
  const { gate, watch, undecided, streak, buffer, ending, triesAgain, claimAgain } = progress;
  const { area, areaSettings, clock, emit, signal } = push;
  const isAbsent = createIsAbsent(push, { gate, ending });
  const noteVerdict = (
    claim: Claim,
    judgement: Judgement,
    operation: OperationName,
  ): Promise<void> | null => {
    const { entity, key } = claim;
    if (claim.control) return null;
    const open = undecidedOf(judgement);
    if (open) undecided().refused(claim, operation, open);
    else if (judgement.kind === 'accepted' || judgement.kind === 'refused') {
      const passed = judgement.kind === 'accepted' ? undecided().passed(claim, operation) : null;
      const record = { entity, key };
      return Promise.all([passed, watch.note(record, judgement)]).then(() => undefined);
    }
    return null;
  };
  /** Undefined: every failure counts. Nothing else would end a push whose records are due again at once. */
  const earlierFailures = (claim: Claim): EarlierFailures | undefined => {
    const earlier = triesAgain() ? streak.of(claim) : undefined;
    return earlier && earlier.failures > 0 ? earlier : undefined;
  };
  /** `again`: it met a closed connection, and goes again at once. Null: nothing was sent. */
  const send = (
    entity: ConfiguredEntity,
    claim: Claim,
    { operation, method, body }: ClaimRequest,
    sendBefore: number,
    again: boolean,
  ): Promise<SentResult | null> => {
    const urgent = again || !entity.repeatable || claim.control === true;
    const askedAt = clock.monotonic();
    // While a machine is suspended its monotonic clock may stand still, and the other one not.
    const sendBeforeNow = clock.now() + Math.max(0, sendBefore - askedAt);
    const isLate = () => clock.monotonic() > sendBefore || clock.now() > sendBeforeNow;
    const mayLeave = () => !isLate() && push.lease.held();
    const attempt = async (place: Place): Promise<SentResult | null> => {
      const isHeld = !claim.control && (watch.isHeld(claim.entity) || undecided().blocks(claim.entity));
      if (isLate() || ending() || gate.pauseLeft() > 0 || isHeld) {
        place.release();
        return null;
      }
      const { platformId, requestId } = claim;
      const sentAt = clock.monotonic();
      const onWritten = place.written;
      const newConnection = again || claim.control === true;
      const { key } = claim;
      const request = { operation, key, platformId, requestId, body, newConnection, onWritten };
      const reply = await push.platform(area).send({ ...request, mayLeave });
      if (reply.kind === 'unreachable' && reply.code === NOT_SENT) {
        place.release();
        return null;
      }
      const slowsDown = isUnavailable(reply, clock.now()) && gate.slowsDown(platformId);
      const news = rateNews(reply, clock.now());
      place.answered(slowsDown ? { ...news, verdict: 'limited' } : news);
      progress.noteVersion(reply);
      emit(requestFinished(area, operation, reply, { askedAt, sentAt, now: clock.monotonic() }));
      const judgement = judgeReply(reply, {
        method,
        now: clock.now(),
        reused: claim.reused,
        takenDown: claim.takenDown === true,
        slowsDown,
        othersPass: claim.failsAlone || gate.othersPass(operation),
        operation,
        parent: entity.parent,
        own: areaSettings.own,
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
        judgement.kind === 'deferred' && gate.condition().answered && earlierFailures(claim) !== undefined;
      // Still inside the attempt, so that the next one in the queue already sees it.
      if (!closed && !known) gate.note(entity.repeatable ? judgement : withoutWords(judgement), operation);
      // What the platform says about an application is personal.
      const kept =
        entity.repeatable &&
        reply.kind === 'answered' &&
        (judgement.kind !== 'accepted' || carriesWarnings(reply.json));
      const text = kept ? maskedBody(reply.text ?? '') : null;
      const noted = noteVerdict(claim, judgement, operation);
      return { judgement, text, closed, noted };
    };
    return scheduleUnlessAborted(push.rateLimit, attempt, urgent, signal);
  };

  const attempt = async (claim: Claim, sendBefore: number, again: boolean): Promise<Judgement | null> => {
    const entity = push.entities.find(({ name }) => name === claim.entity);
    const request = entity && requestOf(entity, claim);
    // What was never there is not created in order to be closed.
    const closesNothing =
      claim.mayBeAbsent === true && request?.sent.kind === 'close' && (await isAbsent(entity!, claim));
    if (closesNothing) return forget(claim).then(() => null);
    const {
      judgement = null,
      text = null,
      closed = false,
      noted = null,
    } = (request && (await send(entity, claim, request, sendBefore, again))) ?? {};
    const earlier = closed ? UNCOUNTED : earlierFailures(claim);
    const usual = (end: Judgement) => outcomeOf(claim, end, push.settings.retry, push.random(), earlier);
    const outcome =
      request && judgement
        ? {
            ...(claim.control
              ? outcomeOfControl(claim, judgement, () => usual(judgement))
              : usual(judgement)),
            sent: request.sent,
            body: text,
            state: stateOf(entity, request, judgement),
          }
        : handBack(claim);
    // Replies that were under way when the breaker opened do not close it.
    const open = judgement !== null && !claim.control ? undecidedOf(judgement) : null;
    if ((noted ?? (open && !open.unproven)) && gate.stop() === null) streak.end();
    if (judgement?.kind !== 'not-understood' && !closed) streak.note(outcome, claim.failsAlone);
    if (open && request) {
      const { sent, operation } = request;
      const hold = { claim, judgement: open, sent, body: text };
      await undecided().hold(operation, { ...hold, end: (ending) => end(claim, ending, open) });
      return judgement;
    }
    // Before anything can fail, so that the outcome is not lost.
    end(claim, outcome, closed || claim.control ? null : judgement);
    await noted;
    if (!judgement) return null;
    if (closed) {
      // A claim of its own: a Request-Id and a line of the journal, and the first request is confirmed as without reply.
      await buffer.flush();
      const until = clock.monotonic() + areaSettings.timeoutMs;
      const next = ending() ? undefined : await claimAgain(claim);
      if (next) return attempt(next, until, true);
      report(claim, outcome, judgement);
    }
    return judgement;
  };
  const report = ({ entity, key }: Claim, outcome: Outcome, judgement: Judgement): void => {
    const own = outcome.kind === 'refused' ? outcome.error : null;
    const said = judgement.kind === 'accepted' ? null : (own ?? judgement.message);
    emit({
      type: 'record-sent',
      ...{ area, entity, key },
      outcome: outcome.kind,
      statusCode: judgement.statusCode,
      message: said,
    });
  };
  /** Counts an outcome, writes it, and reports it. Null: it is not reported. */
  const end = (claim: Claim, outcome: Outcome, judgement: Judgement | null): void => {
    const counted = push.counters.get(claim.entity);
    const as = countedAs(outcome);
    if (counted && as) countOutcome(counted, claim.previousOutcome, as);
    buffer.add(outcome);
    if (judgement) report(claim, outcome, judgement);
  };
  const forget = async (claim: Claim): Promise<void> => {
    const isForgotten = await push.lease.fenced((fence) => push.state.queue.forget(fence, claim));
    // It returned meanwhile.
    if (!isForgotten) return buffer.add(handBack(claim));
    emit({
      type: 'record-read-back',
      ...{ area, entity: claim.entity, outcome: 'missing', fields: [] },
      key: claim.key,
      message: 'it vanished, and the platform never took it, so there is nothing to close',
    });
  };
  return (claim, sendBefore) => attempt(claim, sendBefore, false);
}

/**
 * What the platform makes of an accepted record: `pending` where it decides later, and a Find shows what it decided. The
 * adapter knows better. Undefined: nobody asks.
 */
function stateOf(
  { readBack }: Pick<ConfiguredEntity, 'readBack'>,
  { sent: { kind } }: ClaimRequest,
  judgement: Judgement,
): Exclude<AdapterState, 'live'> | undefined {
  if (judgement.kind !== 'accepted' || readBack === null || (kind !== 'new' && kind !== 'update'))
    return undefined;
  const state = judgement.state ?? (judgement.statusCode === 202 ? 'pending' : 'live');
  return state === 'live' ? undefined : state;
}

/** A refusal that may be about its record or about all. */
function undecidedOf(judgement: Judgement): Refused | null {
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

type Refused = Extract<Judgement, { kind: 'refused' }>;

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

/** What the platform says about an application is personal, and the state of an area is shown to everybody. */
function withoutWords(judgement: Judgement): Judgement {
  if (judgement.kind === 'accepted' || judgement.statusCode === null) return judgement;
  // These name fields and settings, except the title of a web page.
  if (judgement.kind === 'not-understood' && judgement.cause !== 'page') return judgement;
  return { ...judgement, message: `HTTP ${judgement.statusCode}` };
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
