import type { RegionReference } from '../contract/region.js';
import { derivedId } from './derived-id.js';

/** The catalogue is older than any record. */
const CATALOGUE_TIME = '2021-01-01 00:00:00';

/** Region record of a response (interface §2); null when the request named none. */
export function regionView(region: RegionReference | null | undefined): object | null {
  if (region === undefined || region === null) return null;
  return {
    id: derivedId('regions', region.id),
    regionable_type: region.type,
    regionable_id: region.id,
    key: `${region.type}-${region.id.slice(0, 8)}`,
    name: `${region.type} ${region.id.slice(0, 8)}`,
    created_at: CATALOGUE_TIME,
    updated_at: CATALOGUE_TIME,
  };
}

/** Region record with its city-level record, as Find Job Vacancy shows it. */
export function extendedRegionView(region: RegionReference | null | undefined): object | null {
  if (region === undefined || region === null) return null;
  const provinceId = derivedId('provinces', region.id);
  const country = region.country_code ?? 'ID';
  const regionable = {
    id: region.id,
    province_id: provinceId,
    name: `${region.type} ${region.id.slice(0, 8)}`,
    district: false,
    code: 3171,
    latitude: -6.2,
    longitude: 106.8,
    deleted_at: null,
    province: {
      id: provinceId,
      name: `province ${provinceId.slice(0, 8)}`,
      code: 31,
      country_id: derivedId('countries', country),
      latitude: -6.2,
      longitude: 106.8,
      country: { id: derivedId('countries', country), code: country, name: `country ${country}` },
    },
  };
  return { ...regionView(region), regionable };
}
