/** How long a reply asks to wait, and the moments that its headers name. */

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * The moment an HTTP date names (RFC 9110 §5.6.7, all three forms), in milliseconds since the epoch, or null.
 * The shape is checked first, because `Date.parse` also takes texts such as `120 x` and reads the form without
 * a zone as local time.
 */
export function parseHttpDate(text: string): number | null {
  const trimmed = text.trim();
  let moment = Number.NaN;
  if (IMF_FIXDATE.test(trimmed) || RFC_850.test(trimmed)) moment = Date.parse(trimmed);
  else if (ASCTIME.test(trimmed)) moment = Date.parse(`${trimmed} GMT`);
  return Number.isNaN(moment) ? null : moment;
}

/** Longer waits are cut to a day; then one more request is acceptable. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** From here on a number is a moment and no span: seconds since the Unix epoch, or thousandths of them. */
const EPOCH_SECONDS = 1e9;

/** How long a number asks to wait, milliseconds; null: for a moment more than a month away, which nobody means. */
export function numberedWait(value: number, fromMs: number): number | null {
  const isMoment = value >= EPOCH_SECONDS;
  let seconds = value;
  while (seconds >= 100 * EPOCH_SECONDS) seconds /= 1000;
  const waitMs = Math.ceil(seconds * 1000 - (isMoment ? fromMs : 0));
  return isMoment && waitMs > 30 * LONGEST_WAIT_MS ? null : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
}

/**
 * How long a `Retry-After` header asks to wait, in milliseconds, or null when it is missing or unreadable.
 * Both forms are taken: seconds, and an HTTP date; and a Unix time, which some services send. A moment is measured against
 * the reply's own `Date` header, so that a wrong clock on our side does not turn one minute into an hour; without it,
 * against `nowMs`.
 */
export function retryAfterDelay(
  retryAfter: string | null,
  date: string | null,
  nowMs: number,
): number | null {
  if (retryAfter === null) return null;
  const text = retryAfter.trim();
  const from = (date === null ? null : parseHttpDate(date)) ?? nowMs;
  // The first of several, where a proxy has added its own.
  const number = /^(\d+(?:\.\d+)?)(\s*,.*)?$/.exec(text)?.[1];
  if (number !== undefined) return numberedWait(Number(number), from);
  const until = parseHttpDate(text);
  return until === null ? null : Math.min(Math.max(until - from, 0), LONGEST_WAIT_MS);
}
