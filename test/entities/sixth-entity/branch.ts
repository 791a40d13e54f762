import { z } from 'zod';
import { LISTED } from '../../../src/contract/operation-certainty.js';
import { companyFields } from '../../../src/contract/company.js';
import { entityContract } from '../../../src/contract/entity-contract.js';
import { deleteResult, putResult } from '../../../src/contract/envelope.js';
import { requiredText, text, uuid } from '../../../src/contract/field-types.js';
import { replyText, replyTime } from '../../../src/contract/reply-types.js';

const branchFields = { name: requiredText, address: text.optional() };

/** A branch as it is mapped and stored: the company is put in when sending. */
export const branchPayload = z.strictObject(branchFields);

const branchBody = z.strictObject({
  ...branchFields,
  company: z.strictObject({ id: uuid, ...companyFields }),
});

const branchRead = z.looseObject({
  id: uuid,
  reference: uuid,
  name: replyText,
  address: replyText,
  company: z.looseObject({ id: replyText }).nullish(),
});

export const branchContract = entityContract({
  name: 'branches',
  area: 'jobs',
  noun: { one: 'branch', many: 'branches' },
  label: 'name',
  path: '/api/v1/branches/{id}',
  operations: [
    {
      name: 'putBranch',
      title: 'Put Branch',
      method: 'PUT',
      maturity: null,
      certainty: { method: 'assumed', path: 'assumed', body: 'assumed', reply: 'assumed' },
      body: branchBody,
      reply: putResult.extend({ name: replyText, created_at: replyTime }),
    },
    { name: 'findBranch', title: 'Find Branch', method: 'GET', ...LISTED, reply: branchRead },
    { name: 'deleteBranch', title: 'Delete Branch', method: 'DELETE', ...LISTED, reply: deleteResult },
  ],
  schemas: { BranchBody: branchBody, Branch: branchRead },
});
