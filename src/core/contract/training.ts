import { z } from 'zod';
import { entityContract, NAMED, withCertainty } from './operation.js';
import { betweenRule, pastDayRule, placesRule, reversedRule } from './doubts.js';
import * as field from './fields.js';
import * as reply from './reply-fields.js';
import { institutionFields, institutionRead } from './institution.js';
import { regionRecord, regionReference } from './region.js';

/** The region of a training has no country code. */
const trainingRegion = regionReference.omit({ country_code: true });

/**
 * Training request fields without the institution, publicly documented by the operator; the interface lists the
 * operation without detail. Only the title is assumed to be required.
 */
const trainingFields = {
  title: field.requiredText,
  description: field.text.optional(),
  address: field.text.nullable().optional(),
  region: trainingRegion.optional(),
  media: field.text.optional().describe('online is the value seen.'),
  difficulty_level: field.text.optional().describe('beginner is the value seen.'),
  price: field.wholeNumber.optional(),
  certified: field.flag.optional(),
  bnsp_certified: field.flag.optional(),
  quota: field.wholeNumber.optional(),
  expired_date: field.day.optional().describe('The last day to sign up.'),
  start_date: field.day.optional(),
  finish_date: field.day.optional(),
  cover_uri: field.url.optional(),
};

/** The institution as it is sent inside a training: assumed, after the pattern of `employer` in a vacancy. */
const trainingInstitution = z.strictObject(
  { id: field.uuid.describe('The institution’s reference.'), ...institutionFields },
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
const trainingResult = reply.putResult.extend({ title: reply.text, created_at: reply.time });

/** `data` of Find Training: assumed, the fields of the Put with id, reference and region record. */
export const trainingRead = z.looseObject({
  id: field.uuid,
  reference: field.uuid,
  client_id: reply.uuid,
  title: reply.text,
  description: reply.text,
  address: reply.textOrNull,
  region: reply.part(regionRecord),
  media: reply.text,
  difficulty_level: reply.text,
  price: reply.wholeNumber,
  certified: reply.flag,
  bnsp_certified: reply.flag,
  quota: reply.wholeNumber,
  expired_date: reply.day,
  start_date: reply.day,
  finish_date: reply.day,
  cover_uri: reply.text,
  /** The institution of a training. Only its reference is read, so no field is needed. */
  institution: reply.part(institutionRead.extend({ id: reply.uuid, reference: reply.uuid })),
  created_at: reply.time,
  updated_at: reply.time,
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
    {
      name: 'deleteTraining',
      title: 'Delete Training',
      method: 'DELETE',
      ...NAMED,
      reply: reply.deleted,
    },
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
