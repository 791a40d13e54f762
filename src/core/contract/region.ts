import { z } from 'zod';
import * as field from './fields.js';
import * as reply from './reply-fields.js';

/**
 * Region reference of a request (interface §2). `city` is the type seen in the interface, `village` in public
 * answers; others are accepted too. A null country code means the home country.
 */
export const regionReference = z.strictObject(
  {
    type: field.requiredText.describe('Kind of region; city is the value used.'),
    id: field.uuid,
    country_code: field.text.nullable().optional().describe('Null when the region is in the home country.'),
  },
  { error: 'must be an object with type and id' },
);

/** The home country as records show it; requests say null (interface §2). */
export const HOME_COUNTRY = 'ID';

export type RegionReference = z.infer<typeof regionReference>;

/** Region record of a response: only documented names, nothing needed. */
export const regionRecord = z.looseObject({
  id: reply.readAs(z.string().optional(), field.uuid),
  regionable_type: reply.text,
  regionable_id: reply.uuid,
  key: reply.text,
  name: reply.text,
  created_at: reply.time,
  updated_at: reply.time,
});

const country = z.looseObject({ id: reply.uuid, code: reply.text, name: reply.text });

const province = z.looseObject({
  id: reply.uuid,
  name: reply.text,
  code: reply.wholeNumber,
  country_id: reply.uuid,
  latitude: reply.degrees,
  longitude: reply.degrees,
  country: reply.part(country),
});

/** The place behind a region record, here on the level of cities. */
const regionable = z.looseObject({
  id: reply.uuid,
  province_id: reply.uuid,
  name: reply.text,
  district: reply.flag,
  code: reply.wholeNumber,
  latitude: reply.degrees,
  longitude: reply.degrees,
  deleted_at: reply.textOrNull,
  province: reply.part(province),
});

/** Region record of a vacancy's job, extended with the place itself. */
export const extendedRegionRecord = regionRecord.extend({ regionable: reply.part(regionable) });
