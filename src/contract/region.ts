import { z } from 'zod';
import { requiredText, text, uuid } from './field-types.js';

/**
 * Region reference of a request (interface §2). `city` is the type seen in the interface, `village` in public
 * answers; others are not refused. A null country code means the home country.
 */
export const regionReference = z.strictObject(
  { type: requiredText, id: uuid, country_code: text.nullable().optional() },
  { error: 'must be an object with type and id' },
);

export type RegionReference = z.infer<typeof regionReference>;

/** Region record of a response: only documented names, nothing needed. */
export const regionRecord = z.looseObject({
  id: z.string().optional(),
  regionable_type: z.string().nullish(),
  regionable_id: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
});

export type RegionRecord = z.infer<typeof regionRecord>;
