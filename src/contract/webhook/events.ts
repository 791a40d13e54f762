import { z } from 'zod';
import {
  day,
  localTime,
  readAs,
  replyPart,
  replyText,
  replyTextOrNull,
  replyUuid,
  replyWholeNumber,
  text,
  uuid,
} from '../fields.js';
import type { Certainty } from '../operation.js';

/** One payload layout of an event. */
interface EventLayout {
  readonly name: 'applied-at' | 'flat';
  readonly title: string;
  readonly schema: z.ZodType;
  readonly certainty: Certainty;
}

/** One reason why the platform calls the partner (interface §6). */
export interface WebhookEvent {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of the event itself: that there is such a call. */
  readonly certainty: Certainty;
  /** Empty: the interface shows no payload. */
  readonly layouts: readonly EventLayout[];
}

export const applicationJob = z.looseObject({ id: uuid, title: replyText });

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

/** Sub-records of a job application (interface §2). Regions in them are free text, not region references. */

const period = {
  start_year: replyWholeNumber,
  finish_year: replyWholeNumber,
  start_month: replyWholeNumber,
  finish_month: replyWholeNumber,
};

export const experienceRecord = z.looseObject({
  id: replyUuid,
  job: replyText,
  region: replyText,
  company: replyText,
  job_type: readAs(z.string().nullish(), text.describe('full_time is a value seen.')),
  ...period,
});

export const trainingRecord = z.looseObject({
  id: replyUuid,
  region: replyText,
  vocational: replyText,
  sub_vocational: replyText,
  training_center: replyText,
  training_program: replyText,
  ...period,
});

export const educationRecord = z.looseObject({
  id: replyUuid,
  grade: replyText,
  school: replyText,
  graduate: replyText,
  activities: replyTextOrNull,
  description: replyTextOrNull,
  study_field: replyText,
  start_year: replyWholeNumber,
  finish_year: replyWholeNumber,
});

export const certificationRecord = z.looseObject({
  id: replyUuid,
  program: replyText,
  scoring: replyText,
  institution: replyText,
  issued_year: replyWholeNumber,
  issued_month: replyWholeNumber,
  expire_year: replyWholeNumber,
  expire_month: replyWholeNumber,
});

export const achievementRecord = z.looseObject({
  id: replyUuid,
  name: replyText,
  organizer: replyText,
  description: replyTextOrNull,
  achieved_at_year: replyWholeNumber,
  achieved_at_month: replyWholeNumber,
});

export const languageRecord = z.looseObject({ id: replyUuid, name: replyText, proficiency: replyText });

/** The lists that both layouts have. */
const applicationLists = {
  experiences: replyPart(z.array(experienceRecord)),
  trainings: replyPart(z.array(trainingRecord)),
  educations: replyPart(z.array(educationRecord)),
  certifications: replyPart(z.array(certificationRecord)),
  achievements: replyPart(z.array(achievementRecord)),
  skills: replyPart(z.array(z.string())),
  languages: replyPart(z.array(languageRecord)),
};

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

export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  {
    name: 'new-job-application',
    title: 'New job application',
    description:
      'Sent with POST when a new job application has arrived. The interface documents two layouts under slightly different names and does not state which one is in use, so a receiver accepts both.',
    certainty: 'specified',
    layouts: [
      {
        name: 'applied-at',
        title: 'Layout A, with applied_at',
        schema: appliedAtApplication,
        certainty: 'specified',
      },
      { name: 'flat', title: 'Layout B, flat', schema: flatApplication, certainty: 'specified' },
    ],
  },
  {
    name: 'job-application-canceled',
    title: 'Job Application Canceled Notification',
    description: 'Named in the interface; payload and trigger are not shown.',
    certainty: 'specified',
    layouts: [],
  },
];
