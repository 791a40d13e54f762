import { z } from 'zod';
import { entityContract, LISTED } from '../../../src/contract/operation.js';
import { companyFields } from '../../../src/contract/company.js';
import {
  deleteResult,
  putResult,
  replyText,
  replyTime,
  requiredText,
  text,
  uuid,
} from '../../../src/contract/fields.js';

const canteenBody = z.strictObject({
  name: requiredText,
  address: text.optional(),
  company: z.strictObject({ id: uuid, ...companyFields }),
});

const canteenResult = putResult.extend({ name: replyText, created_at: replyTime });

const canteenRead = z.looseObject({
  id: uuid,
  reference: uuid,
  name: replyText,
  address: replyText,
  company: z.looseObject({ id: replyText }).nullish(),
});

export const canteenContract = entityContract({
  name: 'canteens',
  area: 'jobs',
  noun: { one: 'canteen', many: 'canteens' },
  label: 'name',
  path: '/api/v1/canteens/{id}',
  operations: [
    {
      name: 'putCanteen',
      title: 'Put Canteen',
      method: 'PUT',
      maturity: null,
      certainty: { method: 'assumed', path: 'assumed', body: 'assumed', reply: 'assumed' },
      body: canteenBody,
      reply: canteenResult,
    },
    { name: 'findCanteen', title: 'Find Canteen', method: 'GET', ...LISTED, reply: canteenRead },
    { name: 'deleteCanteen', title: 'Delete Canteen', method: 'DELETE', ...LISTED, reply: deleteResult },
  ],
  schemas: { CanteenBody: canteenBody, CanteenResult: canteenResult, Canteen: canteenRead },
});
