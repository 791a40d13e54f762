import { platformTimestamp } from './platform-timestamp.js';

const DAY_MS = 86_400_000;
/** Days that are remembered of a zone; the deadlines of a sweep are on few. */
const MOST_DAYS = 5_000;

/** By zone and day; null: the clocks change on that day. */
const days = new Map<string, Map<number, number | null>>();

/**
 * How far a zone is ahead of UTC at that time, milliseconds. To ask Intl takes ten times as long as to look it up, and a
 * sweep asks for every row; so whole days are remembered.
 *
 * @param ms milliseconds since the Unix epoch, within the years 1 to 9999
 * @param timeZone IANA name; an unknown one throws RangeError
 */
export function zoneOffset(ms: number, timeZone: string): number {
  const day = Math.floor(ms / DAY_MS);
  const known = daysOf(timeZone);
  let offset = known.get(day);
  if (offset === undefined) {
    const begin = ask(day * DAY_MS, timeZone);
    offset = begin === ask((day + 1) * DAY_MS, timeZone) ? begin : null;
    if (known.size >= MOST_DAYS) known.clear();
    known.set(day, offset);
  }
  return offset ?? ask(ms, timeZone);
}

function daysOf(timeZone: string): Map<number, number | null> {
  const known = days.get(timeZone) ?? new Map<number, number | null>();
  days.set(timeZone, known);
  return known;
}

function ask(ms: number, timeZone: string): number {
  const local = platformTimestamp(ms, timeZone).padStart('YYYY-MM-DD HH:MM:SS'.length, '0');
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}
