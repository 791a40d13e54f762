import { z } from 'zod';
import { entityContract, SHOWN } from './operation.js';
import { salaryRule, wordRule } from './doubts.js';
import * as field from './fields.js';
import * as reply from './reply-fields.js';

/** The agreed salary: unlike a vacancy's, its amount may have a fraction. */
const applicationSalary = z.strictObject(
  { currency: field.requiredText, amount: z.number({ error: 'must be a number' }) },
  { error: 'must be an object with currency and amount' },
);

/** Request body of Update Job Application Status (interface §2). Only the status is assumed to be required. */
export const applicationStatusBody = z.strictObject(
  {
    status: field.requiredText.describe('hired is the value used.'),
    timestamp: field.localTime
      .optional()
      .describe(
        'When the status was reached: local time of the platform, without its zone. The header Request-Timestamp is the time of sending.',
      ),
    salary: applicationSalary.optional(),
    employment_type: field.requiredText.optional().describe('pkwtt is the value used.'),
  },
  { error: 'must be an object' },
);

export type ApplicationStatusBody = z.infer<typeof applicationStatusBody>;

/**
 * `data` of Update Job Application Status: the only result without `id` and `reference`. Nothing of it is needed
 * to know that the status arrived; `status` and `hired_at` are worth keeping.
 */
const applicationStatusResult = z.looseObject({
  applicants: reply.uuid,
  status: reply.text,
  hired_at: reply.moment,
  phone: reply.textOrNull,
  email: reply.text,
  salary: reply.part(z.looseObject({ currency: reply.text, amount: reply.amount })),
  employment_type: reply.text,
});

/** Update Job Application Status of the job-placement area. */
export const applicationStatusContract = entityContract({
  name: 'application-statuses',
  area: 'jobs',
  noun: { one: 'application status', many: 'application statuses' },
  label: null,
  path: '/api/v1/job-applications/{id}/status',
  operations: [
    {
      name: 'updateApplicationStatus',
      title: 'Update Job Application Status',
      method: 'PATCH',
      ...SHOWN,
      maturity: 'Developing',
      body: applicationStatusBody,
      reply: applicationStatusResult,
    },
  ],
  doubts: [salaryRule('salary'), wordRule('employment_type', field.KNOWN_WORDS.employment_type)],
  schemas: {
    ApplicationSalary: applicationSalary,
    ApplicationStatusBody: applicationStatusBody,
    ApplicationStatusResult: applicationStatusResult,
  },
});
