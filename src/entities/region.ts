import type { JsonObject } from '../domain/json.js';
import type { RowReader } from './row-reader.js';

/**
 * The region reference from `region_type`, `region_id` and `region_country_code`. Without an id there is no region;
 * a region abroad, which has a country code, may have none, and then the id is not asked for. A type that its lookup
 * leaves out leaves out the region: an id of one kind must not be sent as one of another. Null: no region, and the
 * configuration sends null then.
 */
export function readRegion(read: RowReader): JsonObject | null | undefined {
  const type = read.text('region_type', 'city');
  const countryCode = read.text('region_country_code') ?? read.absent('region_country_code', null);
  if (typeof countryCode === 'string') read.excuse('region_id');
  const id = read.id('region_id');
  if (id === undefined) return read.absent('region_id');
  if (type === undefined) return read.absent('region_type');
  return countryCode === undefined ? { type, id } : { type, id, country_code: countryCode };
}
