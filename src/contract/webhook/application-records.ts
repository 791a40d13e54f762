import { z } from 'zod';
import { uuid } from '../field-types.js';
import { replyNumber, replyText } from '../reply-types.js';

/** Sub-records of a job application (interface §2). Regions in them are free text, not region references. */

const period = {
  start_year: replyNumber,
  finish_year: replyNumber,
  start_month: replyNumber,
  finish_month: replyNumber,
};

export const applicationJob = z.looseObject({ id: uuid, title: replyText });

export const experienceRecord = z.looseObject({
  id: replyText,
  job: replyText,
  region: replyText,
  company: replyText,
  job_type: z.string().nullish().describe('full_time is a value seen.'),
  ...period,
});

export const trainingRecord = z.looseObject({
  id: replyText,
  region: replyText,
  vocational: replyText,
  sub_vocational: replyText,
  training_center: replyText,
  training_program: replyText,
  ...period,
});

export const educationRecord = z.looseObject({
  id: replyText,
  grade: replyText,
  school: replyText,
  graduate: replyText,
  activities: replyText,
  description: replyText,
  study_field: replyText,
  start_year: replyNumber,
  finish_year: replyNumber,
});

export const certificationRecord = z.looseObject({
  id: replyText,
  program: replyText,
  scoring: replyText,
  institution: replyText,
  issued_year: replyNumber,
  issued_month: replyNumber,
  expire_year: replyNumber,
  expire_month: replyNumber,
});

export const achievementRecord = z.looseObject({
  id: replyText,
  name: replyText,
  organizer: replyText,
  description: replyText,
  achieved_at_year: replyNumber,
  achieved_at_month: replyNumber,
});

export const languageRecord = z.looseObject({ id: replyText, name: replyText, proficiency: replyText });

/** The lists that both layouts have. */
export const applicationLists = {
  experiences: z.array(experienceRecord).nullish(),
  trainings: z.array(trainingRecord).nullish(),
  educations: z.array(educationRecord).nullish(),
  certifications: z.array(certificationRecord).nullish(),
  achievements: z.array(achievementRecord).nullish(),
  skills: z.array(z.string()).nullish(),
  languages: z.array(languageRecord).nullish(),
};
