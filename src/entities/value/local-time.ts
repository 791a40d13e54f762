import { instantInZone } from '../../contract/instant-in-zone.js';
import { isPlatformTimestamp } from '../../contract/platform-timestamp.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';
import { zonelessWarning, type Zones } from './zones.js';

/** As Postgres prints a timestamp, with or without a zone. */
const FORM = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2})(?:\.\d+)?([+-]\d{2}(?::?\d{2}){0,2})?)?$/;

/**
 * `YYYY-MM-DD HH:MM:SS` in the platform's zone; a day alone begins at midnight, parts of a second are cut. A time
 * without zone gets a warning while the source's zone is not known.
 */
export function localTime(text: string, zones?: Zones): Reading<string> {
  const trimmed = text.trim();
  const [, day, time, offset] = FORM.exec(zones ? instantInZone(trimmed, zones.platform) : trimmed) ?? [];
  const value = `${day ?? ''} ${time ?? '00:00:00'}`;
  if (day === undefined || !isPlatformTimestamp(value)) {
    return fault(
      'format',
      'must be a date and time',
      'Return a timestamp from the query; text with a time zone has to be cast: column::timestamptz.',
    );
  }
  const warning = time !== undefined && offset === undefined ? zonelessWarning(zones) : undefined;
  return warning ? { value, warning } : { value };
}
