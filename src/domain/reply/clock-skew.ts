import { parseHttpDate } from './http-date.js';

/** Below this a difference says nothing: the `Date` header has whole seconds and a reply takes its time. */
const NOTABLE_SKEW_MS = 60_000;

/**
 * How far our clock is ahead of the platform's, in milliseconds (negative: behind), from a reply's `Date` header
 * and our time when the reply was complete. Null when the header is missing or unreadable.
 */
export function clockSkew(date: string | null, receivedAtMs: number): number | null {
  const platformTime = date === null ? null : parseHttpDate(date);
  return platformTime === null ? null : receivedAtMs - platformTime;
}

/** A sentence about a skew that may explain refused signatures, or null when it is small or unknown. */
export function describeClockSkew(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= NOTABLE_SKEW_MS) return null;
  return `your clock is ${span(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the platform's`;
}

function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 2) return `${Math.round(ms / 1000)} s`;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}
