import { z } from 'zod';
import { entityContract, LISTED } from '../../../../src/core/contract/operation.js';
import { companyFields } from '../../../../src/core/contract/company.js';
import { requiredText, text, uuid } from '../../../../src/core/contract/fields.js';
import * as reply from '../../../../src/core/contract/reply-fields.js';

const canteenBody = z.strictObject({
  name: requiredText,
  address: text.optional(),
  company: z.strictObject({ id: uuid, ...companyFields }),
});

const canteenResult = reply.putResult.extend({ name: reply.text, created_at: reply.time });

const canteenRead = z.looseObject({
  id: uuid,
  reference: uuid,
  name: reply.text,
  address: reply.text,
  company: z.looseObject({ id: reply.text }).nullish(),
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
    {
      name: 'deleteCanteen',
      title: 'Delete Canteen',
      method: 'DELETE',
      ...LISTED,
      reply: reply.deleted,
    },
  ],
  schemas: { CanteenBody: canteenBody, CanteenResult: canteenResult, Canteen: canteenRead },
});
