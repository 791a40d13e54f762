import type { ErrorCode } from './errors.js';
import type { Judgement, StopCause } from './reply/reply.js';
import { plural } from './text.js';
import { causeText } from './trouble/stop-causes.js';

/**
 * The condition of an area during one push: after each judged reply, and at the end. Failures in a row and replies that
 * are not understood stop it; a pause that the platform asks for is waited for, or stops it when it is too long.
 */

/** What the last replies of an area say about the area itself. */
export interface AreaCondition {
  /** Transient failures since the last reply that was a verdict, also in earlier pushes. */
  readonly transientInARow: number;
  /** Monotonic time of the first of them; null: there is none, or it is not known. */
  readonly failingFrom: number | null;
  /** The message of the last one; null: none. */
  readonly lastError: string | null;
  /** Why it failed; null: nothing shows that. */
  readonly lastCause: StopCause | null;
  /** The area has answered in this push. */
  readonly answered: boolean;
  /** Pauses since then. */
  readonly pausesInARow: number;
  /** Monotonic time until which nothing is sent; null: free. */
  readonly pausedUntil: number | null;
  /** Whether the replies of this push could be read. */
  readonly readings: Readings;
  readonly stop: AreaStop | null;
}

export const OPEN_AREA: AreaCondition = {
  transientInARow: 0,
  failingFrom: null,
  lastError: null,
  lastCause: null,
  answered: false,
  pausesInARow: 0,
  pausedUntil: null,
  readings: {},
  stop: null,
};

export interface AreaLimits {
  /** Transient failures in a row that stop the area, and replies in a row that are not understood. */
  readonly breakerAfter: number;
  /** The longest pause that is waited for, milliseconds. */
  readonly maxPauseMs: number;
  /** The longest pause when the platform does not say how long, milliseconds. */
  readonly baseDelayMs: number;
}

/**
 * The area's condition after one judged reply to an operation. `now` is monotonic. Replies to requests that were under
 * way when a pause began do not count as further pauses, and a stop is final.
 */
export function nextCondition(
  condition: AreaCondition,
  judgement: Judgement,
  limits: AreaLimits,
  now: number,
  operation = '',
): AreaCondition {
  if (condition.stop) return condition;
  switch (judgement.kind) {
    case 'accepted':
      return verdict({ ...condition, readings: noteUnderstood(condition.readings, operation) });
    case 'refused':
      // A box may have answered: neither an outage nor an answer of the area.
      if (judgement.unproven) return condition;
      return judgement.failure === undefined
        ? verdict(condition)
        : { ...verdict(condition), ...unreadAmongOthers(condition, judgement.failure, limits, operation) };
    // No outage: the row of failures neither grows nor ends.
    case 'not-understood': {
      const readings = noteUnread(condition.readings, operation, judgement);
      return { ...condition, readings, stop: stopAfter(readings, limits.breakerAfter) };
    }
    case 'stopped':
      return {
        ...condition,
        stop: {
          code: judgement.code,
          message: judgement.message,
          hint: judgement.hint,
          ...named(judgement.cause),
        },
      };
    case 'deferred': {
      const transientInARow = condition.transientInARow + 1;
      const judges = judgement.cause !== 'page' && judgesRecord(judgement.statusCode);
      const failing: AreaCondition = {
        ...condition,
        transientInARow,
        failingFrom: condition.failingFrom ?? now,
        lastError: judgement.message,
        lastCause: judgement.cause ?? (judges ? 'put-off' : null),
        answered: condition.answered || judges,
      };
      return transientInARow < limits.breakerAfter ? failing : opened(failing);
    }
    case 'paused':
      return pause(condition, judgement, limits, now);
  }
}

/** Replies in a row that said failure with a 2xx, up to which each is about its own record. */
const OF_ITS_OWN = 3;

/**
 * Whether a 2xx that says failure is about its record: others of the operation pass in this push, and it is none of a
 * row that may be the beginning of an outage.
 */
export function othersPass({ readings }: Pick<AreaCondition, 'readings'>, operation: string): boolean {
  const reading = readings[operation];
  return reading?.understoodOnce === true && reading.inARow < OF_ITS_OWN;
}

/** A row of them counts as replies that are not understood, so that an outage that answers 200 still stops the area. */
function unreadAmongOthers(
  { readings }: AreaCondition,
  failure: Unread,
  { breakerAfter }: AreaLimits,
  operation: string,
): Partial<AreaCondition> {
  if (readings[operation]?.understoodOnce !== true) return {};
  const noted = noteUnread(readings, operation, failure);
  return { readings: noted, stop: stopAfter(noted, breakerAfter) };
}

function verdict(condition: AreaCondition): AreaCondition {
  return {
    ...condition,
    transientInARow: 0,
    failingFrom: null,
    lastError: null,
    answered: true,
    pausesInARow: 0,
  };
}

/**
 * The area's condition when its push ends: one in which something failed and nothing was answered stops the area,
 * whatever `breakerAfter` says. A small outage is an outage. So does an operation of which no reply was understood.
 */
export function endCondition(condition: AreaCondition, earlierFailures: number): AreaCondition {
  const read = endOfReading(condition);
  if (read.stop) return read;
  const failed = condition.transientInARow > earlierFailures;
  return condition.answered || !failed ? condition : opened(condition);
}

/** The same when records were read back: only whether the replies could be read counts. */
export function endOfReading(condition: AreaCondition): AreaCondition {
  return condition.stop ? condition : { ...condition, stop: stopAtEnd(condition.readings) };
}

/** A 4xx that is tried again (409, 425) still shows that the platform looks at records. A time-out (408) does not. */
function judgesRecord(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 408;
}

function opened(condition: AreaCondition): AreaCondition {
  const { transientInARow: count, lastError, lastCause } = condition;
  const text = causeText(lastCause, 'en');
  const cause = text === null ? 'The platform seems to be down or unreachable.' : `${text.says} ${text.hint}`;
  return {
    ...condition,
    stop: {
      code: 'breaker-open',
      message: `${plural(count, 'One request', `${count} requests in a row`)} failed; the last one: ${lastError ?? 'no message'}`,
      hint: `${cause} Nothing is lost: the rest stays pending until the next run, or until \`start\` tries again after a pause.`,
      ...named(lastCause),
    },
  };
}

/** Nothing where no cause is known. */
function named(cause: StopCause | null | undefined): { readonly cause?: StopCause } {
  return cause ? { cause } : {};
}

/** The first pause when the platform does not say how long: a second's requests were too many. Each further one is twice as long. */
const FIRST_PAUSE_MS = 1_000;

function pause(
  condition: AreaCondition,
  { delayMs, message }: Extract<Judgement, { kind: 'paused' }>,
  limits: AreaLimits,
  now: number,
): AreaCondition {
  const running = condition.pausedUntil !== null && condition.pausedUntil > now;
  const pausesInARow = running ? condition.pausesInARow : condition.pausesInARow + 1;
  // A wait of nothing that did not help is none: each reply to what is under way would count as a pause.
  const asked = delayMs === 0 && pausesInARow > 1 ? null : delayMs;
  const delay = asked ?? Math.min(limits.baseDelayMs, FIRST_PAUSE_MS * 2 ** (pausesInARow - 1));
  const stopped = (reason: string, long?: { readonly delayMs: number }): AreaCondition => ({
    ...condition,
    pausesInARow,
    stop: {
      code: 'long-pause',
      message: `${message}; ${reason}`,
      hint: 'The rest stays pending until the next run, or until `start` tries again after a pause. If this happens often, lower ratePerSecond or raise retry.maxPause.',
      ...long,
    },
  });
  if (delay > limits.maxPauseMs) {
    return stopped(`it asks for a pause of ${Math.ceil(delay / 1000)} s, more than retry.maxPause allows`, {
      delayMs: delay,
    });
  }
  if (pausesInARow > limits.breakerAfter) return stopped(`it asked for ${pausesInARow} pauses in a row`);
  return { ...condition, pausesInARow, pausedUntil: Math.max(condition.pausedUntil ?? 0, now + delay) };
}

/** Why nothing is sent to an area. */
export interface AreaStop {
  readonly code: Extract<
    ErrorCode,
    | 'adapter-failed'
    | 'authentication-refused'
    | 'redirected'
    | 'request-refused'
    | 'same-refusal'
    | 'breaker-open'
    | 'long-pause'
    | 'reply-not-understood'
  >;
  readonly message: string;
  readonly hint: string;
  /** Absent or null: the code alone says why. */
  readonly cause?: StopCause | null;
  /** How long the platform asked to wait, if it did. */
  readonly delayMs?: number;
}

type Unread = Pick<Extract<Judgement, { kind: 'not-understood' }>, 'message' | 'hint' | 'cause'>;

/** How the replies to one operation could be read in this push. */
interface Reading {
  /** Replies that were not understood since one was. */
  readonly inARow: number;
  readonly understoodOnce: boolean;
  /** The last one that was not understood. */
  readonly last: Unread;
}

/**
 * By operation: each has a reply of its own, and one that is understood says nothing about another's. Of an operation
 * without an entry every reply was understood.
 */
type Readings = Readonly<Record<string, Reading>>;

function noteUnread(readings: Readings, operation: string, { message, hint, cause }: Unread): Readings {
  const { inARow = 0, understoodOnce = false } = readings[operation] ?? {};
  return {
    ...readings,
    [operation]: { inARow: inARow + 1, understoodOnce, last: { message, hint, ...named(cause) } },
  };
}

function noteUnderstood(readings: Readings, operation: string): Readings {
  const before = readings[operation];
  if (before?.inARow === 0) return readings;
  const last = before?.last ?? { message: '', hint: '' };
  return { ...readings, [operation]: { inARow: 0, understoodOnce: true, last } };
}

/** The stop of an area after `limit` replies to one operation that were not understood; null: not so many. */
function stopAfter(readings: Readings, limit: number): AreaStop | null {
  return stopOf(Object.values(readings).find(({ inARow }) => inARow >= limit));
}

/** The same at the end of a push, for an operation of which no reply was understood, however few there were. */
function stopAtEnd(readings: Readings): AreaStop | null {
  return stopOf(Object.values(readings).find(({ inARow, understoodOnce }) => inARow > 0 && !understoodOnce));
}

function stopOf(reading: Reading | undefined): AreaStop | null {
  if (reading === undefined) return null;
  const { inARow, last } = reading;
  return {
    code: 'reply-not-understood',
    message: plural(inARow, last.message, `${inARow} replies in a row; the last one: ${last.message}`),
    hint: `${last.hint} A worker reads a changed setting when it is restarted. Nothing is lost: the records are sent again, and confirmed.`,
    ...named(last.cause),
  };
}
