import type { Judgement } from '../reply/judgement.js';
import type { AreaStop } from './area-stop.js';

type Unread = Pick<Extract<Judgement, { kind: 'not-understood' }>, 'message' | 'hint'>;

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
export type Readings = Readonly<Record<string, Reading>>;

export function noteUnread(readings: Readings, operation: string, { message, hint }: Unread): Readings {
  const { inARow = 0, understoodOnce = false } = readings[operation] ?? {};
  return { ...readings, [operation]: { inARow: inARow + 1, understoodOnce, last: { message, hint } } };
}

export function noteUnderstood(readings: Readings, operation: string): Readings {
  const before = readings[operation];
  if (before?.inARow === 0) return readings;
  const last = before?.last ?? { message: '', hint: '' };
  return { ...readings, [operation]: { inARow: 0, understoodOnce: true, last } };
}

/** The stop of an area after `limit` replies to one operation that were not understood; null: not so many. */
export function stopAfter(readings: Readings, limit: number): AreaStop | null {
  return stopOf(Object.values(readings).find(({ inARow }) => inARow >= limit));
}

/** The same at the end of a push, for an operation of which no reply was understood, however few there were. */
export function stopAtEnd(readings: Readings): AreaStop | null {
  return stopOf(Object.values(readings).find(({ inARow, understoodOnce }) => inARow > 0 && !understoodOnce));
}

function stopOf(reading: Reading | undefined): AreaStop | null {
  if (reading === undefined) return null;
  const { inARow, last } = reading;
  return {
    code: 'reply-not-understood',
    message: inARow === 1 ? last.message : `${inARow} replies in a row; the last one: ${last.message}`,
    hint: `${last.hint} A worker reads a changed setting when it is restarted. Nothing is lost: the records are sent again, and confirmed.`,
  };
}
