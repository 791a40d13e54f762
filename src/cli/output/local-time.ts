import { platformTimestamp } from '../../contract/time.js';

/**
 * A time for people: `2026-01-31 15:00:00 GMT+7`. Programs get ISO times in UTC.
 *
 * @param timeZone IANA name: `platform.timeZone`, which the dashboard uses too
 */
export function localTime(at: Date, timeZone: string): string {
  return `${platformTimestamp(at.getTime(), timeZone)} ${offsetOf(at, timeZone)}`;
}

/** The same text with every ISO time in UTC as a time for people. */
export function withLocalTimes(text: string, timeZone: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (iso) => {
    const at = new Date(iso);
    return Number.isNaN(at.getTime()) ? iso : localTime(at, timeZone);
  });
}

/** `GMT+7`, `UTC`. */
function offsetOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return ['GMT', 'GMT+0'].includes(offset) ? 'UTC' : offset;
}

/** The zone of this process: a fleet has none of its own, its tenants may be in several. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Zone in which times of the fleet are shown: that of the national platform. */
export const FLEET_TIME_ZONE = 'Asia/Jakarta';
