import { z } from 'zod';
import * as field from '../../../core/contract/fields.js';
import * as reply from '../../../core/contract/reply-fields.js';
import type { Certainty } from '../../../core/contract/operation.js';

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

export const applicationJob = z.looseObject({ id: field.uuid, title: reply.text });

/** Who applies, in the layout with `applied_at`. */
export const jobSeeker = z.looseObject({
  name: reply.text,
  email: reply.text,
  phone: reply.text,
  pob: reply.readAs(z.string().nullish(), field.text.describe('Place of birth.')),
  gender: reply.text,
  province: reply.text,
  city: reply.text,
  age: reply.wholeNumber,
});

/** Sub-records of a job application (interface §2). Regions in them are free text, not region references. */

const period = {
  start_year: reply.wholeNumber,
  finish_year: reply.wholeNumber,
  start_month: reply.wholeNumber,
  finish_month: reply.wholeNumber,
};

export const experienceRecord = z.looseObject({
  id: reply.uuid,
  job: reply.text,
  region: reply.text,
  company: reply.text,
  job_type: reply.readAs(z.string().nullish(), field.text.describe('full_time is a value seen.')),
  ...period,
});

export const trainingRecord = z.looseObject({
  id: reply.uuid,
  region: reply.text,
  vocational: reply.text,
  sub_vocational: reply.text,
  training_center: reply.text,
  training_program: reply.text,
  ...period,
});

export const educationRecord = z.looseObject({
  id: reply.uuid,
  grade: reply.text,
  school: reply.text,
  graduate: reply.text,
  activities: reply.textOrNull,
  description: reply.textOrNull,
  study_field: reply.text,
  start_year: reply.wholeNumber,
  finish_year: reply.wholeNumber,
});

export const certificationRecord = z.looseObject({
  id: reply.uuid,
  program: reply.text,
  scoring: reply.text,
  institution: reply.text,
  issued_year: reply.wholeNumber,
  issued_month: reply.wholeNumber,
  expire_year: reply.wholeNumber,
  expire_month: reply.wholeNumber,
});

export const achievementRecord = z.looseObject({
  id: reply.uuid,
  name: reply.text,
  organizer: reply.text,
  description: reply.textOrNull,
  achieved_at_year: reply.wholeNumber,
  achieved_at_month: reply.wholeNumber,
});

export const languageRecord = z.looseObject({ id: reply.uuid, name: reply.text, proficiency: reply.text });

/** The lists that both layouts have. */
const applicationLists = {
  experiences: reply.part(z.array(experienceRecord)),
  trainings: reply.part(z.array(trainingRecord)),
  educations: reply.part(z.array(educationRecord)),
  certifications: reply.part(z.array(certificationRecord)),
  achievements: reply.part(z.array(achievementRecord)),
  skills: reply.part(z.array(z.string())),
  languages: reply.part(z.array(languageRecord)),
};

/**
 * `new-job-application`, layout A (interface §6). Receivers accept more than this: `readApplication` loses no
 * application because of one odd field.
 */
export const appliedAtApplication = z.looseObject({
  id: field.uuid.describe('Id of the application.'),
  applied_at: field.localTime,
  job: applicationJob,
  job_seeker: jobSeeker,
  ...applicationLists,
});

/** `new-job-application`, layout B: the applicant's fields stand beside the job. */
export const flatApplication = z.looseObject({
  id: field.uuid.describe('Id of the application.'),
  job: applicationJob,
  name: z.string(),
  bod: reply.readAs(z.string().nullish(), field.day.describe('Date of birth.')),
  pob: reply.readAs(z.string().nullish(), field.text.describe('Place of birth.')),
  gender: reply.readAs(z.string().nullish(), field.text.describe('male is a value seen.')),
  email: reply.text,
  phone: reply.text,
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
