import { accepted, refusal, type Answer } from './answer.js';
import { companyView } from './company-view.js';
import { institutionView } from './institution-view.js';
import type { RequestContext } from './request-context.js';
import { trainingView } from './training-view.js';
import { vacancyView } from './vacancy-view.js';

/** Find Company. */
export function findCompany(context: RequestContext): Answer {
  const record = context.store.find('companies', context.id);
  if (record === null) return refusal(404, 'Company not found');
  return accepted(companyView(record, context), context.clientIp);
}

/** Find Job Vacancy. */
export function findVacancy(context: RequestContext): Answer {
  const record = context.store.find('vacancies', context.id);
  if (record === null) return refusal(404, 'Job vacancy not found');
  return accepted(vacancyView(record, context), context.clientIp);
}

/** Find Institution. */
export function findInstitution(context: RequestContext): Answer {
  const record = context.store.find('institutions', context.id);
  if (record === null) return refusal(404, 'Institution not found');
  return accepted(institutionView(record, context), context.clientIp);
}

/** Find Training. */
export function findTraining(context: RequestContext): Answer {
  const record = context.store.find('trainings', context.id);
  if (record === null) return refusal(404, 'Training not found');
  return accepted(trainingView(record, context), context.clientIp);
}
