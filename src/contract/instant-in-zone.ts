import { zoneOffset } from './zone-offset.js';

/** A timestamptz as Postgres prints it. Years before 1, and infinity, are no times that anybody sends. */
const PRINTED =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?$/;
/** Between them Intl knows the offset; no clock changes in the days beyond. */
const EARLIEST = Date.parse('0001-01-03T00:00:00Z');
const LATEST = Date.parse('9999-12-29T00:00:00Z');

/**
 * The same instant in another zone, in the same form: `2026-01-15 23:00:00.5+00` in Asia/Jakarta is
 * `2026-01-16 06:00:00.5+07`. Text of any other form, and times outside of the years 1 to 9999 there, stay as they are. The
 * result is what Postgres prints in a session of that zone. Pure.
 *
 * @param timeZone IANA name; an unknown one throws RangeError
 */
export function instantInZone(text: string, timeZone: string): string {
  const match = PRINTED.exec(text);
  if (match === null) return text;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', part = ''] = match;
  const [sign, ...offset] = match.slice(8);
  const shift = seconds(offset) * (sign === '-' ? -1 : 1);
  const utc =
    Date.parse(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`) - shift * 1000;
  if (Number.isNaN(utc)) return text;
  const ahead = zoneOffset(Math.min(Math.max(utc, EARLIEST), LATEST), timeZone);
  const iso = new Date(utc + ahead).toISOString();
  if (!/^(?!0000)\d{4}-/.test(iso)) return text;
  const local = iso.slice(0, 19).replace('T', ' ');
  return `${local}${part}${offsetText(ahead / 1000)}`;
}

function seconds([hours = '0', minutes = '0', rest = '0']: readonly (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

/** `+07`, `+05:30`, `-00:44:30`. */
function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  const used = parts[2] !== 0 ? 3 : parts[1] !== 0 ? 2 : 1;
  const digits = parts.slice(0, used).map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${digits.join(':')}`;
}
