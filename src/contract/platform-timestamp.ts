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
