import { isPlatformTimestamp } from '../../contract/platform-timestamp.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';

/** As Postgres prints a timestamp, with or without a zone: the source has moved those with one into the platform's. */
const FORM = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:[+-]\d{2}(?::?\d{2}){0,2})?)?$/;

/** `YYYY-MM-DD HH:MM:SS` in the platform's zone; a day alone begins at midnight, parts of a second are cut. */
export function localTime(text: string): Reading<string> {
  const [, day, time = '00:00:00'] = FORM.exec(text.trim()) ?? [];
  const value = `${day ?? ''} ${time}`;
  if (day !== undefined && isPlatformTimestamp(value)) return { value };
  return fault(
    'format',
    'must be a date and time',
    'Return a timestamp from the query; text with a time zone has to be cast: column::timestamptz.',
  );
}
