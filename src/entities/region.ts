import type { JsonObject } from '../domain/json.js';
import type { RowReader } from './row-reader.js';

/**
 * The region in the home country from `region_type` and `region_id`, for a body whose region has no country code. Without
 * an id there is no region, nor where its lookup leaves out the type. Null: no region, and the configuration sends null
 * then.
 */
export function readHomeRegion(read: RowReader): JsonObject | null | undefined {
  const type = read.text('region_type', 'city');
  const id = read.id('region_id');
  if (id !== undefined && type !== undefined) return { type, id };
  return read.absent(id === undefined ? 'region_id' : 'region_type');
}

/**
 * The region reference from `region_type`, `region_id` and `region_country_code`. Without an id there is no region;
 * a region abroad, which has a country code, may have none, and then the id is not asked for. A type that its lookup
 * leaves out leaves out the region: an id of one kind must not be sent as one of another. A country code that is left out
 * with its region gets a warning. Null: no region, and the configuration sends null then.
 */
export function readRegion(read: RowReader): JsonObject | null | undefined {
  const type = read.text('region_type', 'city');
  const countryCode = read.text('region_country_code') ?? read.absent('region_country_code', null);
  const abroad = typeof countryCode === 'string';
  const excused = abroad && read.excuse('region_id');
  const faults = read.issues.length;
  const id = read.id('region_id');
  if (id !== undefined && type !== undefined)
    return countryCode === undefined ? { type, id } : { type, id, country_code: countryCode };
  // An id that is wrong makes the record invalid, so nothing of it is sent.
  if (abroad && read.issues.length === faults) {
    const missing = id === undefined ? 'id' : 'type';
    const message = `is not sent, because the region has no ${missing}`;
    const hint = `Return the region’s ${missing} too, or null for the country code.${id === undefined && excused ? ' A strict platform refuses a record without region.' : ''}`;
    read.warn('region_country_code', { code: 'doubtful', message, hint });
  }
  return read.absent(id === undefined ? 'region_id' : 'region_type');
}
