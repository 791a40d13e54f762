/** `Request-Timestamp` as publicly documented: ISO 8601, UTC, whole seconds, `Z`. */
export const REQUEST_TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * @param ms milliseconds since the Unix epoch; parts of a second are cut
 * @returns `2022-09-22T01:51:00Z`
 */
export function requestTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since the Unix epoch; null when the text is not of that form or no such time exists. */
export function readRequestTimestamp(text: string): number | null {
  if (!REQUEST_TIMESTAMP_PATTERN.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
