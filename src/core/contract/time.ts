/** Times as the platform writes them: its local time, days in its zone, and the `Request-Timestamp` of signed requests. */

/** `YYYY-MM-DD HH:MM:SS`, local time of the platform (interface §2). */
export const PLATFORM_TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Whether the text is of that form and such a time exists: neither 30 February nor 24:00:00. */
export function isPlatformTimestamp(text: string): boolean {
  if (!PLATFORM_TIMESTAMP_PATTERN.test(text)) return false;
  const iso = text.replace(' ', 'T');
  const ms = Date.parse(`${iso}Z`);
  // Date.parse rolls over to the next day or month instead of refusing.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso);
}

/** Making a formatter is costly, using it is not. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * @param ms milliseconds since the Unix epoch; parts of a second are cut
 * @param timeZone IANA name, such as `Asia/Jakarta`; an unknown one throws RangeError
 * @returns `2026-01-31 08:00:00`
 */
export function platformTimestamp(ms: number, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/** The day of that time: `2026-01-31`. */
export function platformDay(ms: number, timeZone: string): string {
  return platformTimestamp(ms, timeZone).slice(0, 10);
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}

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
function zoneOffset(ms: number, timeZone: string): number {
  const day = Math.floor(ms / DAY_MS);
  const known = days.get(timeZone) ?? new Map<number, number | null>();
  days.set(timeZone, known);
  let offset = known.get(day);
  if (offset === undefined) {
    const begin = ask(day * DAY_MS, timeZone);
    offset = begin === ask((day + 1) * DAY_MS, timeZone) ? begin : null;
    if (known.size >= MOST_DAYS) known.clear();
    known.set(day, offset);
  }
  return offset ?? ask(ms, timeZone);
}

function ask(ms: number, timeZone: string): number {
  const local = platformTimestamp(ms, timeZone).padStart('YYYY-MM-DD HH:MM:SS'.length, '0');
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}

/** A timestamptz as Postgres prints it. Years before 1, and infinity, are no times that anybody sends. */
const PRINTED =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?$/;
/** Between them Intl knows the offset; no clock changes in the days beyond. */
const EARLIEST = Date.parse('0001-01-03T00:00:00Z');
const LATEST = Date.parse('9999-12-29T00:00:00Z');

/**
 * The same instant in another zone, in the same form: `2026-01-15 23:00:00.5+00` in Asia/Jakarta is
 * `2026-01-16 06:00:00.5+07`. Text of any other form, and times outside of the years 1 to 9999 there, stay as they are.
 * The result is what Postgres prints in a session of that zone.
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
  // A day that is none would become one of the next month.
  if (new Date(utc + shift * 1000).getUTCDate() !== Number(day)) return text;
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

/** `Request-Timestamp` as publicly documented: ISO 8601, UTC, whole seconds, `Z`. */
export const REQUEST_TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * @param ms milliseconds since the Unix epoch
 * @returns `2022-09-22T01:51:00Z`; parts of a second are cut
 */
export function requestTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the Unix epoch; null when the text is not of that form or no such time exists. */
export function readRequestTimestamp(text: string): number | null {
  const ms = REQUEST_TIMESTAMP_PATTERN.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/**
 * A time for people: `2026-01-31 15:00:00 WIB`. Programs get ISO times in UTC.
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

/** `WIB`, `WITA`, `WIT`; else `GMT+2`, `UTC`. */
function offsetOf(at: Date, timeZone: string): string {
  const named = (locale: string, timeZoneName: 'short' | 'shortOffset') =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const name = named('id', 'short');
  if (/^WIT?[AB]?$/.test(name)) return name;
  const offset = named('en-US', 'shortOffset');
  return ['GMT', 'GMT+0'].includes(offset) ? 'UTC' : offset;
}
