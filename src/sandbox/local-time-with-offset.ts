import { platformTimestamp } from '../contract/time.js';

const epochOf = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`);

/**
 * @param local `YYYY-MM-DD HH:MM:SS`, a time that exists in the zone
 * @returns the same as ISO 8601 with the zone's UTC offset: `2026-01-31T08:00:00+07:00`
 */
export function localTimeWithOffset(local: string, timeZone: string): string {
  const wall = epochOf(local);
  const offsetAt = (ms: number): number => epochOf(platformTimestamp(ms, timeZone)) - ms;
  // The first offset may be that of the other side of a clock change.
  const minutes = Math.round(offsetAt(wall - offsetAt(wall)) / 60_000);
  const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${local.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
