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
