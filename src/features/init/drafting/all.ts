import type { EntityName } from '../../../core/domain/names.js';
import { COMPANY_DRAFTING } from './company-drafting.js';
import type { Drafting } from './drafting.js';
import { INSTITUTION_DRAFTING } from './institution-drafting.js';
import { TRAINING_DRAFTING } from './training-drafting.js';
import { VACANCY_DRAFTING } from './vacancy-drafting.js';

/** How `init` finds the records of an entity in the database of a partner; it does not look for those without a line. */
export const DRAFTINGS: Readonly<Partial<Record<EntityName, Drafting>>> = {
  companies: COMPANY_DRAFTING,
  vacancies: VACANCY_DRAFTING,
  institutions: INSTITUTION_DRAFTING,
  trainings: TRAINING_DRAFTING,
};
