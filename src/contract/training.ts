import { z } from 'zod';
import { entityContract, NAMED, withCertainty } from './operation.js';
import { betweenRule, pastDayRule, placesRule, reversedRule } from './doubts.js';
import {
  day,
  deleteResult,
  flag,
  putResult,
  replyDay,
  replyFlag,
  replyPart,
  replyText,
  replyTextOrNull,
  replyTime,
  replyUuid,
  replyWholeNumber,
  requiredText,
  text,
  url,
  uuid,
  wholeNumber,
} from './fields.js';
import { institutionFields, institutionRead } from './institution.js';
import { regionRecord, regionReference } from './region.js';

/** The region of a training has no country code. */
const trainingRegion = regionReference.omit({ country_code: true });

/**
 * Training request fields without the institution, publicly documented by the operator; the interface lists the
 * operation without detail. Only the title is assumed to be required.
 */
const trainingFields = {
  title: requiredText,
  description: text.optional(),
  address: text.nullable().optional(),
  region: trainingRegion.optional(),
  media: text.optional().describe('online is the value seen.'),
  difficulty_level: text.optional().describe('beginner is the value seen.'),
  price: wholeNumber.optional(),
  certified: flag.optional(),
  bnsp_certified: flag.optional(),
  quota: wholeNumber.optional(),
  expired_date: day.optional().describe('The last day to sign up.'),
  start_date: day.optional(),
  finish_date: day.optional(),
  cover_uri: url.optional(),
};

/** The institution as it is sent inside a training: assumed, after the pattern of `employer` in a vacancy. */
const trainingInstitution = z.strictObject(
  { id: uuid.describe('The institution’s reference.'), ...institutionFields },
  { error: 'must be an object with id and name' },
);

/**
 * Request body of Put Training. The institution may be missing: that it is sent at all is assumed. The published
 * example is cut after `cover_uri`, so further fields come from the configuration; they are `unknown` problems of
 * `bodyProblems`, which the caller may ignore.
 */
export const trainingBody = z.strictObject(
  { ...trainingFields, institution: withCertainty(trainingInstitution.optional(), 'assumed') },
  { error: 'must be an object' },
);

export type TrainingBody = z.infer<typeof trainingBody>;

/** `data` of Put Training: assumed, as every Put returns it. */
const trainingResult = putResult.extend({ title: replyText, created_at: replyTime });

/** `data` of Find Training: assumed, the fields of the Put with id, reference and region record. */
export const trainingRead = z.looseObject({
  id: uuid,
  reference: uuid,
  client_id: replyUuid,
  title: replyText,
  description: replyText,
  address: replyTextOrNull,
  region: replyPart(regionRecord),
  media: replyText,
  difficulty_level: replyText,
  price: replyWholeNumber,
  certified: replyFlag,
  bnsp_certified: replyFlag,
  quota: replyWholeNumber,
  expired_date: replyDay,
  start_date: replyDay,
  finish_date: replyDay,
  cover_uri: replyText,
  /** The institution of a training. Only its reference is read, so no field is needed. */
  institution: replyPart(institutionRead.extend({ id: replyUuid, reference: replyUuid })),
  created_at: replyTime,
  updated_at: replyTime,
});

/** Put, Find and Delete Training of the training area. */
export const trainingContract = entityContract({
  name: 'trainings',
  area: 'training',
  noun: { one: 'training', many: 'trainings' },
  label: 'title',
  path: '/api/v1/trainings/{id}',
  operations: [
    {
      name: 'putTraining',
      title: 'Put Training',
      method: 'PUT',
      maturity: null,
      certainty: { method: 'documented', path: 'documented', body: 'documented', reply: 'assumed' },
      body: trainingBody,
      reply: trainingResult,
    },
    { name: 'findTraining', title: 'Find Training', method: 'GET', ...NAMED, reply: trainingRead },
    { name: 'deleteTraining', title: 'Delete Training', method: 'DELETE', ...NAMED, reply: deleteResult },
  ],
  doubts: [
    betweenRule('price'),
    placesRule('quota'),
    reversedRule('start_date', 'finish_date'),
    pastDayRule('expired_date', null),
  ],
  schemas: {
    TrainingRegion: trainingRegion,
    TrainingInstitution: trainingInstitution,
    TrainingBody: trainingBody,
    TrainingResult: trainingResult,
    Training: trainingRead,
  },
});
