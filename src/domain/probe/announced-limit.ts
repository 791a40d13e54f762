/** A limit that the platform announces. */
export interface AnnouncedLimit {
  readonly header: string;
  readonly requests: number;
  readonly seconds: number;
  /** The header does not say how long its window is: a minute is usual. */
  readonly assumedMinute: boolean;
}

/** Headers that carry the limit itself, in the order of trust: RFC drafts, then what services invented. */
const LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'ratelimit-limit',
  'x-ratelimit-limit',
  'x-rate-limit-limit',
] as const;

/** Reads the limit of a reply's rate headers; null: they have none that is understood. Pure. */
export function announcedLimit(headers: Readonly<Record<string, string>>): AnnouncedLimit | null {
  for (const header of LIMIT_HEADERS) {
    const value = headers[header];
    if (value === undefined) continue;
    const requests = /(?:\bq=|\blimit=|^\s*)(\d{1,9})\b/.exec(value)?.[1];
    if (requests === undefined) continue;
    const window = /;\s*w=(\d{1,9})\b/.exec(value)?.[1];
    const seconds = window === undefined ? 60 : Math.max(1, Number(window));
    return { header, requests: Number(requests), seconds, assumedMinute: window === undefined };
  }
  return null;
}
