import { z } from 'zod';
import {
  readAs,
  replyDegrees,
  replyFlag,
  replyPart,
  replyText,
  replyTextOrNull,
  replyTime,
  replyUuid,
  replyWholeNumber,
  requiredText,
  text,
  uuid,
} from './fields.js';

/**
 * Region reference of a request (interface §2). `city` is the type seen in the interface, `village` in public
 * answers; others are accepted too. A null country code means the home country.
 */
export const regionReference = z.strictObject(
  {
    type: requiredText.describe('Kind of region; city is the value used.'),
    id: uuid,
    country_code: text.nullable().optional().describe('Null when the region is in the home country.'),
  },
  { error: 'must be an object with type and id' },
);

export type RegionReference = z.infer<typeof regionReference>;

/** Region record of a response: only documented names, nothing needed. */
export const regionRecord = z.looseObject({
  id: readAs(z.string().optional(), uuid),
  regionable_type: replyText,
  regionable_id: replyUuid,
  key: replyText,
  name: replyText,
  created_at: replyTime,
  updated_at: replyTime,
});

const country = z.looseObject({ id: replyUuid, code: replyText, name: replyText });

const province = z.looseObject({
  id: replyUuid,
  name: replyText,
  code: replyWholeNumber,
  country_id: replyUuid,
  latitude: replyDegrees,
  longitude: replyDegrees,
  country: replyPart(country),
});

/** The place behind a region record, here on the level of cities. */
const regionable = z.looseObject({
  id: replyUuid,
  province_id: replyUuid,
  name: replyText,
  district: replyFlag,
  code: replyWholeNumber,
  latitude: replyDegrees,
  longitude: replyDegrees,
  deleted_at: replyTextOrNull,
  province: replyPart(province),
});

/** Region record of a vacancy's job, extended with the place itself. */
export const extendedRegionRecord = regionRecord.extend({ regionable: replyPart(regionable) });
