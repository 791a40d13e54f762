import type { RequestTimestampForm } from '../contract/time.js';

export const SENT_TIME_EXAMPLES: Readonly<Record<RequestTimestampForm, string>> = {
  seconds: '2022-09-22T01:51:00Z',
  milliseconds: '2022-09-22T01:51:00.123Z',
  'epoch-seconds': '1663811460',
  'epoch-milliseconds': '1663811460123',
};

const PATTERNS: Readonly<Record<RequestTimestampForm, RegExp>> = {
  seconds: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  milliseconds: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  'epoch-seconds': /^\d{10}$/,
  'epoch-milliseconds': /^\d{13}$/,
};

/**
 * `Request-Timestamp` of a request, in this form and no other: a rehearsal shows the wrong form.
 * @returns milliseconds since the Unix epoch; null when the text is not of that form or no such time exists
 */
export function readSentTime(text: string, form: RequestTimestampForm): number | null {
  if (!PATTERNS[form].test(text)) return null;
  if (form === 'epoch-seconds') return Number(text) * 1000;
  if (form === 'epoch-milliseconds') return Number(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
