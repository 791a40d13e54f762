/**
 * A day and a time of it, as ISO 8601 writes them: with hyphens and colons or without; to the second, minute or hour, the
 * last with a fraction; then the offset from UTC, without which the moment is not known.
 */
const MOMENT =
  /^(?<year>\d{4})(?<hyphen>-?)(?<month>\d\d)\k<hyphen>(?<day>\d\d)T(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d{1,12}))?(?:Z|(?<sign>[+-])(?<offsetHours>\d\d)(?::?(?<offsetMinutes>\d\d))?)$/i;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * `Request-Timestamp` of a webhook, milliseconds since the Unix epoch; null when it is invalid. Accepts more forms than
 * our requests use, because interface §5 promises only ISO 8601 in UTC+0; another offset names a moment too. The
 * signature covers the header as it was sent, so the form is no risk.
 */
export function readWebhookTime(text: string): number | null {
  const parts = MOMENT.exec(text)?.groups;
  if (parts === undefined) return null;
  const number = (name: string): number => Number(parts[name] ?? 0);
  const dayMs = startOfDay(number('year'), number('month'), number('day'));
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  // ISO 8601 calls the end of a day 24:00; a leap second is the 61st of its minute.
  const isTime = hour < 24 ? minute < 60 && second <= 60 : hour === 24 && minute + second === 0;
  if (dayMs === null || !isTime || number('offsetHours') > 23 || number('offsetMinutes') > 59) return null;

  const smallestMs =
    parts.second !== undefined ? SECOND_MS : parts.minute !== undefined ? MINUTE_MS : HOUR_MS;
  const fractionMs = Math.floor(Number(`0.${parts.fraction ?? '0'}`) * smallestMs);
  const offsetMs = number('offsetHours') * HOUR_MS + number('offsetMinutes') * MINUTE_MS;
  const localMs = dayMs + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + fractionMs;
  return parts.sign === '-' ? localMs + offsetMs : localMs - offsetMs;
}

/** Null when the month has no such day. */
function startOfDay(year: number, month: number, day: number): number | null {
  // Not Date.UTC(year, …), which reads 26 as 1926.
  const ms = new Date(0).setUTCFullYear(year, month - 1, day);
  const made = new Date(ms);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? ms : null;
}
