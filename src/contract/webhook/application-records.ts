import { z } from 'zod';
import { text, uuid } from '../field-types.js';
import { readAs, replyPart } from '../documented.js';
import { replyText, replyTextOrNull, replyUuid, replyWholeNumber } from '../reply-types.js';

/** Sub-records of a job application (interface §2). Regions in them are free text, not region references. */

const period = {
  start_year: replyWholeNumber,
  finish_year: replyWholeNumber,
  start_month: replyWholeNumber,
  finish_month: replyWholeNumber,
};

export const applicationJob = z.looseObject({ id: uuid, title: replyText });

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
export const applicationLists = {
  experiences: replyPart(z.array(experienceRecord)),
  trainings: replyPart(z.array(trainingRecord)),
  educations: replyPart(z.array(educationRecord)),
  certifications: replyPart(z.array(certificationRecord)),
  achievements: replyPart(z.array(achievementRecord)),
  skills: replyPart(z.array(z.string())),
  languages: replyPart(z.array(languageRecord)),
};
