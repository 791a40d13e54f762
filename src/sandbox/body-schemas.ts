import type { z } from 'zod';
import { applicationStatusBody } from '../contract/application-status.js';
import { companyBody } from '../contract/company.js';
import { institutionBody } from '../contract/institution.js';
import { trainingBody } from '../contract/training.js';
import { vacancyBody } from '../contract/vacancy.js';
import type { SandboxKind } from './sandbox-options.js';

/** What the body of each kind has to satisfy. */
export const BODY_SCHEMAS: Readonly<Record<SandboxKind, z.ZodType>> = {
  companies: companyBody,
  vacancies: vacancyBody,
  institutions: institutionBody,
  trainings: trainingBody,
  'application-statuses': applicationStatusBody,
};
