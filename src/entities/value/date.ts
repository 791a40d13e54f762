import { fault } from './reading.js';
import type { Reading } from './reading.js';

const DATE_FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]\d{2}:\d{2}\S*(?: ?[+-]\d{2}\S*)?)?$/;

/**
 * The day of a date or timestamp as Postgres prints it. The source has already moved timestamps into the platform's
 * time zone, so their first ten characters are the day there.
 */
export function date(text: string): Reading<string> {
  const match = DATE_FORM.exec(text.trim());
  if (match === null) {
    return fault(
      'format',
      'must be a day between the years 1 and 9999',
      "Return a date or a timestamp from the query, for instance to_date(column, 'DD/MM/YYYY').",
    );
  }
  const [, year = '', month = '', day = ''] = match;
  if (!exists(Number(year), Number(month), Number(day))) {
    return fault('format', `${year}-${month}-${day} is not a day of the calendar`);
  }
  return { value: `${year}-${month}-${day}` };
}

function exists(year: number, month: number, day: number): boolean {
  // setUTCFullYear, because the constructor takes the years 0 to 99 for 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return year > 0 && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}
