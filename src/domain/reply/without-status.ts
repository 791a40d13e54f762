/**
 * What the platform said, without the status that stands beside it: `Server Error` of `HTTP 500: Server Error` with the
 * status 500. Null: it said nothing else. Pure.
 */
export function withoutStatus(reason: string | null, statusCode: number | null): string | null {
  if (reason === null || statusCode === null) return reason;
  const status = `HTTP ${statusCode}`;
  if (reason === status) return null;
  // `HTTP 200 was not understood: data is missing` stays a sentence.
  if (reason.startsWith(`${status} was `)) return reason.slice(`${status} was `.length);
  return reason.startsWith(`${status}: `) ? reason.slice(status.length + 2) : reason;
}
