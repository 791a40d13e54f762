import { COMPANY_TARGETS } from './company-targets.js';
import { INSTITUTION_TARGETS } from './institution-targets.js';
import type { Target } from './target.js';
import { TRAINING_TARGETS } from './training-targets.js';
import { VACANCY_TARGETS } from './vacancy-targets.js';

/** The columns that an entity may fill, with the names that partners give them; `row_version` is never drafted. */
export const TARGETS: Readonly<Record<string, readonly Target[]>> = {
  companies: COMPANY_TARGETS,
  vacancies: VACANCY_TARGETS,
  institutions: INSTITUTION_TARGETS,
  trainings: TRAINING_TARGETS,
};
