import { z } from 'zod';
import { readAs } from '../documented.js';
import { day, localTime, text, uuid } from '../field-types.js';
import { replyText, replyWholeNumber } from '../reply-types.js';
import { applicationJob, applicationLists } from './application-records.js';

/** Who applies, in the layout with `applied_at`. */
export const jobSeeker = z.looseObject({
  name: replyText,
  email: replyText,
  phone: replyText,
  pob: readAs(z.string().nullish(), text.describe('Place of birth.')),
  gender: replyText,
  province: replyText,
  city: replyText,
  age: replyWholeNumber,
});

/**
 * `new-job-application`, layout A (interface §6). Receivers accept more than this: `readApplication` loses no
 * application because of one odd field.
 */
export const appliedAtApplication = z.looseObject({
  id: uuid.describe('Id of the application.'),
  applied_at: localTime,
  job: applicationJob,
  job_seeker: jobSeeker,
  ...applicationLists,
});

/** `new-job-application`, layout B: the applicant's fields stand beside the job. */
export const flatApplication = z.looseObject({
  id: uuid.describe('Id of the application.'),
  job: applicationJob,
  name: z.string(),
  bod: readAs(z.string().nullish(), day.describe('Date of birth.')),
  pob: readAs(z.string().nullish(), text.describe('Place of birth.')),
  gender: readAs(z.string().nullish(), text.describe('male is a value seen.')),
  email: replyText,
  phone: replyText,
  ...applicationLists,
});

export type AppliedAtApplication = z.infer<typeof appliedAtApplication>;
export type FlatApplication = z.infer<typeof flatApplication>;
