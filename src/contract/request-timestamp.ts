/** `Request-Timestamp` as publicly documented: ISO 8601, UTC, whole seconds, `Z`. */
export const REQUEST_TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Forms of `Request-Timestamp`. The interface shows none for requests; `seconds` is publicly documented. */
export const REQUEST_TIMESTAMP_FORMS = [
  'seconds',
  'milliseconds',
  'epoch-seconds',
  'epoch-milliseconds',
] as const;

export type RequestTimestampForm = (typeof REQUEST_TIMESTAMP_FORMS)[number];

/**
 * @param ms milliseconds since the Unix epoch
 * @returns `2022-09-22T01:51:00Z` (parts of a second are cut), `2022-09-22T01:51:00.123Z`, or the Unix time
 */
export function requestTimestamp(ms: number, form: RequestTimestampForm = 'seconds'): string {
  if (form === 'epoch-seconds') return String(Math.floor(ms / 1000));
  if (form === 'epoch-milliseconds') return String(Math.floor(ms));
  const text = new Date(ms).toISOString();
  return form === 'milliseconds' ? text : `${text.slice(0, 19)}Z`;
}

const PATTERNS: Readonly<Record<RequestTimestampForm, RegExp>> = {
  seconds: REQUEST_TIMESTAMP_PATTERN,
  milliseconds: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  'epoch-seconds': /^\d{10}$/,
  'epoch-milliseconds': /^\d{13}$/,
};

/** Milliseconds since the Unix epoch; null when the text is not of that form or no such time exists. */
export function readRequestTimestamp(text: string, form: RequestTimestampForm = 'seconds'): number | null {
  if (!PATTERNS[form].test(text)) return null;
  if (form === 'epoch-seconds') return Number(text) * 1000;
  if (form === 'epoch-milliseconds') return Number(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
