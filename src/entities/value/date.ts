import { instantInZone } from '../../contract/instant-in-zone.js';
import { fault } from './reading.js';
import type { Reading } from './reading.js';
import { zonelessWarning, type Zones } from './zones.js';

const TIME = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?`;
/** A day; a day with a time; and what Postgres prints of a timestamptz. */
const DATE_FORM = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[ T](${TIME})| ${TIME}[+-]\d{2}(?::\d{2}){0,2})?$`,
);
/** A time with a zone in any other form: text of somewhere else, whose day may be another one here. */
const FOREIGN_ZONE = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[ T]${TIME} ?(?:z|utc|gmt|[+-]\d)`, 'i');

/**
 * The day of a date or timestamp as Postgres prints it, in the platform's zone. A timestamp without zone is local time
 * there, with a warning while the source's zone is not known. Text with a time zone in another form is refused:
 * `2026-01-15T23:00:00Z` is the sixteenth in Jakarta.
 */
export function date(text: string, zones?: Zones): Reading<string> {
  const trimmed = text.trim();
  const match = DATE_FORM.exec(zones ? instantInZone(trimmed, zones.platform) : trimmed);
  if (match === null) return refused(trimmed);
  const [, year = '', month = '', day = '', localTime] = match;
  if (!exists(Number(year), Number(month), Number(day))) {
    return fault('format', `${year}-${month}-${day} is not a day of the calendar`);
  }
  const value = `${year}-${month}-${day}`;
  const warning = localTime === undefined ? undefined : zonelessWarning(zones);
  return warning ? { value, warning } : { value };
}

function refused(text: string): Reading<string> {
  const infinite = /^(-?)infinity$/i.exec(text);
  if (infinite !== null) {
    return fault(
      'format',
      `is "${text}"; the platform needs a date`,
      `Return null for it from the query: nullif(column, '${text}').`,
    );
  }
  if (FOREIGN_ZONE.test(text) && !/BC$/i.test(text)) {
    return fault(
      'format',
      'is text with a time zone, so the day here is not certain',
      'Cast it in the query: column::timestamptz.',
    );
  }
  return fault(
    'format',
    'must be a day between the years 1 and 9999',
    "Return a date or a timestamp from the query, for instance to_date(column, 'DD/MM/YYYY').",
  );
}

function exists(year: number, month: number, day: number): boolean {
  // setUTCFullYear, because the constructor takes the years 0 to 99 for 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return year > 0 && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}
