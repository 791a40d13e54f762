import { z } from 'zod';
import { requiredText, text, uuid } from './field-types.js';
import { replyDegrees, replyFlag, replyNumber, replyText, replyTime } from './reply-types.js';

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
  id: z.string().optional(),
  regionable_type: replyText,
  regionable_id: replyText,
  key: replyText,
  name: replyText,
  created_at: replyTime,
  updated_at: replyTime,
});

export type RegionRecord = z.infer<typeof regionRecord>;

const country = z.looseObject({ id: replyText, code: replyText, name: replyText });

const province = z.looseObject({
  id: replyText,
  name: replyText,
  code: replyNumber,
  country_id: replyText,
  latitude: replyDegrees,
  longitude: replyDegrees,
  country: country.nullish(),
});

/** The place behind a region record, here on the level of cities. */
export const regionable = z.looseObject({
  id: replyText,
  province_id: replyText,
  name: replyText,
  district: replyFlag,
  code: replyNumber,
  latitude: replyDegrees,
  longitude: replyDegrees,
  deleted_at: replyText,
  province: province.nullish(),
});

/** Region record of a vacancy's job, extended with the place itself. */
export const extendedRegionRecord = regionRecord.extend({ regionable: regionable.nullish() });
