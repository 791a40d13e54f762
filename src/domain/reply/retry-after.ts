import { parseHttpDate } from './http-date.js';

/** Longer waits are cut to a day; then one more request is acceptable. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds, or null when it is missing or unreadable.
 * Both forms are taken: seconds, and an HTTP date. A date is measured against the reply's own `Date` header,
 * so that a wrong clock on our side does not turn one minute into an hour; without it, against `nowMs`.
 */
export function retryAfterDelay(
  retryAfter: string | null,
  date: string | null,
  nowMs: number,
): number | null {
  if (retryAfter === null) return null;
  const text = retryAfter.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_WAIT_MS);
  const until = parseHttpDate(text);
  if (until === null) return null;
  const from = (date === null ? null : parseHttpDate(date)) ?? nowMs;
  return Math.min(Math.max(until - from, 0), LONGEST_WAIT_MS);
}
